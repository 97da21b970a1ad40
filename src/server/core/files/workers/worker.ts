import { parentPort, threadId } from 'node:worker_threads';
import { type PackedError, packError } from '../decoders/packed-error.ts';

/** Worker jobs, which parse texts. A job's dependencies are loaded when the first job of its kind arrives. */
const jobs = {
  checkCodes: async () => (await import('../inspect/codes/codes-in-file.ts')).checkCodesFile,
  cleanHtml: async () => (await import('../../html/sanitize-html.ts')).cleanHtml,
  splitItem: async () => (await import('../inspect/items/items-in-file.ts')).splitItem,
  checkItems: async () => (await import('../inspect/items/items-in-file.ts')).checkItems,
  readElements: async () => (await import('../inspect/items/read-elements.ts')).readElementsText,
  readDeliveryReport: async () => (await import('../inspect/mail/delivery-report.ts')).readDeliveryReport,
  readFeed: async () => (await import('../inspect/feeds/picdrop-items.ts')).picdropItems,
} satisfies Record<string, () => Promise<(input: never) => unknown>>;

/** The jobs by name: functions of one input to a result, both sent between threads. */
export type Jobs = { [N in keyof typeof jobs]: Awaited<ReturnType<(typeof jobs)[N]>> };

/** A job as sent to a worker. */
export interface Order {
  /** Identifies the job in the worker's `Begun` message. */
  id: number;
  job: keyof Jobs;
  input: unknown;
}

/** Sent by a worker once it has loaded a job's dependencies. */
export interface Begun {
  /** Id of the order. */
  begun: number;
  thread: number;
  /** CPU time of the thread so far. */
  computed: NodeJS.CpuUsage;
}

/** Outcome of a job. */
export type Outcome = { result: unknown } | { error: PackedError };

/** Runs a job. Errors are part of the outcome, so that their codes survive. */
export async function work({ id, job, input }: Order): Promise<Outcome> {
  try {
    const does = (await jobs[job]()) as (input: unknown) => unknown;
    parentPort!.postMessage({ begun: id, thread: threadId, computed: process.threadCpuUsage() } satisfies Begun);
    return { result: await does(input) };
  } catch (error) {
    return { error: packError(error) };
  }
}
