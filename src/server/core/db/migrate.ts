import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { baseline } from './migrations/0031-baseline.ts';
import { originals } from './migrations/0032-originals.ts';
import { editorClients } from './migrations/0034-editor-clients.ts';
import { statisticsInSlices } from './migrations/0035-statistics-in-slices.ts';
import { timeZones } from './migrations/0036-time-zones.ts';
import { tokenForms } from './migrations/0037-token-forms.ts';
import { tokenSearch } from './migrations/0038-token-search.ts';
import { bulkJobs } from './migrations/0040-bulk-jobs.ts';
import { strippedMedia } from './migrations/0041-stripped-media.ts';
import { flatDocuments } from './migrations/0042-flat-documents.ts';
import { structureKeys } from './migrations/0043-structure-keys.ts';
import { changeRows } from './migrations/0044-change-rows.ts';
import { queues } from './migrations/0046-queues.ts';
import { organizationLook } from './migrations/0048-organization-look.ts';
import { photos } from './migrations/0049-photos.ts';
import { addressPlaces } from './migrations/0050-address-places.ts';
import { tokenNotes } from './migrations/0051-token-notes.ts';
import { checkIn } from './migrations/0052-check-in.ts';
import { mailings } from './migrations/0053-mailings.ts';
import { startDates } from './migrations/0054-start-dates.ts';
import { blocks } from './migrations/0055-blocks.ts';
import { folders } from './migrations/0056-folders.ts';
import { userLimits } from './migrations/0057-user-limits.ts';
import { ownAccents } from './migrations/0058-own-accents.ts';
import { mailboxes } from './migrations/0059-mailboxes.ts';
import { mediaTexts } from './migrations/0060-media-texts.ts';
import { mediaLibrary } from './migrations/0061-media-library.ts';
import { mediaOptimizations } from './migrations/0062-media-optimizations.ts';
import { imageSheets } from './migrations/0063-image-sheets.ts';
import { templateVideos } from './migrations/0064-template-videos.ts';
import { listedRooms } from './migrations/0065-listed-rooms.ts';
import { loudness } from './migrations/0066-loudness.ts';
import { modelLevels } from './migrations/0067-model-levels.ts';
import { thirdParties } from './migrations/0068-third-parties.ts';
import { longTexts } from './migrations/0069-long-texts.ts';
import { statements } from './migrations/0070-statements.ts';
import { translationWebhooks } from './migrations/0071-translation-webhooks.ts';
import { structureTranslations } from './migrations/0072-structure-translations.ts';
import { mediaTranslations } from './migrations/0073-media-translations.ts';
import { keyScopes } from './migrations/0075-key-scopes.ts';
import { proposals } from './migrations/0078-proposals.ts';
import { organizationLifeCycle } from './migrations/0079-organization-life-cycle.ts';
import { kiosks } from './migrations/0082-kiosks.ts';

/** Replaces the 31 migrations up to 0.14.7. */
const BASELINE = '0031-baseline';
/** Number and name of the last replaced migration. */
const REPLACED = { count: 31, last: '0031-changes-in-logs' };

/** All migrations in order, for both databases. */
export const migrations = {
  [BASELINE]: baseline,
  '0032-originals': originals,
  '0034-editor-clients': editorClients,
  '0035-statistics-in-slices': statisticsInSlices,
  '0036-time-zones': timeZones,
  '0037-token-forms': tokenForms,
  '0038-token-search': tokenSearch,
  '0040-bulk-jobs': bulkJobs,
  '0041-stripped-media': strippedMedia,
  '0042-flat-documents': flatDocuments,
  '0043-structure-keys': structureKeys,
  '0044-change-rows': changeRows,
  '0046-queues': queues,
  '0048-organization-look': organizationLook,
  '0049-photos': photos,
  '0050-address-places': addressPlaces,
  '0051-token-notes': tokenNotes,
  '0052-check-in': checkIn,
  '0053-mailings': mailings,
  '0054-start-dates': startDates,
  '0055-blocks': blocks,
  '0056-folders': folders,
  '0057-user-limits': userLimits,
  '0058-own-accents': ownAccents,
  '0059-mailboxes': mailboxes,
  '0060-media-texts': mediaTexts,
  '0061-media-library': mediaLibrary,
  '0062-media-optimizations': mediaOptimizations,
  '0063-image-sheets': imageSheets,
  '0064-template-videos': templateVideos,
  '0065-listed-rooms': listedRooms,
  '0066-loudness': loudness,
  '0067-model-levels': modelLevels,
  '0068-third-parties': thirdParties,
  '0069-long-texts': longTexts,
  '0070-statements': statements,
  '0071-translation-webhooks': translationWebhooks,
  '0072-structure-translations': structureTranslations,
  '0073-media-translations': mediaTranslations,
  '0075-key-scopes': keyScopes,
  '0078-proposals': proposals,
  '0079-organization-life-cycle': organizationLifeCycle,
  '0082-kiosks': kiosks,
};

