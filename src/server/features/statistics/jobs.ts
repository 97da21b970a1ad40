import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { timestampOf } from '../../core/clock.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { type RepeatedJob, repeat } from '../../core/jobs/repeat.ts';
import type { Services } from '../../core/services.ts';
import type { CountedPlace } from './count-thread.ts';
import { forgetSalts } from './queries.ts';
import { forgetBefore, hasUncounted, hourOf, prepareMonths } from './roll-up.ts';

/** Milliseconds between flushes of the buffer, hourly counts, and deletions of expired data. */
const EVERY = { flush: 5000, count: 60_000, forget: 60 * 60 * 1000 };
const DAY_MS = 24 * 60 * 60 * 1000;
/** Retention in days of raw events, hourly figures, and positions. */
const KEPT = { events: 2, hours: 760, poses: 30 };

type Shared = Pick<Services, 'db' | 'clock'>;

/** Deletes expired data, and prepares partitions. */
export async function forgetOld({ db, clock }: Shared): Promise<void> {
  const now = clock.now();
  await prepareMonths(db, timestampOf(now));
  await forgetSalts(db, clock);
  // Whole hours: a partially deleted one would give a wrong count.
  await forgetBefore(db, 'statistics_events', hourOf(now - KEPT.events * DAY_MS));
  await forgetBefore(db, 'statistics_hours', hourOf(now - KEPT.hours * DAY_MS));
  await forgetBefore(db, 'statistics_poses', timestampOf(now - KEPT.poses * DAY_MS));
}

/**
 * Adds new events to the figures in a worker thread, so that counting doesn't block the event loop.
 * @param stop ends the thread; its transaction is rolled back, and the next count adds the events
 * @throws the database's error
 */
export async function countInThread({ settings }: Pick<Services, 'settings'>, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  const workerData: CountedPlace = { url: settings.DATABASE_URL, folder: settings.DATA_DIR };
  const thread = new Worker(new URL('./count-thread.ts', import.meta.url), { workerData });
  const end = () => void thread.terminate();
  stop.addEventListener('abort', end);
  try {
    await new Promise<void>((resolve, reject) => {
      thread.once('error', reject);
      thread.once('exit', () => resolve());
    });
  } finally {
    stop.removeEventListener('abort', end);
  }
}

/** Writes, aggregates and expires statistics. */
export function keepStatistics(app: FastifyInstance, services: Services): void {
  const { buffer } = services.visitCounting;
  const count = async (stopping: AbortSignal) => {
    if (await hasUncounted(services.db)) await countInThread(services, stopping);
  };
  const jobs: RepeatedJob[] = [
    { name: 'forget statistics', every: EVERY.forget, first: 'before', run: () => forgetOld(services) },
    { name: 'write statistics', every: EVERY.flush, first: 'later', run: () => buffer.flush() },
    { name: 'count statistics', every: EVERY.count, first: 'after', run: count },
  ];
  repeat(app, jobs, () => buffer.flush().catch((error: unknown) => logFailure(app.health, app.log, error)));
}
