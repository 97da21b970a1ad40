import { tintOf } from '../../../../engine/scene/markers/tint-of.ts';

/** A visitor of a room, in however many of its channels. */
export interface Guest {
  readonly ref: string;
  /** From 1 on; another one when a visitor of another server turns out to have had it first. */
  number: number;
  readonly tint: number;
}

interface Entry {
  guest: Guest;
  /** Channels in which the visitor is. */
  uses: number;
}

/** Numbers of the visitors of one room: the lowest that is free for who comes, and kept until the visitor leaves. */
export class GuestNumbers {
  readonly #byRef = new Map<string, Entry>();
  readonly #byNumber = new Map<number, Guest>();
  /** Below it no number is free. */
  #lowest = 1;

  #free(): number {
    while (this.#byNumber.has(this.#lowest)) this.#lowest++;
    return this.#lowest;
  }

  /**
   * A visitor comes into a channel.
   * @param wish number that it had before; it gets it where it is free
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
   * Another server says which number a visitor of its own has. Where two gave the same one, each comes to the same end: the
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

  /** A visitor leaves a channel. */
  leave({ ref, number }: Guest): void {
    const entry = this.#byRef.get(ref);
    if (!entry || --entry.uses > 0) return;
    this.#byRef.delete(ref);
    this.#release(number);
  }
}
