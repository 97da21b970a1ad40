import type { Client } from '../../contract/client.ts';

/** Ids that an editor has at first, and below how many it asks for more. */
const [LEASED, FEW] = [200, 50];

interface PoolOptions {
  /** Asks the server for ids; at most 500 at a time. */
  lease(count: number): Promise<readonly number[]>;
  notify(text: string): void;
}

/** Ids for new elements, leased ahead, so that elements can be added without a connection. */
export class IdPool {
  readonly #options: PoolOptions;
  #free: readonly number[] = [];
  #asking: Promise<void> | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Ids for new elements; null, and says why, where there are not enough. */
  take(count = 1): number[] | null {
    if (this.#free.length < count) {
      this.#options.notify('Nothing can be added until there is a connection again.');
      void this.fill().catch(() => undefined);
      return null;
    }
    const ids = this.#free.slice(0, count);
    this.#free = this.#free.slice(count);
    if (this.#free.length < FEW) void this.fill().catch(() => undefined);
    return ids;
  }

  /** Waits until there are that many ids, and takes them; null, and says why, without a connection. */
  async taken(count: number): Promise<number[] | null> {
    while (this.#free.length < count) {
      const before = this.#free.length;
      await this.fill(count).catch(() => undefined);
      if (this.#free.length === before) break;
    }
    return this.take(count);
  }

  /** Asks for ids, if there are fewer than there should be. */
  fill(least = LEASED): Promise<void> {
    this.#asking ??= this.#ask(Math.max(least, LEASED)).finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Forgets what was leased from a server that no longer knows of it. */
  forget(): void {
    this.#free = [];
  }

  async #ask(wanted: number): Promise<void> {
    const missing = Math.min(wanted - this.#free.length, 500);
    if (missing <= 0) return;
    const ids = await this.#options.lease(missing);
    this.#free = [...this.#free, ...ids];
  }
}

/** Asks the server for ids of new elements of a room. @param page name of the program that asks */
export async function leaseIds(client: Client, roomId: number, page: string, lease: number): Promise<number[]> {
  const body = { client: page, mutation: 1, commands: [], lease };
  return (await client.rooms.commit({ params: { id: roomId }, body })).leased;
}
