import { createHmac, randomBytes } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import {
  type DeliveryState,
  MAX_WEBHOOKS,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { type Clock, nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { sealToken } from '../../core/secrets/seal-token.ts';
import {
  countTests,
  type DeliveryRow,
  deleteWebhook,
  findDelivery,
  findWebhook,
  insertDelivery,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  updateWebhook as storeWebhook,
  updateDelivery,
  type WebhookRow,
} from './queries.ts';
import type { WebhookTable } from './table.ts';

const MINUTE = 60_000;
/** Maximum number of manual test events per webhook and minute. */
const MAX_TESTS = 10;

/** Sends a test event. @throws ApiError not_found or too_many */
export async function sendTest({ db, clock, organizationId }: CallContext, id: number): Promise<DeliveryRow> {
  const row = await findWebhook(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  const now = clock.now();
  if ((await countTests(db, id, timestampOf(now - MINUTE))) >= MAX_TESTS)
    throw new ApiError('too_many', undefined, undefined, MINUTE / 1000);
  const at = timestampOf(now);
  return insertDelivery(db, {
    organization_id: organizationId,
    webhook_id: id,
    message_id: newMessageId(),
    event: 'test',
    payload: payloadOf('test', at, { webhook: row.name }),
    created_at: at,
    state: 'waiting',
    attempts: 0,
    next_at: at,
    status: null,
    answer: '',
  });
}

/** Redelivers an event, with as many retries as a new one. @throws ApiError not_found */
export async function sendAgain({ db, clock, organizationId }: CallContext, id: number): Promise<DeliveryRow> {
  const row = await findDelivery(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  const values = { state: 'waiting', attempts: 0, next_at: timestampOf(clock.now()) };
  await updateDelivery(db, id, values);
  return { ...row, ...values };
}

/** A webhook as the API gives it: without its secret. */
export const readWebhook = ({
  id,
  name,
  url,
  events,
  is_paused,
  failing_since,
  disabled_at,
  updated_at,
}: WebhookRow): Webhook => ({
  id,
  name,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  is_paused: is_paused === 1,
  failing_since,
  disabled_at,
  updated_at,
});

/** A webhook as the change log has it. */
const loggedWebhook = ({
  name,
  url,
  events,
  is_paused,
}: Pick<WebhookRow, 'name' | 'url' | 'events' | 'is_paused'>) => ({
  name,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  is_paused: is_paused === 1,
});

/** A delivery as the API gives it. */
export const readDelivery = ({
  id,
  message_id,
  event,
  created_at,
  state,
  attempts,
  next_at,
  status,
  answer,
  payload,
}: DeliveryRow): WebhookDelivery => ({
  id,
  message_id,
  event,
  created_at,
  state: state as DeliveryState,
  attempts,
  next_at,
  status,
  answer,
  payload,
});

/** Refuses addresses that carry a name and a password: they would stand in lists and logs. @throws ApiError invalid */
function refuseCredentials(url: string | undefined): void {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed && (parsed.username !== '' || parsed.password !== ''))
    throw new ApiError('invalid', {
      url: ['Leave name and password out of the address; the signature tells who sends.'],
    });
}

/**
 * Adds a webhook.
 * @returns its row, and its secret, which is stored sealed
 * @throws ApiError invalid, or quota when there are as many as there may be
 */
export async function createWebhook(
  context: CallContext,
  { name, url, events }: z.output<typeof calls.webhooks.create.body>,
): Promise<{ row: WebhookRow; secret: string }> {
  const { organizationId, clock, settings } = context;
  refuseCredentials(url);
  const secret = createSecret();
  const sealed = await sealToken(settings, sealPlaceOfWebhook(organizationId), secret);
  const at = nextTimestamp(clock);
  return context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    if ((await listWebhooks(db, organizationId)).length >= MAX_WEBHOOKS)
      throw new ApiError('quota', `There are ${MAX_WEBHOOKS} webhooks already. Remove one first.`);
    const row = await insertWebhook(db, {
      organization_id: organizationId,
      name,
      url,
      events: JSON.stringify([...new Set(events)]),
      sealed,
      is_paused: 0,
      failing_since: null,
      disabled_at: null,
      created_at: at,
      updated_at: at,
    });
    const about = { entity_id: row.id, name, after: loggedWebhook(row) };
    await recordChange(db, context, { action: 'create', entity: 'webhook', ...about });
    return { row, secret };
  });
}

/** Removes a webhook and its deliveries. @throws ApiError not_found */
export async function removeWebhook(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const row = await lockWebhook(db, context.organizationId, id);
    if (!row) throw new ApiError('not_found');
    await deleteWebhook(db, id);
    const about = { entity_id: id, name: row.name, before: loggedWebhook(row) };
    await recordChange(db, context, { action: 'delete', entity: 'webhook', ...about });
  });
}

