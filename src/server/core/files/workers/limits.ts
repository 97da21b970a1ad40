import { availableParallelism } from 'node:os';
import { ApiError } from '../../../../contract/errors.ts';
import { refuseCodes } from '../inspect/codes/refuse-codes.ts';
import { FEED_FIELD } from '../inspect/feeds/source-item.ts';
import { refuseItems } from '../inspect/items/refuse-items.ts';
import type { TimeLimit } from './limit-time.ts';
import type { Jobs } from './worker.ts';

/**
 * A pool of threads: how many at most, and MB of memory that each may take. A thread ends by itself only where it asks for memory
 * in small pieces; what it is given must be bounded so that large ones stay far below.
 */
export interface PoolLimits {
  threads: number;
  memory: number;
}

/** Two at least, so that one that takes long does not keep all others waiting. */
const THREADS = Math.max(2, availableParallelism() - 1);

/** The pool in which texts are read that people wait for while they save. Files are read by decoders. */
export const POOL: PoolLimits = { threads: THREADS, memory: 768 };

/** What a job took too much of. */
export type Spent = 'time' | 'memory';

/** What one job may take, and what is said where it takes more. */
interface JobLimits extends TimeLimit {
  refuse(spent: Spent): ApiError;
}

const TOO: Record<Spent, string> = { time: 'long', memory: 'much memory' };
const tooLongFile = (spent: Spent) =>
  refuseItems('bad_file', `The file takes too ${TOO[spent]} to read. Split it into several.`);

/** The limits of every job. */
export const JOB_LIMITS: { readonly [N in keyof Jobs]: JobLimits } = {
  checkCodes: {
    seconds: 120,
    refuse: (spent) => refuseCodes('bad_file', `The file takes too ${TOO[spent]} to read. Split it into several.`),
  },
  cleanHtml: {
    seconds: 10,
    refuse: (spent) => new ApiError('invalid', `The HTML takes too ${TOO[spent]} to read; make it simpler.`),
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
  readFeed: {
    seconds: 5,
    refuse: (spent) =>
      new ApiError('invalid', {
        [FEED_FIELD]: [`This feed takes too ${TOO[spent]} to read. Use an address of a smaller one.`],
      }),
  },
};
