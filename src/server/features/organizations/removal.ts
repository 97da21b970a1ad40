import { type RawBuilder, sql } from 'kysely';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import type { Tables } from '../../core/db/tables.ts';
import { forgetMails } from '../../core/limits/quotas.ts';
import type { Services } from '../../core/services.ts';
import { neededOf } from '../media/queries.ts';

/** Rows per transaction, so that other organizations don't wait. */
const BATCH = 500;

type Shared = Pick<Services, 'db' | 'clock' | 'media'>;

/** How rows of a table belong to an organization: by a column of their own, or through a row that they refer to. */
type Belonging = 'own' | { column: string; of: keyof Tables };

const ofUser: Belonging = { column: 'user_id', of: 'users' };
const ofEndpoint: Belonging = { column: 'endpoint_id', of: 'endpoints' };

/**
 * Tables whose rows other rows refer to, or that have no column of the organization, in the order of deletion. Other
 * tables with such a column come first.
 */
const ORDERED: readonly (readonly [keyof Tables, Belonging])[] = [
  ['visitor_sessions', ofEndpoint],
  ['export_tickets', ofEndpoint],
  ['change_rows', 'own'],
  ['changes', 'own'],
  ['imports', 'own'],
  ['posters', 'own'],
  ['poster_files', 'own'],
  ['image_sheet_files', { column: 'sheet_id', of: 'image_sheets' }],
  ['image_sheets', 'own'],
  ['publications', 'own'],
  ['revisions', 'own'],
  ['elements', 'own'],
  ['block_versions', 'own'],
  ['blocks', 'own'],
  ['access_tokens', 'own'],
  ['endpoints', 'own'],
  ['feed_items', { column: 'feed_id', of: 'feeds' }],
  ['feeds', 'own'],
  ['webhooks', 'own'],
  ['rooms', 'own'],
  ['templates', 'own'],
  ['folders', 'own'],
  ['media_versions', 'own'],
  ['media', 'own'],
  ['media_folders', 'own'],
  ['sign_in_steps', ofUser],
  ['second_factors', ofUser],
  ['recovery_codes', ofUser],
  ['passkeys', ofUser],
  ['password_resets', ofUser],
  ['sessions', ofUser],
  ['users', 'own'],
  // Until the end, so that no other organization answers on them.
  ['organization_hosts', 'own'],
];

/** Figures for billing stay; they have no personal data. */
const KEPT: ReadonlySet<string> = new Set<keyof Tables>(['organization_months']);
/** Partitions, whose rows belong to another table, and tables that the database fills itself. */
const DERIVED = /_\d{4}_?\d{2}$|_default$|^access_token_search/;

/** Every table with rows of organizations, in the order of deletion. */
async function tablesOf(db: Database): Promise<(readonly [string, Belonging])[]> {
  const ordered = new Set<string>(ORDERED.map(([table]) => table));
  const all = await db.introspection.getTables();
  const others = all.filter(
    ({ name, isView, columns }) =>
      !isView &&
      !ordered.has(name) &&
      !KEPT.has(name) &&
      !DERIVED.test(name) &&
      columns.some((column) => column.name === 'organization_id'),
  );
  return [...others.map(({ name }) => [name, 'own'] as const), ...ORDERED];
}

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
 * Deletes all rows and files of an organization whose period has ended, in pieces. After a crash, the next run
 * deletes the rest. Files that other organizations have stay.
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
  for (const table of await tablesOf(db)) {
    while (!isStopping() && (await removeBatch(services, id, table)) > 0);
    if (isStopping()) return false;
  }
  await forgetMails(db, id);
  await db.transaction().execute(async (transaction) => {
    if (await lockDue({ ...services, db: transaction }, id))
      await transaction.deleteFrom('organizations').where('id', '=', id).execute();
  });
  return true;
}
