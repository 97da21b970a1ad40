import { resolve } from 'node:path';
import { isArchive } from '../../src/server/backup/begin-backup.ts';
import { writeBackup } from '../../src/server/backup/write-backup.ts';
import { systemClock } from '../../src/server/clock.ts';
import { examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { onMachine, type Place, programVersion, withPlace } from './machine.ts';

export const backup = withPlace((program) =>
  program
    .command('backup')
    .description('write everything of an installation into a new folder or one file, while it runs')
    .argument('<place>', 'folder to make, or a file when its name ends with .zip')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade backup ../backups/monday',
        'enfilade backup ../backups/monday.enfilade-backup.zip',
        'enfilade backup monday --data ./gallery',
      ),
    )
    .action((name: string, { json, ...place }: Place & { json?: boolean }) =>
      onMachine(
        place,
        async ({ db, media, dataFolder }) => {
          const target = resolve(name);
          const { tables, files } = await writeBackup({
            db,
            clock: systemClock,
            media,
            dataFolder: resolve(dataFolder),
            target,
            program: programVersion(),
          });
          const rows = tables.reduce((sum, table) => sum + table.rows, 0);
          const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
          const text = `${name}: ${rows} rows of ${tables.length} tables, ${files.length} files (${bytes} bytes).\n`;
          await writeOutput(
            undefined,
            json ? jsonText({ [isArchive(name) ? 'file' : 'folder']: name, rows, files: files.length, bytes }) : text,
          );
        },
        { isThere: true },
      ),
    ),
);
