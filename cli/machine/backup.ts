import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { STANDARD_INPUT as STANDARD_OUTPUT } from '../io/read-file.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { version } from '../version.ts';
import { type Place, withPlace } from './place.ts';

/** Standard output, which stays open when the backup ends. If its reader quits, the backup fails. */
function standardOutput(): Writable {
  process.stdout.removeAllListeners('error').on('error', () => {});
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void process.stdout.write(chunk, done) });
}

interface Options extends Place {
  json?: boolean;
}

export const backup = withPlace((program) => {
  const command = program
    .command('backup')
    .description('write everything of an installation into a new folder or one file, while it runs')
    .argument(
      '<place>',
      'folder to make, a file when its name ends with .zip, or - to write that file to standard output',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade backup ../backups/monday',
        'enfilade backup ../backups/monday.enfilade-backup.zip',
        'enfilade backup - | ssh store.example.com "cat > monday.enfilade-backup.zip"',
        'enfilade backup verify ../backups/monday.enfilade-backup.zip',
        'enfilade backup monday --data ./gallery',
      ),
    )
    .action(async (name: string, { json, ...place }: Options) => {
      const isStreamed = name === STANDARD_OUTPUT;
      if (isStreamed && process.stdout.isTTY)
        throw usageError('A backup is no text for a terminal.', 'Redirect it, such as enfilade backup - > monday.zip.');
      const { isArchive } = await import('../../src/server/app/backup/begin-backup.ts');
      const { writeBackup } = await import('../../src/server/app/backup/write-backup.ts');
      const { systemClock } = await import('../../src/server/core/clock.ts');
      const { onMachine } = await import('./machine.ts');
      await onMachine(
        place,
        async ({ db, media, dataFolder }) => {
          const { tables, files } = await writeBackup({
            db,
            clock: systemClock,
            media,
            dataFolder: resolve(dataFolder),
            target: isStreamed ? standardOutput() : resolve(name),
            program: version,
          });
          const rows = tables.reduce((sum, table) => sum + table.rows, 0);
          const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
          const shown = isStreamed ? 'standard output' : name;
          const text = `${shown}: ${rows} rows of ${tables.length} tables, ${files.length} files (${bytes} bytes).\n`;
          const kind = isStreamed || isArchive(name) ? 'file' : 'folder';
          const result = json ? jsonText({ [kind]: name, rows, files: files.length, bytes }) : text;
          if (isStreamed) process.stderr.write(result);
          else await writeOutput(undefined, result);
        },
        { isThere: true },
      );
    });
  command
    .command('verify')
    .description('read a backup completely and compare it with its hashes; changes nothing')
    .argument('<place>', 'folder or file of the backup')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples('enfilade backup verify ../backups/monday.enfilade-backup.zip'))
    .action(async (name: string, _options: object, verify: Command) => {
      const { withBackup } = await import('../../src/server/app/backup/restore-backup.ts');
      const { reportingBackup } = await import('./machine.ts');
      const manifest = await reportingBackup(() => withBackup(resolve(name), async (found) => found.manifest));
      const { program, at, tables, files } = manifest;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const text = `${name} is complete: ${rows} rows of ${tables.length} tables, ${files.length} files, written by ${program} at ${at}.\n`;
      const { json: isJson } = verify.optsWithGlobals<Options>();
      await writeOutput(undefined, isJson ? jsonText({ rows, files: files.length, program, at }) : text);
    });
  return command;
});
