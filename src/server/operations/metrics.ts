import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Upper edges of the latency histogram's buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Milliseconds between two looks at the event loop. */
const LOOP_RESOLUTION = 20;
const NANOSECONDS = 1e9;

/** The requests of one route and method. */
interface Requests {
  labels: string;
  /** Requests by status. */
  statuses: Map<number, number>;
  /** Requests by bucket; the last one has no upper edge. */
  counts: number[];
  sum: number;
}

/** A label's value as the text format has it. */
const escapeLabel = (value: string) => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');

const labelsOf = (labels: Record<string, string>) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');

/** Name, type and meaning of a measure, and its values by their labels. */
export type Measure = [name: string, type: 'counter' | 'gauge', help: string, samples: Iterable<[string, number]>];

/** One measure in Prometheus' text format. */
function measure(...[name, type, help, samples]: Measure): string {
  const lines = [...samples].map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

function* histogramLines(name: string, { labels, counts, sum }: Requests): Generator<string> {
  let total = 0;
  for (const [index, count] of counts.entries()) {
    total += count;
    yield `${name}_bucket{${labels},le="${BUCKETS[index] ?? '+Inf'}"} ${total}`;
  }
  yield `${name}_sum{${labels}} ${sum}`;
  yield `${name}_count{${labels}} ${total}`;
}

/**
 * Counts requests and looks at the process, for Prometheus (text format 0.0.4).
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export class Metrics {
  readonly #requests = new Map<string, Requests>();
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION });

  start(): void {
    this.#loop.enable();
  }

  stop(): void {
    this.#loop.disable();
  }

  /**
   * Counts a request that has been answered.
   * @param route path as it was declared, so that ids make no labels of their own
   * @param seconds from the request's arrival to the end of its answer
   */
  count(route: string, method: string, status: number, seconds: number): void {
    const key = `${method} ${route}`;
    let requests = this.#requests.get(key);
    if (!requests) {
      const counts = Array(BUCKETS.length + 1).fill(0);
      requests = { labels: labelsOf({ route, method }), statuses: new Map(), counts, sum: 0 };
      this.#requests.set(key, requests);
    }
    const { statuses, counts } = requests;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const bucket = BUCKETS.findIndex((edge) => seconds <= edge);
    counts[bucket === -1 ? BUCKETS.length : bucket]! += 1;
    requests.sum += seconds;
  }

  /**
   * Everything as text. The event loop's lag is that since the text was last asked for.
   * @param others what other parts of the server measure
   */
  text(others: readonly Measure[]): string {
    const { rss, heapUsed, external } = process.memoryUsage();
    const cpu = process.cpuUsage();
    const lag = [0.5, 0.99].map((quantile): [string, number] => [
      `quantile="${quantile}"`,
      this.#loop.percentile(quantile * 100) / NANOSECONDS,
    ]);
    this.#loop.reset();
    const all = [...this.#requests.values()];
    const byStatus = all.flatMap(({ labels, statuses }) =>
      [...statuses].map(([status, count]): [string, number] => [`${labels},status="${status}"`, count]),
    );
    const histogram = 'http_request_duration_seconds';
    const parts = [
      measure('http_requests_total', 'counter', 'Requests that were answered.', byStatus),
      [
        `# HELP ${histogram} Seconds from a request to the end of its answer.`,
        `# TYPE ${histogram} histogram`,
        ...all.flatMap((requests) => [...histogramLines(histogram, requests)]),
      ].join('\n'),
      measure('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [['', rss]]),
      measure('nodejs_heap_size_used_bytes', 'gauge', 'JavaScript heap in use.', [['', heapUsed]]),
      measure('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers outside of the heap.', [['', external]]),
      measure('process_cpu_seconds_total', 'counter', 'Processor time.', [['', (cpu.user + cpu.system) / 1e6]]),
      measure('process_uptime_seconds', 'gauge', 'Time since the start.', [['', process.uptime()]]),
      measure('nodejs_eventloop_lag_seconds', 'gauge', `Time between two turns of a ${LOOP_RESOLUTION} ms timer.`, lag),
      ...others.map((other) => measure(...other)),
    ];
    return `${parts.join('\n')}\n`;
  }
}
