import { tintOf } from '../../../../engine/scene/markers/tint-of.ts';

/** A visitor of a room, across its channels. */
export interface Guest {
  readonly ref: string;
  /** Starts at 1; changes if a visitor of another server turns out to have had it first. */
  number: number;
  readonly tint: number;
}

interface Entry {
  guest: Guest;
  /** Number of channels the visitor is in. */
  uses: number;
}

/** Numbers for the visitors of a room: each gets the lowest free one until it leaves. */
export class GuestNumbers {
  readonly #byRef = new Map<string, Entry>();
  readonly #byNumber = new Map<number, Guest>();
  /** No number below it is free. */
  #lowest = 1;

  #free(): number {
    while (this.#byNumber.has(this.#lowest)) this.#lowest++;
    return this.#lowest;
  }

  /**
   * Adds a visitor to a channel.
   * @param wish its previous number, which it gets if it is free
   */
  join(ref: string, wish: number | undefined): Guest {
    const known = this.#byRef.get(ref);
    if (known) {
      known.uses++;
      return known.guest;
    }
    const number = wish !== undefined && !this.#byNumber.has(wish) ? wish : this.#free();
    const guest = { ref, number, tint: tintOf(ref) };
    this.#byNumber.set(number, guest);
    this.#byRef.set(ref, { guest, uses: 1 });
    return guest;
  }

  /**
   * Applies the number that another server assigned to its visitor. On a conflict, all servers decide alike: the
   * visitor with the lower reference keeps it.
   */
  claim(guest: Guest, number: number): void {
    if (guest.number === number) return;
    const holder = this.#byNumber.get(number);
    if (holder && holder.ref < guest.ref) return;
    this.#release(guest.number);
    if (holder) this.#give(holder, this.#free());
    this.#give(guest, number);
  }

  #give(guest: Guest, number: number): void {
    guest.number = number;
    this.#byNumber.set(number, guest);
  }

  #release(number: number): void {
    this.#byNumber.delete(number);
    this.#lowest = Math.min(this.#lowest, number);
  }

  /** Removes a visitor from a channel. */
  leave({ ref, number }: Guest): void {
    const entry = this.#byRef.get(ref);
    if (!entry || --entry.uses > 0) return;
    this.#byRef.delete(ref);
    this.#release(number);
  }
}
