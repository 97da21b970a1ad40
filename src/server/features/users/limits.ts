import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type MemberLimits, memberLimitsSchema, type Policies } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Database, isPostgres } from '../../core/db/database.ts';
import { type Limits, limitedDatabase, limitsOf, type RowCondition } from '../../core/db/limited.ts';
import type { Tables } from '../../core/db/tables.ts';
import type { SignedIn } from '../../core/http/call-context.ts';

type Condition = RawBuilder<SqlBool>;
type Ids = RawBuilder<unknown>;

/** Ids of the rows that a limited user may see, as subqueries. */
interface Seen {
  folders: Ids;
  rooms: Ids;
  endpoints: Ids;
  mailings: Ids;
  userId: number;
  /** JSON field of a column as a number. */
  numberIn(column: Ids, field: string): Ids;
}

/** Ids of rows with everything below them. */
const branches = (table: 'folders' | 'endpoints', parent: string, ids: readonly number[]): Ids =>
  ids.length === 0
    ? sql`(select id from ${sql.table(table)} where 1 = 0)`
    : sql`(
      with recursive seen(id) as (
        select id from ${sql.table(table)} where id in (${sql.join(ids)})
        union select below.id from ${sql.table(table)} as below join seen on below.${sql.ref(parent)} = seen.id
      ) select id from seen
    )`;

function seenBy({ folder_ids, endpoint_ids, userId }: Limits, numberIn: Seen['numberIn']): Seen {
  const folders = branches('folders', 'parent_id', folder_ids);
  const endpoints = branches('endpoints', 'parent_endpoint_id', endpoint_ids);
  return {
    folders,
    endpoints,
    rooms: sql`(select id from rooms where folder_id in ${folders})`,
    mailings: sql`(select id from mailings where endpoint_id in ${endpoints})`,
    userId,
    numberIn,
  };
}

type Rule = (column: (name: string) => Ids, seen: Seen) => Condition;

const ofRoom: Rule = (column, { rooms }) => sql`(${column('room_id')} in ${rooms})`;
const ofEndpoint: Rule = (column, { endpoints }) => sql`(${column('endpoint_id')} in ${endpoints})`;
/** Rows that limited users never see: the settings are closed to them. */
const closed: Rule = () => sql`(1 = 0)`;

/** Entries about visible rows, and about rows removed from a visible place. Entries about shared resources are visible to all. */
const ofChanges: Rule = (column, { folders, rooms, endpoints, mailings, numberIn }) => {
  const [entity, id, before] = [column('entity'), column('entity_id'), column('before')];
  const isGone = sql`${column('action')} = 'delete'`;
  const removedFrom = (field: string, ids: Ids) => sql`(${isGone} and ${numberIn(before, field)} in ${ids})`;
  return sql`(case ${entity}
    when 'room' then ${id} in ${rooms} or ${removedFrom('folder_id', folders)}
    when 'element' then ${column('room_id')} in ${rooms}
    when 'folder' then ${id} in ${folders} or ${removedFrom('parent_id', folders)}
    when 'endpoint' then (${id} in ${endpoints} and ${column('name')} <> 'Order of structures')
      or ${removedFrom('parent_endpoint_id', endpoints)}
    when 'access_token' then ${id} in (select id from access_tokens where endpoint_id in ${endpoints})
      or ${removedFrom('endpoint_id', endpoints)}
    when 'mailing' then ${id} in ${mailings} or ${removedFrom('endpoint_id', endpoints)}
    else ${entity} in ('template', 'live_stream', 'block', 'media', 'media_folder') end)`;
};

/**
 * Which rows of each table a limited user may see: null for all, because the organization shares them, or because they
 * belong to a user or to the server. A table without an entry doesn't compile.
 */
