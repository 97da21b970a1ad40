import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';

/** Milliseconds that a ticket lives. */
const EXPORT_TICKET_LIFETIME = 60_000;

/** What a ticket is for, and in whose sign-in it is made. */
export interface TicketFor {
  endpointId: number;
  userId: number;
  /** Sign-in that the ticket ends with. */
  family: string;
}

/** Makes a ticket for one download: what stands in a link can be logged and shared, so it is never a session's token. */
export async function createExportTicket(
  db: Database,
  clock: Clock,
  { endpointId, userId, family }: TicketFor,
): Promise<string> {
  const token = createToken();
  const now = clock.now();
  await db.deleteFrom('export_tickets').where('expires_at', '<=', timestampOf(now)).execute();
  await db
    .insertInto('export_tickets')
    .values({
      endpoint_id: endpointId,
      user_id: userId,
      family,
      token_hash: hashToken(token),
      expires_at: timestampOf(now + EXPORT_TICKET_LIFETIME),
    })
    .execute();
  return token;
}

/**
 * Takes a ticket: of several at once, one gets it.
 * @returns the sign-in that it was made in; null when there is no such ticket, or it is over
 */
export async function takeExportTicket(
  db: Database,
  clock: Clock,
  ticket: string,
  endpointId: number,
): Promise<string | null> {
  const taken = await db
    .deleteFrom('export_tickets')
    .where('token_hash', '=', hashToken(ticket))
    .where('endpoint_id', '=', endpointId)
    .where('expires_at', '>', timestampOf(clock.now()))
    .returning('family')
    .executeTakeFirst();
  return taken?.family ?? null;
}
