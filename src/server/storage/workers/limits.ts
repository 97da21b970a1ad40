import { availableParallelism } from 'node:os';
import { ApiError } from '../../../contract/errors.ts';
import { refuseCodes } from '../inspect/codes/refuse-codes.ts';
import { FEED_FIELD } from '../inspect/feeds/source-item.ts';
import { damaged } from '../inspect/inspection.ts';
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

/** The pools. What people wait for while they save is not behind uploads, and what visitors look at is behind neither. */
export const POOLS = {
  texts: { threads: THREADS, memory: 768 },
  files: { threads: THREADS, memory: 512 },
  pictures: { threads: THREADS, memory: 256 },
} as const satisfies Record<string, PoolLimits>;

/** What a job took too much of. */
export type Spent = 'time' | 'memory';

/** What one job may take, and what is said where it takes more. */
interface JobLimits extends TimeLimit {
  pool: keyof typeof POOLS;
  refuse(spent: Spent): ApiError;
}

const TOO: Record<Spent, string> = { time: 'long', memory: 'much memory' };
const tooHard = (what: string, advice: string) => (spent: Spent) =>
  damaged(`${what} takes too ${TOO[spent]} to read; ${advice}.`);
const file = (seconds: number, what: string, advice = 'make it simpler'): JobLimits => ({
  pool: 'files',
  seconds,
  refuse: tooHard(what, advice),
});
/** What draws images computes in threads that nobody can ask: the clock alone counts. */
const BY_THE_CLOCK = { patience: 1 };
const picture = (seconds: number): JobLimits => ({
  pool: 'pictures',
  seconds,
  ...BY_THE_CLOCK,
  refuse: tooHard('The image', 'send a smaller one'),
});

const tooLongFile = (spent: Spent) =>
  refuseItems('bad_file', `The file takes too ${TOO[spent]} to read. Split it into several.`);

/** The limits of every job. */
export const JOB_LIMITS: { readonly [N in keyof Jobs]: JobLimits } = {
  checkCodes: {
    pool: 'texts',
    seconds: 120,
    refuse: (spent) => refuseCodes('bad_file', `The file takes too ${TOO[spent]} to read. Split it into several.`),
  },
  cleanHtml: {
    pool: 'texts',
    seconds: 10,
    refuse: (spent) => new ApiError('invalid', `The HTML takes too ${TOO[spent]} to read; make it simpler.`),
  },
  checkItems: {
    pool: 'texts',
    seconds: 60,
    refuse: tooLongFile,
  },
  readElements: {
    pool: 'texts',
    seconds: 20,
    refuse: (spent) =>
      new ApiError('invalid', { elements: [`The elements take too ${TOO[spent]} to read. Split the space.`] }),
  },
  splitItem: { pool: 'texts', seconds: 20, refuse: tooLongFile },
  readFeed: {
    pool: 'texts',
    seconds: 5,
    refuse: (spent) =>
      new ApiError('invalid', {
        [FEED_FIELD]: [`This feed takes too ${TOO[spent]} to read. Use an address of a smaller one.`],
      }),
  },
  tellKind: { pool: 'texts', seconds: 5, refuse: tooHard('The file', 'export it again') },
  readEnvironment: file(20, 'The environment', 'export it again'),
  readFont: file(10, 'The font', 'use another one'),
  readModel: file(5, 'The model'),
  readPicture: { ...file(60, 'The image', 'send a smaller one'), ...BY_THE_CLOCK },
  readSoundOrFilm: file(20, 'The audio or video', 'export it again'),
  readText: file(10, 'The text file'),
  unpackArchive: file(60, 'The archive'),
  drawThumbnail: picture(30),
  cutTiles: picture(60),
  drawPosterImages: picture(30),
  drawTurntableImages: picture(30),
};
