import { parentPort, threadId } from 'node:worker_threads';
import { type PackedError, packError } from '../decoders/packed-error.ts';

/** What workers do: they read texts. A worker loads what a job needs when the first of its kind comes. */
const jobs = {
  checkCodes: async () => (await import('../inspect/codes/codes-in-file.ts')).checkCodesFile,
  cleanHtml: async () => (await import('../../html/sanitize-html.ts')).cleanHtml,
  splitItem: async () => (await import('../inspect/items/items-in-file.ts')).splitItem,
  checkItems: async () => (await import('../inspect/items/items-in-file.ts')).checkItems,
  readElements: async () => (await import('../inspect/items/read-elements.ts')).readElementsText,
  readFeed: async () => (await import('../inspect/feeds/picdrop-items.ts')).picdropItems,
} satisfies Record<string, () => Promise<(input: never) => unknown>>;

/** The jobs by name: functions of one input, which travels to the worker, to a result, which travels back. */
export type Jobs = { [N in keyof typeof jobs]: Awaited<ReturnType<(typeof jobs)[N]>> };

/** A job as it is sent to a worker. */
export interface Order {
  /** Number by which the worker says that it begins. */
  id: number;
  job: keyof Jobs;
  input: unknown;
}

/** What a worker says when it has loaded what a job needs. */
export interface Begun {
  /** Number of the order. */
  begun: number;
  thread: number;
  /** What the thread has computed until then. */
  computed: NodeJS.CpuUsage;
}

/** What comes of a job. */
export type Outcome = { result: unknown } | { error: PackedError };

/** Does one job. Errors are part of the outcome, so that they arrive with their codes. */
export async function work({ id, job, input }: Order): Promise<Outcome> {
  try {
    const does = (await jobs[job]()) as (input: unknown) => unknown;
    parentPort!.postMessage({ begun: id, thread: threadId, computed: process.threadCpuUsage() } satisfies Begun);
    return { result: await does(input) };
  } catch (error) {
    return { error: packError(error) };
  }
}
