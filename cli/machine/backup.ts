import { resolve } from 'node:path';
import { writeBackup } from '../../src/server/backup/write-backup.ts';
import { systemClock } from '../../src/server/clock.ts';
import { examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { onMachine, type Place, programVersion, withPlace } from './machine.ts';

export const backup = withPlace((program) =>
  program
    .command('backup')
    .description('write everything of an installation into a new folder, while it runs')
    .argument('<folder>', 'folder to make')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples('enfilade backup ../backups/monday', 'enfilade backup monday --data ./gallery'))
    .action((folder: string, { json, ...place }: Place & { json?: boolean }) =>
      onMachine(place, async ({ db, dataFolder }) => {
        const target = resolve(folder);
        const { tables, files } = await writeBackup({
          db,
          clock: systemClock,
          dataFolder: resolve(dataFolder),
          target,
          program: programVersion(),
        });
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        const text = `${folder}: ${rows} rows of ${tables.length} tables, ${files.length} files (${bytes} bytes).\n`;
        await writeOutput(undefined, json ? jsonText({ folder, rows, files: files.length, bytes }) : text);
      }),
    ),
);
