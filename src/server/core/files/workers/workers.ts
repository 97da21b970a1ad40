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

/** Jobs that wait in a pool; one that comes when there are more is refused. */
const MAX_WAITING = 200;
/** Milliseconds after which a pool without work lets its threads go, and with them their memory. */
const WORKER_IDLE_TIME = 20_000;
/** How much lower the threads stand than the one that answers requests, as `nice` counts it. */
const NICE = 10;

/** What jobs and threads may take. */
interface Limits {
  jobs: typeof JOB_LIMITS;
  pool: PoolLimits;
  decoders: ConstructorParameters<typeof Decoders>[0];
}

/** Whom the server itself decodes for: what pages show, and what it drew. */
const SERVER: Requester = { sender: 'user', organizationId: null, address: null };

type AllJobs = Jobs & DecoderJobs;

const isText = (job: keyof AllJobs): job is keyof Jobs => job in JOB_LIMITS;

/** The pool while it has threads. */
interface Running {
  threads: Piscina<Order, Outcome>;
  /** Jobs that wait or are done at the moment, and the number of the last one. */
  jobs: number;
  last: number;
  /** Begins the time of a job, by its number. */
  begun: Map<number, (said: Begun) => void>;
}

async function startPool({ threads, memory }: PoolLimits): Promise<Running> {
  const { Piscina } = await import('piscina');
  const begun = new Map<number, (said: Begun) => void>();
  const pool = new Piscina<Order, Outcome>({
    filename: FILE,
    name: 'work',
    // One always stands ready: a pool without any would leave those waiting where they are when it loses its last thread.
    minThreads: 1,
    maxThreads: threads,
    // Threads go on with what is asynchronous between two jobs, such as closing files.
    atomics: 'disabled',
    niceIncrement: NICE,
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  pool.on('message', (said: Begun) => begun.get(said.begun)?.(said));
  // A thread that fails between jobs is replaced, and nobody waits for it.
  pool.on('error', () => {});
  return { threads: pool, jobs: 0, last: 0, begun };
}

/** Why a thread ended in the middle of a job, where it is the job's fault. */
const isOutOfMemory = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Does beside the server what reads bytes that others sent, with a limit of time and memory for each job: one that takes more is
 * refused, its thread or process is replaced, and nobody else notices. Texts are read in threads, files in decoders. They start
 * with the first job, and end when there was none for a while.
 */
export class Workers {
  #pool: Promise<Running> | null = null;
  readonly #decoders: Decoders;
  readonly #counts = new Map<keyof AllJobs, Partial<Record<Ending, number>>>();
  readonly #limits: Limits;
  #orders = 0;
  #isClosed = false;

  /** @param limits what each job, thread and decoder may take */
  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { jobs: JOB_LIMITS, pool: POOL, decoders: {}, ...limits };
    this.#decoders = new Decoders(this.#limits.decoders, (job, ending) => this.#count(job, ending));
  }

  /** What operators watch: how many jobs there were, and how many were given up. */
  measures(): (Omit<Measure, 'read'> & { read(): Iterable<Sample> })[] {
    return [
      {
        name: 'enfilade_worker_jobs_total',
        type: 'counter',
        help: 'Jobs of workers, by how they ended: done, or given up for time, memory or a crash.',
        labels: ['job', 'end'],
        read: () =>
          [...this.#counts].flatMap(([job, counts]) =>
            Object.entries(counts).map(([end, count]): Sample => [{ job, end }, count]),
          ),
      },
    ];
  }

  /**
   * Has a job done.
   * @param requester on whose behalf a file is decoded
   * @throws ApiError what the job refuses with, or that of its limits; unavailable while too many wait, or when the server stops
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

  /** Whether decoders respond. */
  responds(): Promise<boolean> {
    return this.#decoders.responds();
  }

  async #read(job: keyof Jobs, input: unknown): Promise<unknown> {
    this.#pool ??= startPool(this.#limits.pool);
    const pool = await this.#pool;
    if (pool.jobs >= MAX_WAITING)
      throw new ApiError('unavailable', 'Too much is being read at this moment. Try again in a moment.');
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
    // Its time begins when it does: waiting for others is not its fault.
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

  /** Ends the threads, unless they have work again by then. */
  async #rest(pool: Running): Promise<void> {
    const { last } = pool;
    await passed(WORKER_IDLE_TIME, undefined, { ref: false });
    if (pool.jobs > 0 || pool.last !== last) return;
    this.#pool = null;
    await pool.threads.destroy();
  }

  /** Ends all threads and decoders, whatever they are at. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#decoders.close(), this.#pool?.then(({ threads }) => threads.destroy())]);
    this.#pool = null;
  }
}
