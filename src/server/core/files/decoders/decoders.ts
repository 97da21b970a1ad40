import { setTimeout as passed } from 'node:timers/promises';
import { ApiError } from '../../../../contract/errors.ts';
import type { DecoderJobs } from './decoder.ts';
import { type Allowance, DecoderProcess, wrapping } from './decoder-process.ts';
import { DECODER_JOBS, DECODER_MEMORY, DECODER_TURNS, LARGE_PIXELS, type Spent } from './limits.ts';
import { type Requester, Turns } from './turns.ts';

/** Milliseconds after which an idle decoder exits. */
const IDLE_TIME = 20_000;
/** Ping timeout of an idle decoder in milliseconds. */
const PING_TIME = 3000;
/**
 * Maximum memory in bytes of an idle decoder: with more, it would reject files that others can decode. One that has
 * decoded small images takes 115 MB; replacing it after each of them would take most of the time.
 */
const KEPT_MEMORY = 130 * 1024 * 1024;

/** Jobs on an image, whose path is in their input's `path` or `source`. */
const IMAGE_JOBS = new Set<keyof DecoderJobs>([
  'readPicture',
  'drawThumbnail',
  'cutTiles',
  'drawPosterImages',
  'drawTurntableImages',
]);

/** Jobs that decode as much as a large image. */
const LARGE_JOBS = new Set<keyof DecoderJobs>(['assemblePanorama']);

/** Outcome of a job. */
export type Ending = 'done' | Spent;

/** Limits of jobs and decoders. */
interface Limits {
  jobs: typeof DECODER_JOBS;
  memory: typeof DECODER_MEMORY;
  turns: typeof DECODER_TURNS;
}

/**
 * Decodes untrusted files in separate processes, which are killed if they exceed their memory or time. They share
 * neither memory nor libuv's pool with the server. They start with the first job and exit after an idle period.
 */
export class Decoders {
  readonly #limits: Limits;
  readonly #turns: Turns;
  /** All running decoders, with the deadlines of their jobs. */
  readonly #decoders = new Map<DecoderProcess, number>();
  /** Idle decoders, the last used one at the end. */
  readonly #idle: DecoderProcess[] = [];
  #wrapped: string[] | undefined;
  readonly #count: (job: keyof DecoderJobs, ending: Ending) => void;
  #isClosed = false;

  /**
   * @param limits limits of each job and each process
   * @param count records the outcome of a job
   */
  constructor(limits: Partial<Limits> = {}, count: (job: keyof DecoderJobs, ending: Ending) => void = () => {}) {
    this.#count = count;
    this.#limits = { jobs: DECODER_JOBS, memory: DECODER_MEMORY, turns: DECODER_TURNS, ...limits };
    this.#turns = new Turns(this.#limits.turns);
  }

  /**
   * Queues a job and runs it.
   * @throws ApiError the job's own error, or that of its limits; unavailable if too many jobs are queued, or when the
   * server stops
   */
  async run<N extends keyof DecoderJobs>(
    job: N,
    input: Parameters<DecoderJobs[N]>[0],
    requester: Requester,
  ): Promise<Awaited<ReturnType<DecoderJobs[N]>>> {
    const { isCopy, isBackground = false } = this.#limits.jobs[job];
    const inTurn = async <T>(isLarge: boolean, work: () => Promise<T>): Promise<T> => {
      if (this.#isClosed) throw new ApiError('unavailable');
      const end = await this.#turns.take({ ...requester, isCopy, isBackground, isLarge });
      return work().finally(end);
    };
    let isLarge = LARGE_JOBS.has(job);
    if (IMAGE_JOBS.has(job)) {
      const { path, source = path } = input as { path?: string; source?: string };
      const measured = { path: source!, sender: requester.sender };
      isLarge = (await inTurn(false, () => this.#do('measureImage', measured, requester))) > LARGE_PIXELS;
    }
    return inTurn(isLarge, () => this.#do(job, input, requester));
  }

  async #do<N extends keyof DecoderJobs>(
    job: N,
    input: Parameters<DecoderJobs[N]>[0],
    { sender }: Pick<Requester, 'sender'>,
    isAgain = false,
  ): Promise<Awaited<ReturnType<DecoderJobs[N]>>> {
    const allowance: Allowance = { ...this.#limits.jobs[job], memory: this.#limits.memory[sender] };
    const decoder = this.#idle.pop() ?? (await this.#start());
    try {
      this.#decoders.set(decoder, performance.now() + allowance.patience * 1000 + PING_TIME);
      const { ending, hasBegun, outcome } = await decoder.do({ job, input }, allowance);
      if (this.#isClosed) throw new ApiError('unavailable');
      // A decoder killed externally before it began doesn't prove the file faulty.
      if (ending === 'crash' && !hasBegun && !isAgain) return await this.#do(job, input, { sender }, true);
      this.#count(job, ending);
      return outcome() as Awaited<ReturnType<DecoderJobs[N]>>;
    } finally {
      await this.#rest(decoder);
    }
  }

  async #start(): Promise<DecoderProcess> {
    this.#wrapped ??= wrapping();
    const decoder = await DecoderProcess.start(this.#wrapped);
    this.#decoders.set(decoder, Infinity);
    void decoder.ended.then(() => {
      this.#decoders.delete(decoder);
      this.#forget(decoder);
    });
    if (this.#isClosed) decoder.end();
    return decoder;
  }

  /** @returns whether it was idle */
  #forget(decoder: DecoderProcess): boolean {
    const at = this.#idle.indexOf(decoder);
    if (at >= 0) this.#idle.splice(at, 1);
    return at >= 0;
  }

  /** Makes a decoder idle, unless it uses too much memory, and ends it after the idle time. */
  async #rest(decoder: DecoderProcess): Promise<void> {
    if (decoder.hasEnded) return;
    if (this.#isClosed || (await decoder.memory()) > KEPT_MEMORY) return decoder.end();
    this.#decoders.set(decoder, Infinity);
    this.#idle.push(decoder);
    const since = ++decoder.rests;
    void passed(IDLE_TIME, undefined, { ref: false }).then(() => {
      // Removed first, so that it gets no more jobs.
      if (decoder.rests === since && this.#forget(decoder)) decoder.end();
    });
  }

  /**
   * Whether the pool responds: an idle decoder answers a ping, or all busy ones are within their deadlines.
   * @returns within a few seconds
   */
  async responds(): Promise<boolean> {
    const now = performance.now();
    if ([...this.#decoders.values()].some((late) => late < now)) return false;
    if (this.#idle.length === 0 && this.#decoders.size > 0) return true;
    const ping = this.#do('ping', undefined as never, { sender: 'user' });
    return Promise.race([ping, passed(PING_TIME, false, { ref: false })]).catch(() => false);
  }

  /** Kills all decoders. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#decoders.keys()];
    for (const decoder of all) decoder.end();
    await Promise.all(all.map(({ ended }) => ended));
  }
}
