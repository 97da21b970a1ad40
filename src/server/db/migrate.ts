import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { firstRooms } from './migrations/0001-first-rooms.ts';
import { accessTokens } from './migrations/0002-access-tokens.ts';
import { services } from './migrations/0003-services.ts';

/** Every migration, in order, for both databases. */
export const migrations = {
  '0001-first-rooms': firstRooms,
  '0002-access-tokens': accessTokens,
  '0003-services': services,
};

const createMigrator = (db: Database) => new Migrator({ db, provider: { getMigrations: async () => migrations } });

/** Whether every migration of this program has been done. */
export async function isMigrated(db: Database): Promise<boolean> {
  const list = await createMigrator(db).getMigrations();
  return list.every(({ executedAt }) => executedAt !== undefined);
}

/**
 * Brings the database up to date.
 * @throws Error with a sentence when a step fails, or when the database is newer than this program
 */
export async function migrate(db: Database): Promise<void> {
  const migrator = createMigrator(db);
  const known = new Set(Object.keys(migrations));
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  if (failed && known.has(failed)) throw new Error(`The database could not be updated (${failed}): ${reason}`);
  throw new Error(`The database belongs to a newer version of the program, or is damaged: ${reason}`);
}
