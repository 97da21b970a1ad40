import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../base/clock.ts';
import { logFailure } from '../../storage/log-failure.ts';
import type { Services } from '../../store/services.ts';
import { forgetBefore, prepareMonths } from '../../store/statistics/months.ts';
import { hourOf, rollUp } from '../../store/statistics/roll-up.ts';
import { forgetSalts } from '../../store/statistics/salts.ts';

/** Milliseconds between writing what came, between counting it by hour, and between forgetting what is old. */
const EVERY = { flush: 5000, count: 60_000, forget: 60 * 60 * 1000 };
const DAY_MS = 24 * 60 * 60 * 1000;
/** Days for which is kept: what came as it came, figures by hour, and places. */
const KEPT = { events: 2, hours: 760, poses: 30 };

type Shared = Pick<Services, 'db' | 'clock'>;

/** Forgets what has been kept for long enough, and prepares for what comes. */
export async function forgetOld({ db, clock }: Shared): Promise<void> {
  const now = clock.now();
  await prepareMonths(db, timestampOf(now));
  await forgetSalts(db, clock);
  // Whole hours: one that is half there would be counted as half.
  await forgetBefore(db, 'statistics_events', hourOf(now - KEPT.events * DAY_MS));
  await forgetBefore(db, 'statistics_hours', hourOf(now - KEPT.hours * DAY_MS));
  await forgetBefore(db, 'statistics_poses', timestampOf(now - KEPT.poses * DAY_MS));
}

/** Writes, counts and forgets what visits bring, for as long as the server runs. */
export function keepStatistics(app: FastifyInstance, services: Services): void {
  const { buffer } = services.visitCounting;
  const timers: NodeJS.Timeout[] = [];
  let working = Promise.resolve();
  /** One after the other; what fails is done again the next time. */
  const enqueue = (work: () => Promise<void>) => {
    working = working.then(work).catch((error: unknown) => logFailure(app.health, app.log, error));
    return working;
  };
  const repeat = (every: number, work: () => Promise<void>) =>
    timers.push(setInterval(() => void enqueue(work), every).unref());
  app.addHook('onReady', async () => {
    await enqueue(() => forgetOld(services));
    void enqueue(() => rollUp(services));
    repeat(EVERY.flush, () => buffer.flush());
    repeat(EVERY.count, () => rollUp(services));
    repeat(EVERY.forget, () => forgetOld(services));
  });
  app.addHook('onClose', async () => {
    for (const timer of timers) clearInterval(timer);
    await enqueue(() => buffer.flush());
  });
}
