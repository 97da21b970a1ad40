import type { FastifyBaseLogger } from 'fastify';
import { type Clock, timestampOf } from './clock.ts';

/** Dependencies of a server. */
export type PartName = 'database' | 'disk' | 'key' | 'nats' | 's3' | 'posters' | 'token_search';

/**
 * State of a dependency: `failed` if requests fail without it, `degraded` if the server continues with reduced
 * function.
 */
export interface Finding {
  state: 'ok' | 'degraded' | 'failed';
  /** A sentence with the problem, without addresses; null if there is none. */
  problem: string | null;
  /** For the log. */
  cause?: unknown;
}

export const WELL: Finding = { state: 'ok', problem: null };

/** A dependency in the response of `/readyz`. */
export interface PartReport {
  state: Finding['state'];
  problem: string | null;
  /** Time of the last state change. */
  since: string;
}

/** State of the server: `unavailable` and `stopping` ask load balancers to send requests elsewhere. */
export interface HealthReport {
  status: 'ready' | 'degraded' | 'unavailable' | 'stopping';
  parts: Partial<Record<PartName, PartReport>>;
}

/** Milliseconds between checks of an unhealthy dependency. */
const SOON = 1000;

interface Part {
  check: () => Promise<Finding>;
  /** Milliseconds between checks while all is healthy. */
  every: number;
  finding: Finding;
  sinceMs: number;
  timer: NodeJS.Timeout | undefined;
  /** The check in progress. */
  looking: Promise<void> | undefined;
  /** Whether another check was requested meanwhile. */
  isAgain: boolean;
  /** Whether a failure has been logged since it was last healthy. */
  isTold: boolean;
}

/**
 * Tracks the health of all dependencies. Checks run in the background, and immediately after a failure: no request
 * waits for one.
 */
export class Health {
  /** Whether shutdown has begun. */
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
   * Adds a dependency.
   * @param every milliseconds between checks while it is healthy
   * @param check returns its state; an exception is a bug
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

  /** Checks everything once and starts the periodic checks. */
  async start(): Promise<void> {
    this.#isRunning = true;
    await Promise.all([...this.#parts.keys()].map((name) => this.look(name)));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const part of this.#parts.values()) clearTimeout(part.timer);
    await Promise.all([...this.#parts.values()].map(({ looking }) => looking));
  }

  /**
   * Checks a dependency now, because an operation on it failed. A request during a running check triggers another one
   * after it.
   */
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
    if (finding.state === 'ok') this.#log.warn({ part: name, seconds }, `Recovered after ${seconds} s: ${name}.`);
    else this.#log.error({ part: name, state: finding.state, err: finding.cause }, finding.problem ?? name);
  }

  /** Whether a failure deserves its own log line: only the first one of an outage does. Triggers a check. */
  isNews(name: PartName): boolean {
    const part = this.#parts.get(name);
    if (!part) return true;
    void this.look(name);
    const isNews = !part.isTold;
    part.isTold = true;
    return isNews;
  }

  /** Whether a dependency is healthy, according to the last check. */
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
