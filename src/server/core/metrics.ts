import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the latency histograms' buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Prefix of all metrics but those of the process and of Node.js, whose names are the same in every program. */
const PREFIX = 'enfilade_';

/** A value with its labels. */
export type Sample = [labels: Record<string, string>, value: number];

/** A metric that is read on each scrape. */
export interface Measure {
  /** Without `enfilade_`; it ends with its unit, and a counter's with `_total`. */
  name: string;
  type: 'counter' | 'gauge';
  help: string;
  /** Label names; none by default. */
  labels?: readonly string[];
  read(): Iterable<Sample> | Promise<Iterable<Sample>>;
}

/** A metric with a single value, or none (null) where it doesn't apply. */
export const single = (
  name: string,
  type: Measure['type'],
  help: string,
  read: () => number | null | Promise<number | null>,
): Measure => ({
  name,
  type,
  help,
  read: async () => {
    const value = await read();
    return value === null ? [] : [[{}, value]];
  },
});

/** Samples from the database; while it is unreachable, the last ones. */
export function lastKnown(read: () => Promise<Sample[]>): () => Promise<Sample[]> {
  let known: Sample[] = [];
  return async () => {
    known = await read().catch(() => known);
    return known;
  };
}

/** Counts how something ended. Each database has its own counts, as one process can run several servers. */
export class OutcomeCounter<Outcome extends string> {
  readonly #about: { name: string; help: string };
  readonly #outcomes: readonly Outcome[];
  readonly #counts = new WeakMap<object, Map<Outcome, number>>();

  constructor(about: { name: string; help: string }, outcomes: readonly Outcome[]) {
    this.#about = about;
    this.#outcomes = outcomes;
  }

  #countsOf(db: object): Map<Outcome, number> {
    const counts = this.#counts.get(db) ?? new Map(this.#outcomes.map((outcome) => [outcome, 0]));
    this.#counts.set(db, counts);
    return counts;
  }

  /** @param db the server's database, not a transaction */
  count(db: object, outcome: Outcome): void {
    const counts = this.#countsOf(db);
    counts.set(outcome, counts.get(outcome)! + 1);
  }

  measure(db: object): Measure {
    const read = () => [...this.#countsOf(db)].map(([outcome, count]): Sample => [{ outcome }, count]);
    return { ...this.#about, type: 'counter', labels: ['outcome'], read };
  }
}

/** Process metrics: one per process, whatever runs in it. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  new Gauge({
    name: 'process_uptime_seconds',
    help: 'Time since the process started.',
    registers: [ofProcess],
    collect() {
      this.set(process.uptime());
    },
  });
  return ofProcess;
}

/** Server metrics in Prometheus text format 0.0.4. */
export class Metrics {
  static readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Completed requests.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = this.histogram(
    'http_request_duration_seconds',
    'Time from the arrival of a request to the end of its response.',
    ['route', 'method'],
  );

  /** Process metrics are collected from the first instance on. */
  constructor() {
    processRegistry();
  }

  /** A histogram in seconds. */
  histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name: PREFIX + name, help, labelNames, buckets: BUCKETS, registers: [this.#registry] });
  }

  /** Adds a metric from another part of the server. */
  add({ name, type, help, labels = [], read }: Measure): void {
    const shared = { name: PREFIX + name, help, labelNames: [...labels], registers: [this.#registry] };
    const collect = async (metric: Counter | Gauge, write: (...sample: Sample) => void) => {
      const samples = [...(await read())];
      metric.reset();
      // A reset metric without labels shows 0.
      if (samples.length === 0 && labels.length === 0) metric.remove();
      for (const sample of samples) write(...sample);
    };
    if (type === 'gauge') {
      new Gauge({
        ...shared,
        collect() {
          return collect(this, (given, value) => this.set(given, value));
        },
      });
      return;
    }
    new Counter({
      ...shared,
      collect() {
        return collect(this, (given, value) => this.inc(given, value));
      },
    });
  }

  /**
   * Counts a completed request.
   * @param route declared path, so that ids don't become labels
   * @param seconds from the request's arrival to the end of its response
   */
  count(route: string, method: string, status: number, seconds: number): void {
    this.#requests.inc({ route, method, status });
    this.#durations.observe({ route, method }, seconds);
  }

  /** All metrics as text. */
  async text(): Promise<string> {
    return `${await processRegistry().metrics()}${await this.#registry.metrics()}`;
  }
}