const RULES: Record<keyof Tables, Rule | null> = {
  rooms: (column, { folders }) => sql`(${column('folder_id')} in ${folders})`,
  folders: (column, { folders }) => sql`(${column('id')} in ${folders})`,
  elements: ofRoom,
  room_bases: ofRoom,
  room_commands: ofRoom,
  element_leases: ofRoom,
  editor_clients: ofRoom,
  revisions: ofRoom,
  publications: ofRoom,
  proposals: ofRoom,
  endpoints: (column, { endpoints }) => sql`(${column('id')} in ${endpoints})`,
  endpoint_addresses: ofEndpoint,
  access_tokens: ofEndpoint,
  check_in_links: ofEndpoint,
  visitor_sessions: ofEndpoint,
  export_tickets: ofEndpoint,
  mailings: ofEndpoint,
  mailing_emails: (column, { mailings }) => sql`(${column('mailing_id')} in ${mailings})`,
  statistics_events: ofEndpoint,
  statistics_hours: ofEndpoint,
  statistics_poses: ofEndpoint,
  structure_visits: ofEndpoint,
  posters: (column, { rooms, endpoints }) =>
    sql`(${column('template_id')} is not null or ${column('media_id')} is not null
      or ${column('room_id')} in ${rooms} or ${column('endpoint_id')} in ${endpoints})`,
  poster_drawings: (column, { rooms }) =>
    sql`(${column('template_id')} is not null or ${column('room_id')} in ${rooms})`,
  changes: ofChanges,
  audit_events: closed,
  webhooks: closed,
  webhook_deliveries: closed,
  translation_webhooks: closed,
  mail_settings: closed,
  mailboxes: closed,
  identity_providers: closed,
  imports: (column, { userId }) => sql`(${column('user_id')} = ${userId})`,
  bulk_jobs: null,
  change_rows: null,
  organizations: null,
  organization_hosts: null,
  organization_months: null,
  users: null,
  sessions: null,
  api_keys: null,
  password_resets: null,
  sign_in_steps: null,
  second_factors: null,
  recovery_codes: null,
  passkeys: null,
  identities: null,
  attempts: null,
  media: null,
  media_optimizations: null,
  image_sheets: null,
  image_sheet_files: null,
  media_folders: null,
  media_versions: null,
  templates: null,
  blocks: null,
  block_versions: null,
  live_streams: null,
  feeds: null,
  feed_items: null,
  platform_credentials: null,
  poster_files: null,
  statistics_salts: null,
  installation_notes: null,
};

const conditionsOn =
  (numberIn: Seen['numberIn']): RowCondition =>
  (limits, table, alias) =>
    RULES[table]?.((name) => sql.ref(`${alias}.${name}`), seenBy(limits, numberIn)) ?? null;

const onSqlite = conditionsOn((column, field) => sql`json_extract(${column}, ${sql.lit(`$.${field}`)})`);
const onPostgres = conditionsOn((column, field) => sql`cast(cast(${column} as json) ->> ${sql.lit(field)} as bigint)`);

/** SQL condition for rows of a table in a statement in plain SQL, which isn't limited by itself. */
export const plainCondition = (db: Database, table: keyof Tables): Condition => {
  const limits = limitsOf(db);
  const conditionOf = isPostgres(db) ? onPostgres : onSqlite;
  return (limits && conditionOf(limits, table, table)) ?? sql`(1 = 1)`;
};

/** The stored limits of a user; null for the whole organization. */
export const limitsFrom = (stored: string | null): MemberLimits =>
  stored === null ? null : memberLimitsSchema.parse(JSON.parse(stored));

/** The database as a user may see it. */
export const databaseFor = (db: Database, { limits, userId }: Pick<SignedIn, 'limits' | 'userId'>): Database =>
  limits === null ? db : limitedDatabase(db, { ...limits, userId }, isPostgres(db) ? onPostgres : onSqlite);

/** @throws ApiError invalid for rights that concern the whole organization */
export function refuseSettings(policies: Policies, limits: MemberLimits): void {
  if (limits !== null && Object.values(policies.settings).some(Boolean))
    throw new ApiError('invalid', {
      limits: ["Users with rights in the settings can't be limited. Remove these rights first."],
    });
}

/** Checks that the folders and structures of new limits exist. @throws ApiError invalid */
export async function checkLimits(db: Database, organizationId: number, limits: MemberLimits): Promise<void> {
  if (limits === null) return;
  const count = async (table: 'folders' | 'endpoints', ids: readonly number[]) =>
    ids.length === 0
      ? 0
      : (
          await db
            .selectFrom(table)
            .select('id')
            .where('organization_id', '=', organizationId)
            .where('id', 'in', ids)
            .execute()
        ).length;
  const { folder_ids, endpoint_ids } = limits;
  if ((await count('folders', folder_ids)) !== new Set(folder_ids).size)
    throw new ApiError('invalid', { limits: ['A folder was not found; it may have been deleted. Choose again.'] });
  if ((await count('endpoints', endpoint_ids)) !== new Set(endpoint_ids).size)
    throw new ApiError('invalid', { limits: ['A structure was not found; it may have been deleted. Choose again.'] });
}