/** An applied migration. */
export interface MigrationStep {
  name: string;
  milliseconds: number;
}

const createMigrator = (db: Database, onStep: (step: MigrationStep) => void) => {
  const timed = (name: string, migration: Migration): Migration => ({
    ...migration,
    up: async (transaction) => {
      const began = performance.now();
      await migration.up(transaction);
      onStep({ name, milliseconds: Math.round(performance.now() - began) });
    },
  });
  const list = Object.entries(migrations).map(([name, migration]) => [name, timed(name, migration)]);
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(list) } });
};

/** Names of applied migrations in order; empty for a new database. */
export async function migrationsOf(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Applied migrations under their names in this version.
 * @throws Error for a database older than 0.14.7
 */
export function knownMigrations(done: readonly string[]): string[] {
  const replaced = done.filter((name) => name < '0032' && name !== BASELINE);
  if (replaced.length === 0) return [...done];
  if (replaced.length === REPLACED.count && replaced.includes(REPLACED.last))
    return [BASELINE, ...done.slice(REPLACED.count)];
  throw new Error('This database is older than 0.14.7. Start 0.15.0 once, and then this version.');
}

const newerError = (reason: string) =>
  new Error(`The database was created by a newer version of Enfilade, or is damaged: ${reason}`);

/**
 * Migrations that `migrate` would apply, in order. Changes nothing.
 * @throws Error if the database is newer than this version or older than 0.14.7
 */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const done = new Set(knownMigrations(await migrationsOf(db)));
  const unknown = [...done].find((name) => !(name in migrations));
  if (unknown) throw newerError(`it has ${unknown}.`);
  return Object.keys(migrations).filter((name) => !done.has(name));
}

/** Marks a 0.14.7 database as being at the baseline; safe to run on several servers at once. */
async function adoptBaseline(db: Database): Promise<void> {
  const done = await migrationsOf(db);
  if (knownMigrations(done).length === done.length) return;
  await db.transaction().execute(async (transaction) => {
    const removed = await sql<{ name: string; timestamp: string }>`
      delete from kysely_migration where name < '0032' and name <> ${BASELINE} returning name, timestamp
    `.execute(transaction);
    const last = removed.rows.find(({ name }) => name === REPLACED.last);
    if (last)
      await sql`insert into kysely_migration (name, timestamp) values (${BASELINE}, ${last.timestamp})`.execute(
        transaction,
      );
  });
}

/**
 * Migrates the database.
 * @param last migration to stop at; defaults to the newest
 * @param onStep receives each applied migration; if a later one fails, all are rolled back
 * @returns names of the applied migrations
 * @throws Error if a step fails, or if the database is newer than this version or older than 0.14.7
 */
export async function migrate(
  db: Database,
  last?: string,
  onStep: (step: MigrationStep) => void = () => {},
): Promise<string[]> {
  await adoptBaseline(db);
  const migrator = createMigrator(db, onStep);
  const known = new Set(Object.keys(migrations));
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (!error) return results?.map(({ migrationName }) => migrationName) ?? [];
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  if (failed && known.has(failed)) throw new Error(`The database could not be updated (${failed}): ${reason}`);
  throw newerError(reason);
}