/** Changes columns of a webhook, and notes it. @throws ApiError not_found or stale */
async function change(
  context: CallContext,
  id: number,
  { seen, values, facts }: { seen: string | undefined; values: Updateable<WebhookTable>; facts?: object },
): Promise<WebhookRow> {
  const { organizationId, clock } = context;
  return context.db.transaction().execute(async (db) => {
    const row = await lockWebhook(db, organizationId, id);
    if (!row) throw new ApiError('not_found');
    refuseStale(row.updated_at, seen);
    const columns = { ...values, updated_at: nextTimestamp(clock, row.updated_at) };
    await storeWebhook(db, id, columns);
    const after = { ...row, ...columns } as WebhookRow;
    const about = { entity_id: id, name: after.name, before: loggedWebhook(row), after: loggedWebhook(after) };
    await recordChange(db, context, { action: 'update', entity: 'webhook', ...about, ...(facts && { facts }) });
    return after;
  });
}

/** Changes the given fields, and enables the webhook again. @throws ApiError not_found, stale or invalid */
export async function updateWebhook(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.webhooks.update.body>,
): Promise<WebhookRow> {
  const { updated_at: seen, events, is_paused, ...fields } = body;
  refuseCredentials(fields.url);
  const values = {
    ...fields,
    ...(events && { events: JSON.stringify([...new Set(events)]) }),
    ...(is_paused !== undefined && { is_paused: Number(is_paused) }),
    failing_since: null,
    disabled_at: null,
  };
  return change(context, id, { seen, values });
}

/** Gives a webhook a new secret. @throws ApiError not_found */
export async function updateSecret(context: CallContext, id: number): Promise<{ row: WebhookRow; secret: string }> {
  const secret = createSecret();
  const sealed = await sealToken(context.settings, sealPlaceOfWebhook(context.organizationId), secret);
  const row = await change(context, id, { seen: undefined, values: { sealed }, facts: { new_secret: true } });
  return { row, secret };
}

/** Id of a message, as Standard Webhooks suggests it. */
const newMessageId = (): string => `msg_${randomBytes(18).toString('base64url')}`;

/** The body of a message (Standard Webhooks): what it is about, when it happened, and what there is to say. */
const payloadOf = (type: string, timestamp: string, data: object): string => JSON.stringify({ type, timestamp, data });

/**
 * Notes that something happened for every webhook of an organization that is told of it. Done in the transaction of what
 * happened, so that both are there or neither, and nothing is lost when the server is killed.
 */
export async function emitWebhookEvent(
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

/** What secrets begin with (Standard Webhooks). */
const PREFIX = 'whsec_';
/** Bytes of a secret: between 24 and 64, as the specification has it. */
const SECRET_BYTES = 32;

/** Place that a webhook's secret is sealed for: sealed for another one, it does not open. */
export const sealPlaceOfWebhook = (organizationId: number): string => `webhook ${organizationId}`;

export const createSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * Headers of a message, signed as Standard Webhooks has it (https://www.standardwebhooks.com): HMAC-SHA-256 over id, time and body.
 * @param seconds since 1970
 */
export function signedHeaders(
  secret: string,
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
