import { createHmac, randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
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
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { sealToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import {
  countTests,
  type DeliveryRow,
  findDelivery,
  insertDeliveries,
  listActiveWebhooks,
  listWebhooks,
  settingsOf,
  updateDelivery,
  type WebhookRow,
  webhookRows,
} from './queries.ts';
import type { WebhookDeliveryTable } from './table.ts';

const MINUTE = 60_000;
/** Test events per webhook and minute. */
const MAX_TESTS = 10;
/** Prefix of secrets (Standard Webhooks). */
const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32;

/** A webhook in the API, without its secret. */
export function readWebhook(row: WebhookRow): Webhook {
  const { id, failing_since, disabled_at, updated_at } = row;
  return { id, ...settingsOf(row), failing_since, disabled_at, updated_at };
}

/** A delivery in the API. */
export function readDelivery(row: DeliveryRow): WebhookDelivery {
  const { organization_id, webhook_id, ...delivery } = row;
  return { ...delivery, state: delivery.state as DeliveryState };
}

/** Rejects URLs with embedded credentials, which would leak into lists and logs. @throws ApiError invalid */
export function refuseCredentials(url: string | undefined): void {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed && (parsed.username !== '' || parsed.password !== ''))
    throw new ApiError('invalid', {
      url: ['Remove the user name and password from the URL. Receivers verify the sender by the signature.'],
    });
}

const eventsColumn = (events: readonly WebhookEvent[]): string => JSON.stringify([...new Set(events)]);

/** A new signing secret, and its sealed form for the database. A secret opens only for the organization it was sealed for. */
export async function createSecret(
  settings: Services['settings'],
  organizationId: number,
): Promise<{ secret: string; sealed: string }> {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
  return { secret, sealed: await sealToken(settings, sealPlaceOf(organizationId), secret) };
}

/** What the secrets of an organization's webhooks are sealed for. */
export const sealPlaceOf = (organizationId: number): string => `webhook ${organizationId}`;

/** @throws ApiError invalid, or quota at the limit */
export async function createWebhook(
  context: CallContext,
  { name, url, events }: z.output<typeof calls.webhooks.create.body>,
): Promise<Webhook & { secret: string }> {
  const { organizationId } = context;
  refuseCredentials(url);
  await context.outgoing.guarded.requirePublic(url, 'url');
  const { secret, sealed } = await createSecret(context.settings, organizationId);
  return context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    if ((await listWebhooks(db, organizationId)).length >= MAX_WEBHOOKS)
      throw new ApiError('quota', `There are already ${MAX_WEBHOOKS} webhooks. Remove one first.`);
    const values = { name, url, events: eventsColumn(events), sealed, is_paused: 0, failing_since: null };
    const row = await webhookRows.create(db, context, { ...values, disabled_at: null });
    return { ...readWebhook(row), secret };
  });
}

/** Changes the given fields and enables the webhook. @throws ApiError not_found, stale or invalid */
export async function updateWebhook(
  context: CallContext,
  id: number,
  body: z.output<typeof calls.webhooks.update.body>,
): Promise<Webhook> {
  const { updated_at: seen, events, is_paused, ...fields } = body;
  refuseCredentials(fields.url);
  if (fields.url !== undefined) await context.outgoing.guarded.requirePublic(fields.url, 'url');
  const values = {
    ...fields,
    ...(events && { events: eventsColumn(events) }),
    ...(is_paused !== undefined && { is_paused: Number(is_paused) }),
    failing_since: null,
    disabled_at: null,
  };
  return context.db
    .transaction()
    .execute(async (db) => readWebhook(await webhookRows.update(db, context, id, { seen, values: () => values })));
}

/** Replaces the signing secret. @throws ApiError not_found */
export async function rotateSecret(context: CallContext, id: number): Promise<Webhook & { secret: string }> {
  const { secret, sealed } = await createSecret(context.settings, context.organizationId);
  const edit = { seen: undefined, values: () => ({ sealed }), facts: { new_secret: true } };
  return context.db
    .transaction()
    .execute(async (db) => ({ ...readWebhook(await webhookRows.update(db, context, id, edit)), secret }));
}

/** Removes a webhook and its deliveries. @throws ApiError not_found */
export async function removeWebhook(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute((db) => webhookRows.remove(db, context, id));
}

/** Id of a message, in the form that Standard Webhooks suggests. */
export const newMessageId = (): string => `msg_${randomBytes(18).toString('base64url')}`;

/** A delivery that is due now. Its payload has the form of Standard Webhooks. */
const newDelivery = (
  { clock, organizationId }: { clock: Clock; organizationId: number },
  webhook_id: number,
  message: { id: string; event: WebhookEvent | 'test'; data: object },
): Insertable<WebhookDeliveryTable> => {
  const now = timestampOf(clock.now());
  const { id: message_id, event, data } = message;
  const payload = JSON.stringify({ type: event, timestamp: now, data });
  const state = { state: 'waiting', attempts: 0, next_at: now, status: null, answer: '' };
  return { organization_id: organizationId, webhook_id, message_id, event, payload, created_at: now, ...state };
};

/**
 * Writes an event for each subscribed webhook. Runs in the transaction that caused the event: both are committed,
 * or neither.
 */
export async function emitWebhookEvent(
  db: Database,
  context: { clock: Clock; organizationId: number },
  event: WebhookEvent,
  data: object,
): Promise<void> {
  // Limited users cause events, too, although they don't see webhooks.
  const whole = everywhere(db);
  const active = await listActiveWebhooks(whole, context.organizationId);
  const subscribed = active.filter((webhook) => settingsOf(webhook).events.includes(event));
  if (subscribed.length === 0) return;
  const message = { id: newMessageId(), event, data };
  await insertDeliveries(
    whole,
    subscribed.map(({ id }) => newDelivery(context, id, message)),
  );
}

/** Sends a test event, even if the webhook is paused. @throws ApiError not_found or too_many */
export async function sendTest(context: CallContext, id: number): Promise<WebhookDelivery> {
  const { db, clock, organizationId } = context;
  const { name } = orNotFound(await webhookRows.find(db, organizationId, id));
  if ((await countTests(db, id, timestampOf(clock.now() - MINUTE))) >= MAX_TESTS)
    throw new ApiError('too_many', undefined, undefined, MINUTE / 1000);
  const message = { id: newMessageId(), event: 'test', data: { webhook: name } } as const;
  const [row] = await insertDeliveries(db, [newDelivery(context, id, message)]);
  return readDelivery(row!);
}

/** Redelivers an event, with as many retries as a new one. @throws ApiError not_found */
export async function redeliver({ db, clock, organizationId }: CallContext, id: number): Promise<WebhookDelivery> {
  const row = orNotFound(await findDelivery(db, organizationId, id));
  const values = { state: 'waiting', attempts: 0, next_at: timestampOf(clock.now()) };
  await updateDelivery(db, id, values);
  return readDelivery({ ...row, ...values });
}

/**
 * Headers of a message, signed according to Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA-256 of id,
 * time and body.
 * @param seconds since 1970
 */
export function signedHeaders(
  secret: string,
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
