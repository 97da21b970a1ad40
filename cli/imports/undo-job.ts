import type { Client } from '../../src/contract/client.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { asCliError } from '../as-cli-error.ts';
import { CliError, wrongError } from '../failure.ts';
import { eachEntry } from '../report/pages.ts';

/** Whether a job is already undone. False without the right to see jobs. */
async function isUndone(client: Client, job: number): Promise<boolean> {
  try {
    for await (const { id, undone_at } of eachEntry((page) => client.imports.list({ query: page })))
      if (id <= job) return id === job && undone_at !== null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
  }
  return false;
}

/** The reason why a job could not be undone, with the next step. */
async function refusalOf(client: Client, job: number, error: unknown): Promise<unknown> {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'not_found') return wrongError(`Job ${job} not found.`, 'Run enfilade jobs to list jobs.');
  const known = asCliError(error)!;
  const { code, exit, message, problems } = known;
  if (code === 'stale')
    return new CliError(code, exit, {
      message,
      suggestion: 'Use --force to undo it anyway. Later changes will be lost.',
      problems,
    });
  if (code === 'invalid' && (await isUndone(client, job)))
    return new CliError(code, exit, {
      message,
      suggestion: 'Run `enfilade jobs` to see when it was undone.',
    });
  return error;
}

/**
 * Undoes a job; a dry run only prints how much would be undone.
 * @returns whether there is anything to undo
 * @throws CliError with the reason
 */
export async function undoJob(client: Client, job: number, force: boolean, isTried: boolean): Promise<boolean> {
  const params = { id: job };
  const { undone } = await client.imports
    .undo({ params, body: { force, dry_run: isTried } })
    .catch(async (error: unknown) => {
      throw await refusalOf(client, job, error);
    });
  process.stdout.write(isTried ? `Would undo: ${undone}.\n` : `Undone: ${undone}.\n`);
  return true;
}
