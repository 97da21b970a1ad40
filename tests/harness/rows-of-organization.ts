import type { Database } from '../../src/server/base/db/database.ts';
import type { Tables } from '../../src/server/base/db/tables.ts';

/** Which rows of a table belong to an organization: by a column of its own, or by what they refer to. */
type Belonging = 'own' | 'self' | { column: string; of: 'users' | 'endpoints' | 'feeds' | 'imports' } | null;

/** Every table, so that one that is missing here does not compile. Attempts are of addresses and accounts. */
const BELONGING: Record<keyof Tables, Belonging> = {
  organizations: 'self',
  users: 'own',
  sessions: { column: 'user_id', of: 'users' },
  attempts: null,
  audit_events: 'own',
  media: 'own',
  templates: 'own',
  rooms: 'own',
  room_bases: 'own',
  room_commands: 'own',
  element_leases: 'own',
  elements: 'own',
  endpoints: 'own',
  endpoint_addresses: 'own',
  access_tokens: 'own',
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
  import_steps: { column: 'import_id', of: 'imports' },
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
  structure_visits: 'own',
  installation_notes: null,
};

/** Every row that belongs to an organization, as text: the same as long as nothing of it is changed, added or removed. */
export async function rowsOfOrganization(db: Database, id: number): Promise<string> {
  const parts: string[] = [];
  for (const [table, belonging] of Object.entries(BELONGING) as [keyof Tables, Belonging][]) {
    if (belonging === null) continue;
    const all = db.selectFrom(table as 'rooms').selectAll();
    const found =
      belonging === 'self'
        ? all.where('id', '=', id)
        : belonging === 'own'
          ? all.where('organization_id', '=', id)
          : all.where(
              belonging.column as 'id',
              'in',
              db.selectFrom(belonging.of).select('id').where('organization_id', '=', id),
            );
    parts.push(`${table} ${JSON.stringify(await found.orderBy('id').execute())}`);
  }
  return parts.join('\n');
}
