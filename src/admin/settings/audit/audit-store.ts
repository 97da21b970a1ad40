import type { Client } from '../../../contract/client.ts';
import { AUDIT_EVENT_NAMES, type AuditEvent } from '../../../contract/entities.ts';
import { ListStore } from '../../stores/list-store.ts';

/** Log filters, as in the URL. */
export interface AuditFilters {
  search?: string;
  event?: string;
  /** Days such as 2026-03-10 in local time, inclusive. */
  from?: string;
  till?: string;
}

/** Start of a day in local time, plus days; undefined for an invalid day. */
function beginOf(day: string | undefined, later = 0): string | undefined {
  if (!day || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const queryOf = ({ search, event, from, till }: AuditFilters) => ({
  search: search || undefined,
  event: AUDIT_EVENT_NAMES.find((name) => name === event),
  from: beginOf(from),
  till: beginOf(till, 1),
});

/** The audit log. */
export class AuditStore extends ListStore<AuditEvent> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters = {} }) =>
        client.audit.list({ query: { page, ...queryOf({ search, ...filters }) } }),
    });
    this.#client = client;
  }

  /** Exports all matching entries as CSV. */
  export(filters: AuditFilters): Promise<string> {
    return this.#client.audit.export({ query: queryOf(filters) });
  }
}
