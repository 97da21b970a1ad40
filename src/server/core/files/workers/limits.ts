import { availableParallelism } from 'node:os';
import { ApiError } from '../../../../contract/errors.ts';
import { refuseCodes } from '../inspect/codes/refuse-codes.ts';
import { FEED_FIELD } from '../inspect/feeds/source-item.ts';
import { refuseItems } from '../inspect/items/refuse-items.ts';
import type { TimeLimit } from './limit-time.ts';
import type { Jobs } from './worker.ts';

/**
 * Size of a thread pool, and MB of heap per thread. The heap limit stops only code that allocates in small pieces;
 * large allocations must be limited through the input size.
 */
export interface PoolLimits {
  threads: number;
  memory: number;
}

/** At least two, so that one long job doesn't block all others. */
const THREADS = Math.max(2, availableParallelism() - 1);

/** Pool for parsing texts while users wait for a save. Decoders read files. */
export const POOL: PoolLimits = { threads: THREADS, memory: 768 };

/** The limit that a job exceeded. */
export type Spent = 'time' | 'memory';

/** Limits of a job, and its error when it exceeds them. */
interface JobLimits extends TimeLimit {
  refuse(spent: Spent): ApiError;
}

const TOO: Record<Spent, string> = { time: 'long', memory: 'much memory' };
const tooLongFile = (spent: Spent) =>
  refuseItems('bad_file', `The file takes too ${TOO[spent]} to read. Split it into several.`);

/** The limits of all jobs. */
export const JOB_LIMITS: { readonly [N in keyof Jobs]: JobLimits } = {
  checkCodes: {
    seconds: 120,
    refuse: (spent) => refuseCodes('bad_file', `The file takes too ${TOO[spent]} to read. Split it into several.`),
  },
  cleanHtml: {
    seconds: 10,
    refuse: (spent) => new ApiError('invalid', `The HTML takes too ${TOO[spent]} to read. Simplify it.`),
  },
  checkItems: {
    seconds: 60,
    refuse: tooLongFile,
  },
  readElements: {
    seconds: 20,
    refuse: (spent) =>
      new ApiError('invalid', { elements: [`The elements take too ${TOO[spent]} to read. Split the space.`] }),
  },
  splitItem: { seconds: 20, refuse: tooLongFile },
  readDeliveryReport: {
    seconds: 5,
    refuse: (spent) => new ApiError('invalid', `The delivery report takes too ${TOO[spent]} to read.`),
  },
  readFeed: {
    seconds: 5,
    refuse: (spent) =>
      new ApiError('invalid', {
        [FEED_FIELD]: [`This feed takes too ${TOO[spent]} to read. Use the URL of a smaller one.`],
      }),
  },
};
