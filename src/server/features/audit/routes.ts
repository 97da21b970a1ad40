import { Readable } from 'node:stream';
import { csvCell } from '../../../contract/csv-cell.ts';
import { AUDIT_EVENTS, type AuditEvent } from '../../../contract/entities.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import type { Database } from '../../core/db/database.ts';
import { pageMeta } from '../../core/db/paging.ts';
import { Download } from '../../core/http/download.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { type AuditFilter, eventsOf, listEvents } from './queries.ts';

const HEADING = ['at', 'event', 'what', 'user', 'api_key', 'address', 'device', 'subject', 'details'];

const lineOf = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

const cellsOf = ({ at, event, user, api_key, address, device, subject, details }: AuditEvent) => [
  ...[at, event, AUDIT_EVENTS[event], user?.name ?? '', api_key, address, device, subject],
  Object.keys(details).length > 0 ? JSON.stringify(details) : '',
];

async function* linesOf(db: Database, organizationId: number, filter: AuditFilter): AsyncGenerator<string> {
  yield lineOf(HEADING);
  for await (const events of eventsOf(db, organizationId, filter))
    yield events.map((event) => lineOf(cellsOf(event))).join('');
}

export const audit: Handlers<'audit'> = {
  list: async ({ db, organizationId }, { query }) => {
    const { events, total } = await listEvents(db, organizationId, query);
    return { data: events, meta: pageMeta(total, query) };
  },

  export: async (context, { query }) => {
    const { db, organizationId } = context;
    await recordEvent(db, context, { event: 'exported', subject: 'Audit log', details: query });
    return new Download('audit-log.csv', Readable.from(linesOf(db, organizationId, query)));
  },
};
