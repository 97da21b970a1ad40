import { resolve } from 'node:path';
import { examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

interface Options extends Place {
  force?: boolean;
  json?: boolean;
}

export const restore = withPlace((program) =>
  program
    .command('restore')
    .description(
      'bring an installation back from a backup, checked whole before anything changes; stop the server first',
    )
    .argument('<place>', 'folder or file of the backup')
    .option('--force', 'replace all that is in a database in use')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',

      examples(
        'enfilade restore ../backups/monday',
        'enfilade restore ../backups/monday.enfilade-backup.zip --data ./again',
        'enfilade restore monday --data ./gallery --force',
      ),
    )
    .action(async (given: string, { force = false, json, ...place }: Options) => {
      const { restoreBackup } = await import('../../src/server/backup/restore-backup.ts');
      const { onMachine } = await import('./machine.ts');
      await onMachine(place, async ({ db, media, dataFolder, name }) => {
        const source = resolve(given);
        const { tables, files } = await restoreBackup({
          db,
          media,
          dataFolder: resolve(dataFolder),
          source,
          isForced: force,
        });
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        const text = `${name}: ${rows} rows of ${tables.length} tables, ${files.length} files, as they were.\n`;
        await writeOutput(undefined, json ? jsonText({ rows, files: files.length }) : text);
      });
    }),
);
