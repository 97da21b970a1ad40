import type { Client } from '../../contract/client.ts';

/** Initial number of ids, and the number below which more are leased. */
const [LEASED, FEW] = [200, 50];

interface PoolOptions {
  /** Leases ids from the server, at most 500 per call. */
  lease(count: number): Promise<readonly number[]>;
  notify(text: string): void;
}

/** Ids for new elements, leased in advance, so that elements can be added offline. */
export class IdPool {
  readonly #options: PoolOptions;
  #free: readonly number[] = [];
  #asking: Promise<void> | null = null;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Takes ids for new elements; null, after notifying the user, if there are too few. */
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

  /** Takes ids, and waits for a lease if needed; null, after notifying the user, without a connection. */
  async taken(count: number): Promise<number[] | null> {
    while (this.#free.length < count) {
      const before = this.#free.length;
      await this.fill(count).catch(() => undefined);
      if (this.#free.length === before) break;
    }
    return this.take(count);
  }

  /** Leases more ids if there are fewer than required. */
  fill(least = LEASED): Promise<void> {
    this.#asking ??= this.#ask(Math.max(least, LEASED)).finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Discards leases that the server no longer has. */
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

/** Leases ids for new elements of a room. @param page client number of the calling program */
export async function leaseIds(client: Client, roomId: number, page: string, lease: number): Promise<number[]> {
  const body = { client: page, mutation: 1, commands: [], lease };
  return (await client.rooms.commit({ params: { id: roomId }, body })).leased;
}
