import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';

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
        const { undone } = await client.imports.undo({ params: { id: Number(job) }, body: { force } });
        process.stdout.write(`Taken back: ${undone}.\n`);
      }),
    );
};
