import { ApiError } from '../../src/contract/errors.ts';
import { type AddCommand, connected, examples } from '../command.ts';
import { usageError, wrongError } from '../failure.ts';

export const undo: AddCommand = (program) => {
  program
    .command('undo')
    .description('take one import back: what it added goes, what it changed or removed is as before')
    .argument('<job>', 'number that the import printed; enfilade jobs lists them')
    .option('--force', 'also where something was changed since; those changes are lost', false)
    .addHelpText('after', examples('enfilade undo 12', 'enfilade undo 12 --force'))
    .action(
      connected(async ({ client }, job: string, { force }: { force: boolean }) => {
        if (!/^\d{1,15}$/.test(job)) throw usageError(`"${job}" is no job.`, 'enfilade jobs lists them.');
        const params = { id: Number(job) };
        const { undone } = await client.imports.undo({ params, body: { force } }).catch((error: unknown) => {
          if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
          throw wrongError(`There is no import ${job}.`, 'enfilade jobs lists them.');
        });
        process.stdout.write(`Taken back: ${undone}.\n`);
      }),
    );
};
