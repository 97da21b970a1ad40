import { CommanderError } from 'commander';
import { EXIT, errorText, ownError } from './failure.ts';
import { forgetTemporary } from './io/temporary.ts';
import { createProgram } from './program.ts';

/** Prints the error of a failed command. Returns its exit code. */
export async function reportFailure(error: unknown): Promise<number> {
  // A group without a command has already printed its help.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
  const known = ownError(error) ?? (await import('./as-cli-error.ts')).asCliError(error);
  if (known) {
    process.stderr.write(errorText(known, process.argv.includes('--json')));
    return known.exit;
  }
  process.stderr.write(`enfilade: Internal error. [bug]\n${(error as Error).stack}\n`);
  return EXIT.server;
}

/** Runs the command in `process.argv` and sets the exit code of the process. */
export async function runCommand(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = await reportFailure(error);
  } finally {
    forgetTemporary();
  }
}
