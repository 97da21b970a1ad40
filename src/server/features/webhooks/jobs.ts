import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../core/clock.ts';
import { type QueueOptions, retryAt, runQueue } from '../../core/jobs/queue.ts';
import type { RepeatedJob } from '../../core/jobs/repeat.ts';
import { lastKnown, type Measure, OutcomeCounter } from '../../core/metrics.ts';
import { openToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import { RefusedAddress } from '../../providers/address-guard.ts';
import { TooLarge } from '../../providers/read-capped.ts';
import {
  type Backlog,
  countBacklog,
  type DueDelivery,
  deleteDeliveries,
  findDue,
  setFailing,
  updateDelivery,
} from './queries.ts';
import { sealPlaceOf, signedHeaders } from './service.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds between attempts: eight attempts in a day. */
const BACKOFF = [5000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * 60 * MINUTE, 6 * 60 * MINUTE, 15 * 60 * MINUTE];
/** Milliseconds between queries for due deliveries, and between deletions of old ones. */
const INTERVAL = { poll: 2000, clean: 60 * MINUTE };
/** Milliseconds for which a server leases a delivery; longer than any request takes. */
const LEASE = MINUTE;
/** Concurrent requests per organization. */
const MAX_REQUESTS = 5;
const MAX_ORGANIZATIONS = 100;
/** A webhook that fails for this long is disabled. */
const DISABLE_AFTER = DAY;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Characters of a response that are stored. */
const EXCERPT_LENGTH = 500;
const RETENTION = 30 * DAY;

type Shared = Pick<Services, 'db' | 'clock' | 'settings' | 'outgoing'>;

/** Result of an attempt. */
interface Outcome {
  status: number | null;
  answer: string;
}

/** Beginning of untrusted text, without characters that a database or a screen rejects. */
const excerptOf = (text: string): string =>
  text
    .slice(0, EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, ' ');

const reasonOf = (error: unknown): string => {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RefusedAddress) return "The URL doesn't resolve to a public IP address.";
    if (cause instanceof TooLarge) return 'The response is larger than 64 kB.';
    if (cause.name === 'TimeoutError') return 'The response timed out after 10 seconds.';
  }
  return `Connection failed: ${(error as Error).message}`;
};

async function send({ settings, clock, outgoing }: Shared, due: DueDelivery): Promise<Outcome> {
  const { organization_id, sealed, url, message_id: id, payload: body } = due;
  const secret = await openToken(settings, sealPlaceOf(organization_id), sealed);
  if (secret === null) return { status: null, answer: "The signing secret couldn't be decrypted. Replace it." };
  const signed = signedHeaders(secret, { id, seconds: Math.floor(clock.now() / 1000), body });
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Enfilade' };
  try {
    const response = await outgoing.guarded.send(url, { method: 'POST', headers, body, most: MAX_RESPONSE_BYTES });
    return { status: response.status, answer: excerptOf(await response.text()) };
  } catch (error) {
    return { status: null, answer: excerptOf(reasonOf(error)) };
  }
}

const attemptCounts = new OutcomeCounter(
  { name: 'webhook_attempts_total', help: 'Attempts to deliver an event: delivered or failed.' },
  ['delivered', 'failed'],
);

/** Metrics: attempts of this server, and the backlog of all servers. */
export function webhookMeasures({ db, clock }: Pick<Shared, 'db' | 'clock'>): Measure[] {
  const gauge = (name: string, help: string, value: (backlog: Backlog) => number): Measure => ({
    name,
    type: 'gauge',
    help,
    read: lastKnown(async () => [[{}, value(await countBacklog(db))]]),
  });
  return [
    attemptCounts.measure(db),
    gauge('webhook_deliveries_waiting', 'Undelivered events, on all servers.', ({ waiting }) => waiting),
    gauge('webhook_oldest_delivery_seconds', 'Age of the oldest undelivered event.', ({ oldest }) =>
      oldest === null ? 0 : Math.max(0, (clock.now() - Date.parse(oldest)) / 1000),
    ),
    gauge('webhooks_failing', 'Webhooks whose last attempt failed.', ({ failing }) => failing),
    gauge('webhooks_disabled', 'Webhooks that are disabled after a day of failures.', ({ disabled }) => disabled),
  ];
}

async function deliver(services: Shared, due: DueDelivery): Promise<void> {
  const { db, clock } = services;
  const { status, answer } = await send(services, due);
  const now = clock.now();
  const attempts = due.attempts + 1;
  const attempt = { attempts, status, answer };
  const isDelivered = status !== null && status >= 200 && status < 300;
  attemptCounts.count(db, isDelivered ? 'delivered' : 'failed');
  if (isDelivered) {
    await updateDelivery(db, due.id, { ...attempt, state: 'delivered', next_at: null });
    if (due.failing_since !== null) await setFailing(db, due.webhook_id, { failing_since: null });
    return;
  }
  // A receiver unsubscribes with 410 (Standard Webhooks).
  const next_at = status === 410 ? null : retryAt(clock, BACKOFF, attempts);
  const isLast = next_at === null;
  await updateDelivery(db, due.id, {
    ...attempt,
    state: isLast ? 'failed' : 'waiting',
    next_at,
  });
  const at = timestampOf(now);
  const since = due.failing_since ?? at;
  // Jitter can end the attempts somewhat earlier than a day.
  const isDisabled = status === 410 || (isLast && now - Date.parse(since) >= DISABLE_AFTER * 0.9);
  await setFailing(db, due.webhook_id, { failing_since: since, ...(isDisabled && { disabled_at: at }) });
}

/** How deliveries are sent: a slow receiver delays only its own organization. */
export const deliveryQueue = (services: Shared): QueueOptions => ({
  table: 'webhook_deliveries',
  lease: LEASE,
  perOrganization: MAX_REQUESTS,
  organizations: MAX_ORGANIZATIONS,
  async run(id) {
    const due = await findDue(services.db, id);
    if (due) await deliver(services, due);
  },
});

/** Sends due deliveries and deletes old ones. */
export function deliverWebhooks(app: FastifyInstance, services: Shared): void {
  const { db, clock } = services;
  const clean = () => deleteDeliveries(db, timestampOf(clock.now() - RETENTION));
  const jobs: RepeatedJob[] = [
    { name: 'delete webhook deliveries', every: INTERVAL.clean, first: 'before', run: clean },
  ];
  runQueue(app, services, { ...deliveryQueue(services), name: 'deliver webhooks', every: INTERVAL.poll, jobs });
}
