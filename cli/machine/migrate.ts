import { examples } from '../command.ts';
import { wrongError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

export const migrateDatabase = withPlace((program) =>
  program
    .command('migrate')
    .description('migrate the database to the current version; the server also does this at startup')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples('enfilade migrate', 'enfilade migrate --database postgres://localhost/rooms'))
    .action(async ({ json, ...place }: Place & { json?: boolean }) => {
      const { onMachine } = await import('./machine.ts');
      await onMachine(place, async ({ name, migrate }) => {
        const done = await migrate().catch((error: unknown) => {
          throw wrongError((error as Error).message, 'The failed step was rolled back.');
        });
        const text = done.length > 0 ? `${name}: ${done.join(', ')}\n` : `${name} is up to date.\n`;
        await writeOutput(undefined, json ? jsonText({ done }) : text);
      });
    }),
);
