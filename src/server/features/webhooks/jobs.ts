import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../core/clock.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { type RepeatedJob, repeat } from '../../core/jobs/repeat.ts';
import { openToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import { RefusedAddress } from '../../providers/address-guard.ts';
import { TooLarge } from '../../providers/read-capped.ts';
import {
  type DueDelivery,
  dueOrganizations,
  forgetDeliveries,
  takeDue,
  updateDelivery,
  updateWebhook,
} from './queries.ts';
import { sealPlaceOfWebhook, signedHeaders } from './service.ts';

const MINUTE = 60_000;
const DAY_MS = 24 * 60 * MINUTE;
/** Milliseconds between a try and the next one, eight tries in a day; each a fifth longer or shorter, so that they spread. */
const PAUSES = [5000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * 60 * MINUTE, 6 * 60 * MINUTE, 15 * 60 * MINUTE];
/** Milliseconds between looking for what is due, and for what is old. */
const EVERY = { look: 2000, forget: 60 * MINUTE };
/** Milliseconds for which a server has what it took for itself: longer than any answer takes. */
const TAKEN = MINUTE;
/** Messages of one organization that are sent at once, and organizations that are served at once. */
const AT_ONCE = 5;
const ORGANIZATIONS_AT_ONCE = 100;
/** Milliseconds without anything taken after which a webhook is told no more. */
const GIVEN_UP = DAY_MS;
/** Bytes of an answer that are read: a longer one is none. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Characters of an answer that are kept. */
const EXCERPT = 500;
const KEPT_DAYS = 30;

type Shared = Pick<Services, 'db' | 'clock' | 'settings' | 'outgoing'>;

/** What became of a try. */
interface Outcome {
  status: number | null;
  answer: string;
}

/** The beginning of a text that anybody may have written: without what a database or a screen does not take. */
const excerptOf = (text: string): string =>
  text
    .slice(0, EXCERPT)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, ' ');

const whyOf = (error: unknown): string => {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RefusedAddress) return 'The address does not lead to the public internet.';
    if (cause instanceof TooLarge) return 'The answer is larger than 64 kB.';
    if (cause.name === 'TimeoutError') return 'There was no answer within 10 seconds.';
  }
  return `No connection: ${(error as Error).message}`;
};

async function send({ settings, clock, outgoing }: Shared, due: DueDelivery): Promise<Outcome> {
  const { organization_id, sealed, url, message_id: id, payload: body } = due;
  const secret = await openToken(settings, sealPlaceOfWebhook(organization_id), sealed);
  if (secret === null) return { status: null, answer: 'Its secret could not be opened. Make a new one.' };
  const signed = signedHeaders(secret, { id, seconds: Math.floor(clock.now() / 1000), body });
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Enfilade' };
  try {
    const answer = await outgoing.guarded.send(url, { method: 'POST', headers, body, most: MAX_RESPONSE_BYTES });
    return { status: answer.status, answer: excerptOf(await answer.text()) };
  } catch (error) {
    return { status: null, answer: excerptOf(whyOf(error)) };
  }
}

/** Milliseconds until the next try; null after the last one. @param attempts tries so far */
function pauseAfter(attempts: number): number | null {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? null : Math.round(pause * (0.8 + randomInt(401) / 1000));
}

async function deliver(services: Shared, due: DueDelivery): Promise<void> {
  const { db, clock } = services;
  const { status, answer } = await send(services, due);
  const now = clock.now();
  const at = timestampOf(now);
  const attempts = due.attempts + 1;
  const last = { attempts, status, answer };
  if (status !== null && status >= 200 && status < 300) {
    await updateDelivery(db, due.id, { ...last, state: 'delivered', next_at: null });
    if (due.failing_since !== null) await updateWebhook(db, due.webhook_id, { failing_since: null });
    return;
  }
  // Who answers 410 wants nothing more (Standard Webhooks).
  const pause = status === 410 ? null : pauseAfter(attempts);
  const isOver = pause === null;
  await updateDelivery(db, due.id, {
    ...last,
    state: isOver ? 'failed' : 'waiting',
    next_at: isOver ? null : timestampOf(now + pause),
  });
  const since = due.failing_since ?? at;
  const isGivenUp = status === 410 || (isOver && now - Date.parse(since) >= GIVEN_UP * 0.9);
  await updateWebhook(db, due.webhook_id, { failing_since: since, ...(isGivenUp && { disabled_at: at }) });
}

/** Sends what is due of an organization, some at a time, until nothing is. Of several servers each takes its own. */
async function deliverOf(services: Shared, organizationId: number): Promise<void> {
  const { db, clock } = services;
  for (;;) {
    const now = clock.now();
    const stamps = { now: timestampOf(now), till: timestampOf(now + TAKEN) };
    const due = await takeDue(db, { organizationId, ...stamps, most: AT_ONCE });
    if (due.length === 0) return;
    await Promise.all(due.map((each) => deliver(services, each)));
  }
}

/** Sends what is due. Organizations have queues of their own, so that one whose addresses hang delays nobody else. */
export class DeliveryQueues {
  readonly #services: Shared;
  readonly #failed: (error: unknown) => void;
  readonly #working = new Map<number, Promise<void>>();

  /** @param failed called with what went wrong; it is tried again at the next look */
  constructor(services: Shared, failed: (error: unknown) => void) {
    this.#services = services;
    this.#failed = failed;
  }

  /** Begins to send for organizations that have something due and are not served already. */
  async look(): Promise<void> {
    const { db, clock } = this.#services;
    for (const id of await dueOrganizations(db, timestampOf(clock.now()))) {
      if (this.#working.size >= ORGANIZATIONS_AT_ONCE) return;
      if (this.#working.has(id)) continue;
      const work = deliverOf(this.#services, id)
        .catch(this.#failed)
        .finally(() => this.#working.delete(id));
      this.#working.set(id, work);
    }
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#working.values());
  }
}

/** Sends due deliveries, and deletes old ones. */
export function deliverWebhooks(app: FastifyInstance, services: Shared): void {
  const queues = new DeliveryQueues(services, (error) => logFailure(app.health, app.log, error));
  const forget = () => forgetDeliveries(services.db, timestampOf(services.clock.now() - KEPT_DAYS * DAY_MS));
  const jobs: RepeatedJob[] = [
    { every: EVERY.forget, first: 'before', run: forget },
    { every: EVERY.look, first: 'later', run: () => queues.look() },
  ];
  repeat(app, jobs, () => queues.settled());
}
