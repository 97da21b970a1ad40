import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the latency histograms' buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A value with its labels. */
export type Sample = [labels: Record<string, string>, value: number];

/** A metric that is read on each scrape. */
export interface Measure {
  name: string;
  type: 'counter' | 'gauge';
  help: string;
  /** Label names; none by default. */
  labels?: readonly string[];
  read(): Iterable<Sample> | Promise<Iterable<Sample>>;
}

/** A metric with a single value. */
export const single = (
  name: string,
  type: Measure['type'],
  help: string,
  read: () => number | Promise<number>,
): Measure => ({ name, type, help, read: async () => [[{}, await read()]] });

/** Process metrics: one per process, whatever runs in it. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  new Gauge({
    name: 'process_uptime_seconds',
    help: 'Time since the start.',
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
    name: 'http_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.#registry],
  });
  readonly #durations = this.histogram(
    'http_request_duration_seconds',
    'Seconds from a request to the end of its answer.',
    ['route', 'method'],
  );

  /** Process metrics are collected from the first instance on. */
  constructor() {
    processRegistry();
  }

  /** A histogram in seconds. */
  histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.#registry] });
  }

  /** Adds a metric from another part of the server. */
  add({ name, type, help, labels = [], read }: Measure): void {
    const shared = { name, help, labelNames: [...labels], registers: [this.#registry] };
    if (type === 'gauge') {
      new Gauge({
        ...shared,
        async collect() {
          const samples = await read();
          this.reset();
          for (const [given, value] of samples) this.set(given, value);
        },
      });
      return;
    }
    new Counter({
      ...shared,
      async collect() {
        const samples = await read();
        this.reset();
        for (const [given, value] of samples) this.inc(given, value);
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
