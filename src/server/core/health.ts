import type { FastifyBaseLogger } from 'fastify';
import { type Clock, timestampOf } from './clock.ts';

/** What a server stands on. */
export type PartName = 'database' | 'disk' | 'key' | 'nats' | 's3' | 'posters' | 'token_search';

/** How a part is: `failed` where requests fail without it, `degraded` where the server goes on with less. */
export interface Finding {
  state: 'ok' | 'degraded' | 'failed';
  /** A sentence that says what is wrong and names no address; null where nothing is. */
  problem: string | null;
  /** For the log. */
  cause?: unknown;
}

export const WELL: Finding = { state: 'ok', problem: null };

/** A part as `/readyz` shows it. */
export interface PartReport {
  state: Finding['state'];
  problem: string | null;
  /** Since when it is as it is. */
  since: string;
}

/** How the server is: `unavailable` and `stopping` ask for requests to be sent elsewhere. */
export interface HealthReport {
  status: 'ready' | 'degraded' | 'unavailable' | 'stopping';
  parts: Partial<Record<PartName, PartReport>>;
}

/** Milliseconds between two looks at a part that is not well. */
const SOON = 1000;

interface Part {
  check: () => Promise<Finding>;
  /** Milliseconds between two looks while all is well. */
  every: number;
  finding: Finding;
  sinceMs: number;
  timer: NodeJS.Timeout | undefined;
  /** The look under way. */
  looking: Promise<void> | undefined;
  /** Whether another look was asked for meanwhile. */
  isAgain: boolean;
  /** Whether an error of this part has been logged since it was last well. */
  isTold: boolean;
}

/**
 * Knows how everything is that the server stands on. Looks are taken in the background, and at once when something fails:
 * no request waits for one.
 */
export class Health {
  /** Whether the server was told to stop. */
  isStopping = false;
  readonly #clock: Clock;
  readonly #log: FastifyBaseLogger;
  readonly #parts = new Map<PartName, Part>();
  #isRunning = false;

  constructor(clock: Clock, log: FastifyBaseLogger) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Adds a part.
   * @param every milliseconds between two looks while it is well
   * @param check says how it is; what it throws is a fault of the program
   */
  watch(name: PartName, every: number, check: () => Promise<Finding>): void {
    this.#parts.set(name, {
      check,
      every,
      finding: WELL,
      sinceMs: this.#clock.now(),
      timer: undefined,
      looking: undefined,
      isAgain: false,
      isTold: false,
    });
  }

  /** Looks at everything once, and goes on looking. */
  async start(): Promise<void> {
    this.#isRunning = true;
    await Promise.all([...this.#parts.keys()].map((name) => this.look(name)));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const part of this.#parts.values()) clearTimeout(part.timer);
    await Promise.all([...this.#parts.values()].map(({ looking }) => looking));
  }

  /** Looks at a part now: something failed that needs it. Whoever asks while a look is under way gets another one after it. */
  async look(name: PartName): Promise<void> {
    const part = this.#parts.get(name);
    if (!part || !this.#isRunning) return;
    if (part.looking) {
      part.isAgain = true;
      return;
    }
    clearTimeout(part.timer);
    part.looking = this.#lookOnce(name, part);
    await part.looking;
    part.looking = undefined;
    if (!this.#isRunning) return;
    const wait = part.isAgain || part.finding.state !== 'ok' ? SOON : part.every;
    part.isAgain = false;
    part.timer = setTimeout(() => void this.look(name), wait).unref();
  }

  async #lookOnce(name: PartName, part: Part): Promise<void> {
    try {
      this.#take(name, part, await part.check());
    } catch (error) {
      this.#log.error(error);
    }
  }

  #take(name: PartName, part: Part, finding: Finding): void {
    const before = part.finding;
    part.finding = finding;
    const now = this.#clock.now();
    if (finding.state === 'ok') part.isTold = false;
    if (finding.state === before.state) return;
    const seconds = Math.round((now - part.sinceMs) / 1000);
    part.sinceMs = now;
    if (finding.state === 'ok')
      this.#log.warn({ part: name, seconds }, `All is well again after ${seconds} s: ${name}.`);
    else this.#log.error({ part: name, state: finding.state, err: finding.cause }, finding.problem ?? name);
  }

  /**
   * Whether a failure of a part is worth a line of its own in the log: the first one is, and those that follow while the part is
   * away say the same. Looks at the part.
   */
  isNews(name: PartName): boolean {
    const part = this.#parts.get(name);
    if (!part) return true;
    void this.look(name);
    const isNews = !part.isTold;
    part.isTold = true;
    return isNews;
  }

  /** Whether a part is well, as far as is known. */
  isWell(name: PartName): boolean {
    return this.#parts.get(name)?.finding.state !== 'failed';
  }

  report(): HealthReport {
    const entries = [...this.#parts].map(
      ([
        name,
        {
          finding: { state, problem },
          sinceMs,
        },
      ]) => [name, { state, problem, since: timestampOf(sinceMs) }],
    );
    const states = [...this.#parts.values()].map(({ finding }) => finding.state);
    const worst = states.includes('failed') ? 'unavailable' : states.includes('degraded') ? 'degraded' : 'ready';
    return { status: this.isStopping ? 'stopping' : worst, parts: Object.fromEntries(entries) };
  }
}
