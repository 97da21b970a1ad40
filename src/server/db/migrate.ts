import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { firstRooms } from './migrations/0001-first-rooms.ts';

/** Every migration, in order, for both databases. */
export const migrations = { '0001-first-rooms': firstRooms };

/**
 * Brings the database up to date.
 * @throws Error with a sentence when a step fails, or when the database is newer than this program
 */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const known = new Set(Object.keys(migrations));
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  if (failed && known.has(failed)) throw new Error(`The database could not be updated (${failed}): ${reason}`);
  throw new Error(`The database belongs to a newer version of the program, or is damaged: ${reason}`);
}
