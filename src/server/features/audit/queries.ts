import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { AuditEvent, AuditEventName } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { containsWords } from '../../core/db/search.ts';
import type { AuditEventTable, Tables } from '../../core/db/tables.ts';

type EventRow = Selectable<AuditEventTable>;

/** Filters of the audit log. Moments are stamps. */
export interface AuditFilter {
  search?: string;
  event?: AuditEventName;
  user_id?: number;
  address?: string;
  from?: string;
  till?: string;
}

/** Entries per query. */
const AUDIT_BATCH = 500;

function matching(
  db: Database,
  organizationId: number,
  { search, event, user_id, address, from, till }: AuditFilter,
): SelectQueryBuilder<Tables, 'audit_events', object> {
  let found = db.selectFrom('audit_events').where('organization_id', '=', organizationId);
  if (event) found = found.where('event', '=', event);
  if (user_id !== undefined) found = found.where('user_id', '=', user_id);
  if (address !== undefined) found = found.where('address', '=', address);
  if (from !== undefined) found = found.where('at', '>=', from);
  if (till !== undefined) found = found.where('at', '<', till);
  if (search)
    found = found.where((where) =>
      where.or(['user_name', 'api_key', 'subject'].map((column) => containsWords(column, search))),
    );
  return found;
}

const asEvent = (row: EventRow): AuditEvent => ({
  id: row.id,
  at: row.at,
  event: row.event as AuditEventName,
  user: row.user_name === '' ? null : { id: row.user_id, name: row.user_name },
  api_key: row.api_key,
  address: row.address,
  device: row.device,
  subject: row.subject,
  details: JSON.parse(row.details),
});

/** Entries of an organization, newest first, and the total over all pages. */
export async function listEvents(
  db: Database,
  organizationId: number,
  query: Paging & AuditFilter,
): Promise<{ events: AuditEvent[]; total: number }> {
  const found = matching(db, organizationId, query);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found.selectAll().orderBy('id', 'desc').limit(query.per_page).offset(offsetOf(query)).execute();
  return { events: rows.map(asEvent), total: Number(total) };
}

/** All matching entries, newest first, in batches; entries added in the meantime are not included. */
export async function* eventsOf(
  db: Database,
  organizationId: number,
  filter: AuditFilter,
): AsyncGenerator<AuditEvent[]> {
  let last: number | null = null;
  for (;;) {
    let found = matching(db, organizationId, filter).selectAll().orderBy('id', 'desc').limit(AUDIT_BATCH);
    if (last !== null) found = found.where('id', '<', last);
    const rows: EventRow[] = await found.execute();
    if (rows.length === 0) return;
    yield rows.map(asEvent);
    last = rows.at(-1)!.id;
  }
}

/** Deletes an organization's entries that are older than a moment. @param before stamp */
export async function deleteEventsBefore(db: Database, organizationId: number, before: string): Promise<void> {
  await db.deleteFrom('audit_events').where('organization_id', '=', organizationId).where('at', '<', before).execute();
}
