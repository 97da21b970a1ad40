import { resolve } from 'node:path';
import { examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { version } from '../version.ts';
import { type Place, withPlace } from './place.ts';

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
    .action(async (name: string, { json, ...place }: Place & { json?: boolean }) => {
      const { isArchive } = await import('../../src/server/app/backup/begin-backup.ts');
      const { writeBackup } = await import('../../src/server/app/backup/write-backup.ts');
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { onMachine } = await import('./machine.ts');
      await onMachine(
        place,
        async ({ db, media, dataFolder }) => {
          const target = resolve(name);
          const { tables, files } = await writeBackup({
            db,
            clock: systemClock,
            media,
            dataFolder: resolve(dataFolder),
            target,
            program: version,
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
      );
    }),
);
