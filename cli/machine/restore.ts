import { resolve } from 'node:path';
import type { CheckedBackup } from '../../src/server/app/backup/restore-backup.ts';
import { examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import type { Machine } from './machine.ts';
import { type Place, withPlace } from './place.ts';

interface Options extends Place, Safety {
  force?: boolean;
  json?: boolean;
}

export const restore = withPlace((program) => {
  const command = program
    .command('restore')
    .description('restore an installation from a backup, which is verified first; stop the server before')
    .argument('<place>', 'folder or file of the backup')
    .option('--force', 'replace all data of a database in use, after confirmation')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',

      examples(
        'enfilade restore ../backups/monday',
        'enfilade restore ../backups/monday.enfilade-backup.zip --data ./again',
        'enfilade restore monday --data ./gallery --force --dry-run',
      ),
    )
    .action(async (given: string, { force = false, json, dryRun, yes, ...place }: Options) => {
      const { restoreBackup, withBackup } = await import('../../src/server/app/backup/restore-backup.ts');
      const { onMachine, reportingBackup, withoutLeftovers } = await import('./machine.ts');
      // A damaged backup is refused before a database is created.
      const onChecked = (work: (backup: CheckedBackup) => Promise<void>) =>
        reportingBackup(() => withBackup(resolve(given), work));
      const onEmpty =
        (backup: CheckedBackup) =>
        async ({ db, media, dataFolder, name }: Machine) => {
          const plan = { db, media, dataFolder: resolve(dataFolder), backup, isForced: force };
          const work = async (isTried: boolean) => {
            const { tables, files } = await restoreBackup({ ...plan, isTried });
            const rows = tables.reduce((sum, table) => sum + table.rows, 0);
            const amount = `${rows} rows of ${tables.length} tables, ${files.length} files`;
            const text = isTried
              ? `Would replace all content of ${name} with ${amount}.\n`
              : `Restored ${amount} to ${name}.\n`;
            await writeOutput(undefined, json ? jsonText({ rows, files: files.length }) : text);
            return true;
          };
          // Restoring into an empty folder destroys nothing, so it needs no confirmation.
          await (force || dryRun ? withConsent({ dryRun, yes }, work) : work(false));
        };
      await onChecked((backup) => withoutLeftovers(place, () => onMachine(place, onEmpty(backup))));
    });
  askFirst(command);
  return command;
});
