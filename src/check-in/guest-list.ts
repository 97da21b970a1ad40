import type { Guest } from '../contract/entities.ts';
import type { GuestsAnswer } from './api.ts';
import { keyOf } from './token-key.ts';

/** The guests in memory, without tokens and e-mail addresses, for work without a connection. */
export class GuestList {
  readonly #guests = new Map<number, Guest>();
  #keys = new Map<number, string>();
  #salt = '';
  #iterations = 0;
  #isComplete = false;

  /** Whether every guest can be found without a connection. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Replaces the guests. Keys that a restarted server has to derive again are preserved. */
  replace({ guests, salt, iterations, total }: GuestsAnswer): void {
    const known = salt === this.#salt && iterations === this.#iterations ? this.#keys : null;
    this.#salt = salt;
    this.#iterations = iterations;
    this.#guests.clear();
    this.#keys = new Map();
    for (const { guest, key } of guests) {
      this.#guests.set(guest.id, guest);
      const usable = key ?? known?.get(guest.id);
      if (usable !== undefined) this.#keys.set(guest.id, usable);
    }
    this.#isComplete = isSecureContext && this.#keys.size >= total;
  }

  clear(): void {
    this.#guests.clear();
    this.#keys.clear();
    this.#isComplete = false;
  }

  /** Updates the check-in time of a guest. */
  note(id: number, checked_in_at: string | null): void {
    const guest = this.#guests.get(id);
    if (guest) this.#guests.set(id, { ...guest, checked_in_at });
  }

  /** The guest of a token; null if there is none, or if the list is incomplete. */
  async find(token: string): Promise<Guest | null> {
    const key = await keyOf(token, this.#salt, this.#iterations);
    for (const [id, other] of this.#keys) if (other === key) return this.#guests.get(id) ?? null;
    return null;
  }
}
