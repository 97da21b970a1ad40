import { performance } from 'node:perf_hooks';

/** Wall-clock time for measuring and display; no computed result depends on it. */
export const systemClock = { now: (): number => performance.timeOrigin + performance.now() };
