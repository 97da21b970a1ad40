import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { firstRooms } from './migrations/0001-first-rooms.ts';
import { accessTokens } from './migrations/0002-access-tokens.ts';
import { services } from './migrations/0003-services.ts';
import { revisions } from './migrations/0004-revisions.ts';
import { imports } from './migrations/0005-imports.ts';
import { tokenReferences } from './migrations/0006-token-references.ts';
import { authorNames } from './migrations/0007-author-names.ts';
import { importSteps } from './migrations/0008-import-steps.ts';
import { ownTexts } from './migrations/0009-own-texts.ts';
import { tokenOrder } from './migrations/0010-token-order.ts';
import { mediaRights } from './migrations/0011-media-rights.ts';
import { ownSessions } from './migrations/0012-own-sessions.ts';
import { audit } from './migrations/0013-audit.ts';
import { organizationsApart } from './migrations/0014-organizations-apart.ts';
import { signIn } from './migrations/0015-sign-in.ts';
import { fontColors } from './migrations/0016-font-colors.ts';
import { installationNotes } from './migrations/0017-installation-notes.ts';
import { hotspots } from './migrations/0018-hotspots.ts';
import { roomCommands } from './migrations/0019-room-commands.ts';
import { publications } from './migrations/0020-publications.ts';
import { oldAddresses } from './migrations/0021-old-addresses.ts';
import { statistics } from './migrations/0022-statistics.ts';
import { webhooks } from './migrations/0023-webhooks.ts';
import { moderation } from './migrations/0024-moderation.ts';
import { posters } from './migrations/0025-posters.ts';
import { posterFiles } from './migrations/0026-poster-files.ts';
import { postersOfAll } from './migrations/0027-posters-of-all.ts';
import { turntables } from './migrations/0028-turntables.ts';
import { preferences } from './migrations/0029-preferences.ts';
import { tokenLists } from './migrations/0030-token-lists.ts';
import { changesInLogs } from './migrations/0031-changes-in-logs.ts';

/** Every migration, in order, for both databases. */
export const migrations = {
  '0001-first-rooms': firstRooms,
  '0002-access-tokens': accessTokens,
  '0003-services': services,
  '0004-revisions': revisions,
  '0005-imports': imports,
  '0006-token-references': tokenReferences,
  '0007-author-names': authorNames,
  '0008-import-steps': importSteps,
  '0009-own-texts': ownTexts,
  '0010-token-order': tokenOrder,
  '0011-media-rights': mediaRights,
  '0012-own-sessions': ownSessions,
  '0013-audit': audit,
  '0014-organizations-apart': organizationsApart,
  '0015-sign-in': signIn,
  '0016-font-colors': fontColors,
  '0017-installation-notes': installationNotes,
  '0018-hotspots': hotspots,
  '0019-room-commands': roomCommands,
  '0020-publications': publications,
  '0021-old-addresses': oldAddresses,
  '0022-statistics': statistics,
  '0023-webhooks': webhooks,
  '0024-moderation': moderation,
  '0025-posters': posters,
  '0026-poster-files': posterFiles,
  '0027-posters-of-all': postersOfAll,
  '0028-turntables': turntables,
  '0029-preferences': preferences,
  '0030-token-lists': tokenLists,
  '0031-changes-in-logs': changesInLogs,
};

const createMigrator = (db: Database) => new Migrator({ db, provider: { getMigrations: async () => migrations } });

/**
 * Brings the database up to date.
 * @param last migration to stop at; the newest when left out
 * @returns names of the migrations that were done
 * @throws Error with a sentence when a step fails, or when the database is newer than this program
 */
export async function migrate(db: Database, last?: string): Promise<string[]> {
  const migrator = createMigrator(db);
  const known = new Set(Object.keys(migrations));
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (!error) return results?.map(({ migrationName }) => migrationName) ?? [];
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  if (failed && known.has(failed)) throw new Error(`The database could not be updated (${failed}): ${reason}`);
  throw new Error(`The database belongs to a newer version of the program, or is damaged: ${reason}`);
}
