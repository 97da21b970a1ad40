import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../src/server/core/db/database.ts';
import type { Tables } from '../../src/server/core/db/tables.ts';
import { textOfRows } from './test-database.ts';

/** Relation of a table's rows to an organization: a column of their own, or a reference. */
type Belonging = 'own' | 'self' | { column: string; of: 'users' | 'endpoints' | 'feeds' | 'image_sheets' } | null;

/** Every table: a missing one does not compile. Attempts refer to addresses and accounts. */
const BELONGING: Record<keyof Tables, Belonging> = {
  organizations: 'self',
  organization_hosts: 'own',
  organization_months: 'own',
  users: 'own',
  sessions: { column: 'user_id', of: 'users' },
  attempts: null,
  audit_events: 'own',
  media: 'own',
  media_optimizations: 'own',
  image_sheets: 'own',
  image_sheet_files: { column: 'sheet_id', of: 'image_sheets' },
  templates: 'own',
  blocks: 'own',
  block_versions: 'own',
  rooms: 'own',
  proposals: 'own',
  folders: 'own',
  media_folders: 'own',
  media_versions: 'own',
  room_bases: 'own',
  room_commands: 'own',
  element_leases: 'own',
  editor_clients: 'own',
  bulk_jobs: 'own',
  elements: 'own',
  endpoints: 'own',
  endpoint_addresses: 'own',
  access_tokens: 'own',
  check_in_links: 'own',
  visitor_sessions: { column: 'endpoint_id', of: 'endpoints' },
  export_tickets: { column: 'endpoint_id', of: 'endpoints' },
  second_factors: { column: 'user_id', of: 'users' },
  recovery_codes: { column: 'user_id', of: 'users' },
  passkeys: { column: 'user_id', of: 'users' },
  sign_in_steps: { column: 'user_id', of: 'users' },
  identity_providers: 'own',
  identities: 'own',
  password_resets: { column: 'user_id', of: 'users' },
  api_keys: 'own',
  changes: 'own',
  imports: 'own',
  change_rows: 'own',
  live_streams: 'own',
  platform_credentials: 'own',
  feeds: 'own',
  feed_items: { column: 'feed_id', of: 'feeds' },
  revisions: 'own',
  publications: 'own',
  posters: 'own',
  poster_files: 'own',
  poster_drawings: 'own',
  statistics_events: 'own',
  statistics_hours: 'own',
  statistics_poses: 'own',
  statistics_salts: null,
  webhooks: 'own',
  webhook_deliveries: 'own',
  translation_webhooks: 'own',
  mail_settings: 'own',
  mailings: 'own',
  mailing_emails: 'own',
  mailboxes: 'own',
  structure_visits: 'own',
  installation_notes: null,
};

/** SQL condition for rows of an organization. */
function belongsTo(belonging: NonNullable<Belonging>, id: number): RawBuilder<boolean> {
  if (belonging === 'self') return sql`id = ${id}`;
  if (belonging === 'own') return sql`organization_id = ${id}`;
  const { column, of } = belonging;
  return sql`${sql.ref(column)} in (select id from ${sql.table(of)} where organization_id = ${id})`;
}

/** Every row of an organization as text, for detecting changes. */
export function rowsOfOrganization(db: Database, id: number): Promise<string> {
  const tables = Object.entries(BELONGING) as [keyof Tables, Belonging][];
  return textOfRows(
    db,
    tables.flatMap(([table, belonging]) => (belonging === null ? [] : [[table, belongsTo(belonging, id)]])),
  );
}
