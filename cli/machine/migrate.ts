import { examples } from '../command.ts';
import { wrongError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import type { Machine } from './machine.ts';
import { type Place, withPlace } from './place.ts';

export const migrateDatabase = withPlace((program) =>
  program
    .command('migrate')
    .description('migrate the database to the current version; the server also does this at startup')
    .option('--dry-run', 'list the migrations that would be applied, and change nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'enfilade migrate --dry-run',
        'enfilade migrate',
        'enfilade migrate --database postgres://localhost/rooms',
      ),
    )
    .action(async ({ json, dryRun, ...place }: Place & { json?: boolean; dryRun?: boolean }) => {
      const { onMachine } = await import('./machine.ts');
      if (dryRun) {
        const { pendingMigrations } = await import('../../src/server/core/db/migrate.ts');
        const work = async ({ db, name }: Machine) => {
          const pending = await pendingMigrations(db).catch((error: unknown) => {
            throw wrongError((error as Error).message, 'Nothing was changed.');
          });
          const list = pending.map((migration) => `  ${migration}\n`).join('');
          const text = list ? `${name} would be migrated:\n${list}` : `${name} is up to date.\n`;
          await writeOutput(undefined, json ? jsonText({ pending }) : text);
        };
        await onMachine(place, work, { isThere: true });
        return;
      }
      await onMachine(place, async ({ name, migrate }) => {
        const done = await migrate().catch((error: unknown) => {
          throw wrongError((error as Error).message, 'The failed step was rolled back.');
        });
        const list = done.map((step) => `  ${step.name} (${step.milliseconds} ms)\n`).join('');
        const text = list ? `${name} has been migrated:\n${list}` : `${name} is up to date.\n`;
        await writeOutput(undefined, json ? jsonText({ done: done.map((step) => step.name), steps: done }) : text);
      });
    }),
);
