import { examples } from '../command.ts';
import { usageError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { type Place, withPlace } from './place.ts';

interface Options extends Place {
  to: string;
  json?: boolean;
}

export const move = withPlace((program) =>
  program
    .command('move')
    .description(
      "copy the database to PostgreSQL and compare it row by row; stop the server first. Media files aren't moved",
    )
    .requiredOption('--to <address>', 'URL of an empty database, such as postgres://user:password@host/name')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples('enfilade move --to postgres://enfilade@db.example.com/rooms'))
    .action(async ({ to, json, ...place }: Options) => {
      if (!/^postgres(?:ql)?:\/\//.test(to) || !URL.canParse(to))
        throw usageError('--to must start with postgres://.', 'Specify an empty PostgreSQL database.');
      const { moveDatabase } = await import('../../src/server/app/backup/move-database.ts');
      const { onMachine, openMachine } = await import('./machine.ts');
      await onMachine(
        place,
        async ({ db, dataFolder }) => {
          const target = await openMachine({ ...place, database: to });
          try {
            const tables = await moveDatabase(db, target.db);
            const rows = tables.reduce((sum, table) => sum + table.rows, 0);
            const width = Math.max(...tables.map(({ name }) => name.length));
            const lines = tables.map((table) => `${table.name.padEnd(width)}  ${String(table.rows).padStart(9)}`);
            const last = `${rows} rows copied and verified. Start the server with DATABASE_URL set and the same DATA_DIR=${dataFolder}.`;
            await writeOutput(undefined, json ? jsonText({ tables, rows }) : `${[...lines, last].join('\n')}\n`);
          } finally {
            await target.db.destroy();
          }
        },
        { isThere: true },
      );
    }),
);
