import { type RawBuilder, sql } from 'kysely';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import type { Tables } from '../../core/db/tables.ts';
import { forgetMails } from '../../core/limits/quotas.ts';
import type { Services } from '../../core/services.ts';
import { neededOf } from '../../features/media/queries.ts';

/** Rows per transaction, so that other organizations don't wait. */
const BATCH = 500;

type Shared = Pick<Services, 'db' | 'clock' | 'media'>;

/** How rows of a table belong to an organization: by a column of their own, or through a row that they refer to. */
type Belonging = 'own' | { column: string; of: keyof Tables };

const ofUser: Belonging = { column: 'user_id', of: 'users' };
const ofEndpoint: Belonging = { column: 'endpoint_id', of: 'endpoints' };

/**
 * Every table in the order of deletion: rows that refer to others come first. Null for tables of the installation. A
 * table without an entry doesn't compile.
 */
const TABLES: Record<keyof Tables, Belonging | null> = {
  statistics_events: 'own',
  statistics_hours: 'own',
  statistics_poses: 'own',
  structure_visits: 'own',
  webhook_deliveries: 'own',
  webhooks: 'own',
  translation_webhooks: 'own',
  mailing_emails: 'own',
  mailings: 'own',
  mailboxes: 'own',
  mail_settings: 'own',
  visitor_sessions: ofEndpoint,
  export_tickets: ofEndpoint,
  check_in_links: 'own',
  change_rows: 'own',
  changes: 'own',
  imports: 'own',
  bulk_jobs: 'own',
  poster_drawings: 'own',
  posters: 'own',
  poster_files: 'own',
  image_sheet_files: { column: 'sheet_id', of: 'image_sheets' },
  image_sheets: 'own',
  publications: 'own',
  proposals: 'own',
  revisions: 'own',
  element_leases: 'own',
  editor_clients: 'own',
  room_commands: 'own',
  room_bases: 'own',
  elements: 'own',
  block_versions: 'own',
  blocks: 'own',
  access_tokens: 'own',
  endpoint_addresses: 'own',
  endpoints: 'own',
  feed_items: { column: 'feed_id', of: 'feeds' },
  feeds: 'own',
  live_streams: 'own',
  platform_credentials: 'own',
  rooms: 'own',
  templates: 'own',
  folders: 'own',
  media_optimizations: 'own',
  media_versions: 'own',
  media: 'own',
  media_folders: 'own',
  sign_in_steps: ofUser,
  second_factors: ofUser,
  recovery_codes: ofUser,
  passkeys: ofUser,
  identities: 'own',
  identity_providers: 'own',
  password_resets: ofUser,
  sessions: ofUser,
  api_keys: 'own',
  users: 'own',
  audit_events: 'own',
  organization_hosts: 'own',
  // Deleted last, by itself.
  organizations: null,
  // Figures for billing stay; they have no personal data.
  organization_months: null,
  attempts: null,
  statistics_salts: null,
  installation_notes: null,
};

/** Tables whose rows keep stored files. */
const WITH_FILES: ReadonlySet<string> = new Set<keyof Tables>([
  'media',
  'media_versions',
  'poster_files',
  'image_sheets',
]);

/** Tables whose rows must be deleted before the row that contains them. */
const NESTED: ReadonlySet<string> = new Set<keyof Tables>(['folders', 'media_folders']);

/** Condition for rows of an organization. */
function belongsTo(belonging: Belonging, id: number): RawBuilder<boolean> {
  if (belonging === 'own') return sql`organization_id = ${id}`;
  const { column, of } = belonging;
  return sql`${sql.ref(column)} in (select id from ${sql.table(of)} where organization_id = ${id})`;
}

/** Locks an organization whose period has ended, so that servers take turns. @returns false if it is gone */
async function lockDue({ db, clock }: { db: Database; clock: Shared['clock'] }, id: number): Promise<boolean> {
  const now = timestampOf(clock.now());
  const query = db.selectFrom('organizations').select('id').where('id', '=', id).where('delete_after', '<=', now);
  return (await forUpdate(db, query).executeTakeFirst()) !== undefined;
}

/** Deletes some rows of a table. @returns how many */
async function removeBatch(
  { db: database, clock, media }: Shared,
  id: number,
  [table, belonging]: readonly [string, Belonging],
): Promise<number> {
  const isLeaf = NESTED.has(table)
    ? sql`and not exists (select 1 from ${sql.table(table)} as below where below.parent_id = ${sql.table(table)}.id)`
    : sql``;
  const hash = WITH_FILES.has(table) ? sql`, hash` : sql``;
  const { rows } = await sql<{ id: number; hash?: string }>`
    select id${hash} from ${sql.table(table)} where ${belongsTo(belonging, id)} ${isLeaf} order by id limit ${BATCH}
  `.execute(database);
  if (rows.length === 0) return 0;
  let isDue = false;
  const forget = () =>
    database.transaction().execute(async (db) => {
      isDue = await lockDue({ db, clock }, id);
      if (!isDue) return;
      await db
        .deleteFrom(table as 'media')
        .where(
          'id',
          'in',
          rows.map((row) => row.id),
        )
        .execute();
    });
  const hashes = new Set(rows.flatMap((row) => row.hash ?? []));
  await media.removeAfter([...hashes], forget, (content) => neededOf(database, content));
  return isDue ? rows.length : 0;
}

/**
 * Deletes all rows and files of an organization whose period has ended, in pieces. What is left after a crash is deleted
 * the next time. Files that other organizations have stay.
 * @param isStopping whether to stop between two pieces
 * @returns whether it is gone
 */
export async function removeOrganization(services: Shared, id: number, isStopping: () => boolean): Promise<boolean> {
  const { db } = services;
  if (!(await lockDue(services, id))) return false;
  await db
    .updateTable('organizations')
    .set({ template_id: null, font_file_id: null, logo_file_id: null })
    .where('id', '=', id)
    .execute();
  for (const [table, belonging] of Object.entries(TABLES)) {
    if (belonging === null) continue;
    while (!isStopping() && (await removeBatch(services, id, [table, belonging])) > 0);
    if (isStopping()) return false;
  }
  await forgetMails(db, id);
  await db.transaction().execute(async (transaction) => {
    if (await lockDue({ ...services, db: transaction }, id))
      await transaction.deleteFrom('organizations').where('id', '=', id).execute();
  });
  return true;
}
