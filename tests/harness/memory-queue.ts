import type { KeptQueue, QueueEntry } from '../../src/editor/saving/kept-queue.ts';

/** What a browser keeps of a queue, in memory: what one editor leaves behind, the next one finds. */
export class MemoryQueue implements KeptQueue {
  readonly #entries = new Map<number, string>();

  async load(): Promise<QueueEntry[]> {
    const entries = [...this.#entries.values()].map((text): QueueEntry => JSON.parse(text));
    return entries.sort((a, b) => a.seq - b.seq);
  }

  async write({ put = [], remove = [] }: Parameters<KeptQueue['write']>[0]): Promise<void> {
    for (const entry of put) this.#entries.set(entry.seq, JSON.stringify(entry));
    for (const seq of remove) this.#entries.delete(seq);
  }

  get size(): number {
    return this.#entries.size;
  }
}
