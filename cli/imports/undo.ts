import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

export const undo: AddCommand = (program) => {
  const command = program
    .command('undo')
    .description('undo one import or removal: what it added goes, what it changed or removed is as before')
    .argument('<job>', 'number that it printed; enfilade jobs lists them')
    .option('--force', 'also where something was changed since; those changes are lost', false)
    .addHelpText('after', examples('enfilade undo 12', 'enfilade undo 12 --dry-run', 'enfilade undo 12 --force --yes'))
    .action(
      connected(async ({ client }, job: string, options: Safety & { force: boolean }) => {
        if (!/^\d{1,15}$/.test(job)) throw usageError(`"${job}" is no job.`, 'enfilade jobs lists them.');
        const { undoJob } = await import('./undo-job.ts');
        await withConsent(options, (isTried) => undoJob(client, Number(job), options.force, isTried));
      }),
    );
  askFirst(command);
};
