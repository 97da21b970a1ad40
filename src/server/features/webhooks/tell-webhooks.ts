import { randomBytes } from 'node:crypto';
import type { WebhookEvent } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';

/** Id of a message, as Standard Webhooks suggests it. */
export const newMessageId = (): string => `msg_${randomBytes(18).toString('base64url')}`;

/** The body of a message (Standard Webhooks): what it is about, when it happened, and what there is to say. */
export const payloadOf = (type: string, timestamp: string, data: object): string =>
  JSON.stringify({ type, timestamp, data });

/**
 * Notes that something happened for every webhook of an organization that is told of it. Done in the transaction of what
 * happened, so that both are there or neither, and nothing is lost when the server is killed.
 */
export async function tellWebhooks(
  db: Database,
  { clock, organizationId }: { clock: Clock; organizationId: number },
  event: WebhookEvent,
  data: object,
): Promise<void> {
  const told = await db
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('organization_id', '=', organizationId)
    .where('is_paused', '=', 0)
    .where('disabled_at', 'is', null)
    .execute();
  const wanted = told.filter(({ events }) => (JSON.parse(events) as string[]).includes(event));
  if (wanted.length === 0) return;
  const now = timestampOf(clock.now());
  const message_id = newMessageId();
  await db
    .insertInto('webhook_deliveries')
    .values(
      wanted.map(({ id }) => ({
        organization_id: organizationId,
        webhook_id: id,
        message_id,
        event,
        payload: payloadOf(event, now, data),
        created_at: now,
        state: 'waiting',
        attempts: 0,
        next_at: now,
        status: null,
        answer: '',
      })),
    )
    .execute();
}
