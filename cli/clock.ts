import { performance } from 'node:perf_hooks';

/** The time for what is measured and shown; nothing that is computed depends on it. */
export const systemClock = { now: (): number => performance.timeOrigin + performance.now() };
