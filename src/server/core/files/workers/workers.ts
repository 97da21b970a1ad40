import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { ApiError } from '../../../../contract/errors.ts';
import type { Measure, Sample } from '../../metrics.ts';
import type { DecoderJobs } from '../decoders/decoder.ts';
import { Decoders, type Ending } from '../decoders/decoders.ts';
import { unpackError } from '../decoders/packed-error.ts';
import type { Requester } from '../decoders/turns.ts';
import { limitTime } from './limit-time.ts';
import { JOB_LIMITS, POOL, type PoolLimits } from './limits.ts';
import type { Begun, Jobs, Order, Outcome } from './worker.ts';

const FILE = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Maximum number of queued jobs in a pool; further jobs are rejected. */
const MAX_WAITING = 200;
/** Milliseconds after which an idle pool ends its threads, which frees their memory. */
const WORKER_IDLE_TIME = 20_000;
/** Niceness of worker threads relative to the request thread. */
const NICE = 10;

/** Limits of jobs and threads. */
interface Limits {
  jobs: typeof JOB_LIMITS;
  pool: PoolLimits;
  decoders: ConstructorParameters<typeof Decoders>[0];
}

/** Requester of the server's own jobs: what pages show, and posters. */
const SERVER: Requester = { sender: 'user', organizationId: null, address: null };

type AllJobs = Jobs & DecoderJobs;

const isText = (job: keyof AllJobs): job is keyof Jobs => job in JOB_LIMITS;

/** A pool with running threads. */
interface Running {
  threads: Piscina<Order, Outcome>;
  /** Number of queued and running jobs, and the id of the last one. */
  jobs: number;
  last: number;
  /** Starts a job's timer, by job id. */
  begun: Map<number, (said: Begun) => void>;
}

async function startPool({ threads, memory }: PoolLimits): Promise<Running> {
  const { Piscina } = await import('piscina');
  const begun = new Map<number, (said: Begun) => void>();
  const pool = new Piscina<Order, Outcome>({
    filename: FILE,
    name: 'work',
    // At least one thread: a pool that loses its last one would never run its queued jobs.
    minThreads: 1,
    maxThreads: threads,
    // Threads finish asynchronous work between jobs, such as closing files.
    atomics: 'disabled',
    niceIncrement: NICE,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  pool.on('message', (said: Begun) => begun.get(said.begun)?.(said));
  // A thread that fails between jobs is replaced; no one waits for it.
  pool.on('error', () => {});
  return { threads: pool, jobs: 0, last: 0, begun };
}

/** Whether a job killed its thread by exhausting the heap. */
const isOutOfMemory = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Parses untrusted input outside the request thread, with time and memory limits per job. A job that exceeds them
 * fails, its thread or process is replaced, and other jobs are unaffected. Texts are parsed in threads, files in
 * decoders. They start with the first job and end after an idle period.
 */
export class Workers {
  #pool: Promise<Running> | null = null;
  readonly #decoders: Decoders;
  readonly #counts = new Map<keyof AllJobs, Partial<Record<Ending, number>>>();
  readonly #limits: Limits;
  #orders = 0;
  #isClosed = false;

  /** @param limits limits of each job, thread and decoder */
  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { jobs: JOB_LIMITS, pool: POOL, decoders: {}, ...limits };
    this.#decoders = new Decoders(this.#limits.decoders, (job, ending) => this.#count(job, ending));
  }

  /** Metrics: the number of jobs, and of aborted jobs. */
  measures(): (Omit<Measure, 'read'> & { read(): Iterable<Sample> })[] {
    return [
      {
        name: 'worker_jobs_total',
        type: 'counter',
        help: 'Jobs of decoders and workers that ended: done, or aborted for time, memory or a crash.',
        labels: ['job', 'outcome'],
        read: () =>
          [...this.#counts].flatMap(([job, counts]) =>
            Object.entries(counts).map(([outcome, count]): Sample => [{ job, outcome }, count]),
          ),
      },
    ];
  }

  /**
   * Runs a job.
   * @param requester on whose behalf a file is decoded
   * @throws ApiError the job's own error, or that of its limits; unavailable if too many jobs are queued, or when the
   * server stops
   */
  async run<N extends keyof AllJobs>(
    job: N,
    input: Parameters<AllJobs[N]>[0],
    requester: Requester = SERVER,
  ): Promise<Awaited<ReturnType<AllJobs[N]>>> {
    if (this.#isClosed) throw new ApiError('unavailable');
    const found = isText(job) ? this.#read(job, input) : this.#decoders.run(job, input as never, requester);
    return found as Promise<Awaited<ReturnType<AllJobs[N]>>>;
  }

  /** Whether the decoders respond. */
  responds(): Promise<boolean> {
    return this.#decoders.responds();
  }

  async #read(job: keyof Jobs, input: unknown): Promise<unknown> {
    this.#pool ??= startPool(this.#limits.pool);
    const pool = await this.#pool;
    if (pool.jobs >= MAX_WAITING)
      throw new ApiError('unavailable', 'The server is busy processing other files. Try again in a moment.');
    pool.jobs++;
    pool.last = ++this.#orders;
    try {
      const outcome = await this.#order(pool, { id: pool.last, job, input });
      if ('error' in outcome) throw unpackError(outcome.error);
      return outcome.result;
    } finally {
      pool.jobs--;
      if (pool.jobs === 0) void this.#rest(pool);
    }
  }

  async #order({ threads, begun }: Running, order: Order): Promise<Outcome> {
    const { refuse, ...time } = this.#limits.jobs[order.job];
    const limit = new AbortController();
    let stopLimit: (() => void) | undefined;
    // The timer starts with the job: time in the queue doesn't count.
    begun.set(order.id, ({ thread: id, computed }) => {
      const thread = threads.threads.find(({ threadId }) => threadId === id);
      if (thread) stopLimit = limitTime(thread, computed, time, () => limit.abort());
    });
    try {
      const outcome = await threads.run(order, { signal: limit.signal });
      this.#count(order.job, 'done');
      return outcome;
    } catch (error) {
      const spent = limit.signal.aborted ? 'time' : isOutOfMemory(error) ? 'memory' : undefined;
      if (this.#isClosed) throw new ApiError('unavailable');
      if (!spent) throw error;
      this.#count(order.job, spent);
      throw refuse(spent);
    } finally {
      stopLimit?.();
      begun.delete(order.id);
    }
  }

  #count(job: keyof AllJobs, ending: Ending): void {
    const counts = this.#counts.get(job) ?? {};
    counts[ending] = (counts[ending] ?? 0) + 1;
    this.#counts.set(job, counts);
  }

  /** Ends the threads unless new jobs have arrived. */
  async #rest(pool: Running): Promise<void> {
    const { last } = pool;
    await passed(WORKER_IDLE_TIME, undefined, { ref: false });
    if (pool.jobs > 0 || pool.last !== last) return;
    this.#pool = null;
    await pool.threads.destroy();
  }

  /** Ends all threads and decoders. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#decoders.close(), this.#pool?.then(({ threads }) => threads.destroy())]);
    this.#pool = null;
  }
}
