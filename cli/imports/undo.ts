import { type AddCommand, connected, examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

export const undo: AddCommand = (program) => {
  const command = program
    .command('undo')
    .description('undo an import or removal: delete what it added, and revert what it changed or removed')
    .argument('<job>', 'job number, printed by the import and listed by enfilade jobs')
    .option('--force', 'undo even if items have changed since; later changes are lost', false)
    .addHelpText('after', examples('enfilade undo 12', 'enfilade undo 12 --dry-run', 'enfilade undo 12 --force --yes'))
    .action(
      connected(async ({ client }, job: string, options: Safety & { force: boolean }) => {
        if (!/^\d{1,15}$/.test(job))
          throw usageError(`Invalid job number: "${job}".`, 'Run enfilade jobs to list jobs.');
        const { undoJob } = await import('./undo-job.ts');
        await withConsent(options, (isTried) => undoJob(client, Number(job), options.force, isTried));
      }),
    );
  askFirst(command);
};
