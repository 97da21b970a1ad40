import type { AuditEventName } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { deviceOf } from '../device.ts';

/** Origin of an event. Every call's context is one. */
export interface EventSource {
  clock: Clock;
  organizationId: number;
  /** The authenticated user; null if there is none. */
  user: { userId: number; name: string; apiKey: string | null } | null;
  address: string;
  userAgent: string;
}

/** An event for the audit log. */
export interface NewEvent {
  event: AuditEventName;
  /** Subject of the event, such as an email address or the name of a key; never a secret. */
  subject?: string;
  /** Further details; never a secret. */
  details?: object;
}

/** Maximum subject length in characters: enough for what a person types, but bounded. */
const MAX_SUBJECT_LENGTH = 320;

/** Writes an audit log entry; if it describes a change, use that change's transaction. */
export async function recordEvent(db: Database, source: EventSource, event: NewEvent): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({
      organization_id: source.organizationId,
      at: timestampOf(source.clock.now()),
      event: event.event,
      user_id: source.user?.userId ?? null,
      user_name: source.user?.name ?? '',
      api_key: source.user?.apiKey ?? '',
      address: source.address,
      device: deviceOf(source.userAgent),
      subject: (event.subject ?? '').slice(0, MAX_SUBJECT_LENGTH),
      details: JSON.stringify(event.details ?? {}),
    })
    .execute();
}
