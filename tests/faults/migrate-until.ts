import type { KyselyPlugin } from 'kysely';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';

/**
 * Brings a database up to date, and kills itself before one of the statements; 0 lets it come to its end.
 * Usage: `node migrate-until.ts <folder> <address of PostgreSQL, or nothing> <statement>`
 */
const [folder = '', url = '', statement = ''] = process.argv.slice(2);
let left = Number(statement);

const killer: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
    return node;
  },
  transformResult: async ({ result }) => result,
};

const db = openDatabase({ folder, ...(url && { url }) });
await migrate(db.withPlugin(killer));
await db.destroy();
