import type { FastifyInstance } from 'fastify';
import { logFailure } from '../files/log-failure.ts';
import { observers } from '../observers.ts';

/** Work that the server repeats. */
export interface RepeatedJob {
  /** What it does, for traces. */
  name: string;
  /** Interval in milliseconds. */
  every: number;
  /** First run: before the server listens, right afterwards, or after the first interval. */
  first: 'before' | 'after' | 'later';
  /** @param stopping aborted when the server stops */
  run(stopping: AbortSignal): Promise<unknown>;
}

/**
 * Repeats jobs while the server runs. Jobs of one call run one at a time and never overlap themselves. A failed job is
 * logged and runs again at its next interval.
 * @param finish runs last, when the server stops
 */
export function repeat(app: FastifyInstance, jobs: readonly RepeatedJob[], finish?: () => Promise<unknown>): void {
  const stopping = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const queued = new Set<RepeatedJob>();
  let working: Promise<unknown> = Promise.resolve();
  const enqueue = (job: RepeatedJob): Promise<unknown> => {
    if (queued.has(job)) return working;
    queued.add(job);
    working = working.then(async () => {
      queued.delete(job);
      if (stopping.signal.aborted) return;
      try {
        const run = async () => job.run(stopping.signal);
        await (observers.current ? observers.current.job(job.name, run) : run());
      } catch (error) {
        if (!stopping.signal.aborted) logFailure(app.health, app.log, error);
      }
    });
    return working;
  };
  app.addHook('onReady', async () => {
    for (const job of jobs) if (job.first === 'before') await enqueue(job);
    for (const job of jobs) {
      if (job.first === 'after') void enqueue(job);
      timers.push(setInterval(() => void enqueue(job), job.every).unref());
    }
  });
  app.addHook('onClose', async () => {
    for (const timer of timers) clearInterval(timer);
    stopping.abort();
    await working;
    await finish?.();
  });
}
