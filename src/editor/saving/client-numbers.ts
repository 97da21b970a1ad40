import type { Client } from '../../contract/client.ts';
import { ApiError } from '../../contract/errors.ts';
import { leaseIds } from '../session/id-pool.ts';
import { pageName } from './edit-storage.ts';

/** Whether a call was refused because its client number belongs to another user. */
export const isTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'client_taken';

/** Client numbers of an open editor: one, and a new one for each further user who signs in on the same page. */
export class ClientNumbers {
  readonly #used: string[];

  constructor(first: string) {
    this.#used = [first];
  }

  get current(): string {
    return this.#used.at(-1)!;
  }

  has(client: string | null): boolean {
    return client !== null && this.#used.includes(client);
  }

  /** Takes a new number in place of one that belongs to another user. */
  replace(taken: string): void {
    if (taken === this.current) this.#used.push(pageName());
  }

  /** Leases ids for new elements of a room. */
  async lease(client: Client, roomId: number, count: number): Promise<readonly number[]> {
    const { current } = this;
    try {
      return await leaseIds(client, roomId, current, count);
    } catch (error) {
      if (!isTaken(error)) throw error;
      this.replace(current);
      return leaseIds(client, roomId, this.current, count);
    }
  }
}
