import type { AuditEventName } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { deviceOf } from '../device.ts';

/** Where an event comes from. Every call's context is one. */
export interface EventSource {
  clock: Clock;
  organizationId: number;
  /** Who is signed in; null for none. */
  user: { userId: number; name: string; apiKey: string | null } | null;
  address: string;
  userAgent: string;
}

/** What happened. */
export interface NewEvent {
  event: AuditEventName;
  /** What it was about, such as an e-mail address or the name of a key; never a secret. */
  subject?: string;
  /** What else is to be said; never a secret. */
  details?: object;
}

/** Most characters of a subject: what somebody typed is kept, but not all that they could send. */
const MAX_SUBJECT_LENGTH = 320;

/** Writes an entry of the audit log; where it tells of a change, in the transaction of that change. */
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
