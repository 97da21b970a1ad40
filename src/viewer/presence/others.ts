import { readBatch, readHeading, SNAPSHOT } from '../../contract/presence-batch.ts';
import type { JoinedMessage } from '../../contract/presence-messages.ts';

/** Another visitor's marker. */
export interface Other {
  subject: string;
  ref: string;
  x: number;
  y: number;
  z: number;
  /** View direction in radians; undefined if unknown. */
  heading: number | undefined;
  /** Guest number and tint byte; undefined if the server doesn't send them. */
  guest: number | undefined;
  tint: number | undefined;
}

interface Crowd {
  subject: string;
  ownSlot: number;
  bySlot: Map<number, Other>;
  /** Visitors by slot, announced before or with their first position. */
  introduced: Map<number, { guest: number; tint: number }>;
}

/** Visitors, decoded from batched frames. */
export class Others {
  readonly #crowds = new Map<number, Crowd>();
  /** Increments per newcomer, so that a reused slot isn't mistaken for its previous visitor. */
  #newcomers = 0;

  /** Handles the response to the first position, which maps this channel to its subject. */
  join({ subject, data: { channel, slot } }: JoinedMessage): void {
    this.#crowds.set(channel, { subject, ownSlot: slot, bySlot: new Map(), introduced: new Map() });
  }

  /**
   * Decodes a frame.
   * @returns visitors who moved, turned, joined or were renamed
   */
  read(bytes: Uint8Array): Other[] {
    const { kind, channel, gone, introductions, steps } = readBatch(bytes);
    const crowd = this.#crowds.get(channel);
    if (!crowd) return [];
    const { subject, ownSlot, bySlot, introduced } = crowd;
    const before = new Map(bySlot);
    if (kind === SNAPSHOT) {
      bySlot.clear();
      introduced.clear();
    }
    for (const slot of gone) {
      bySlot.delete(slot);
      introduced.delete(slot);
      before.delete(slot);
    }
    const changed = new Map<number, Other>();
    for (const [slot, guest, tint] of introductions) {
      introduced.set(slot, { guest, tint });
      const known = bySlot.get(slot);
      if (known) changed.set(slot, { ...known, guest, tint });
    }
    for (const [slot, x, y, z, heading] of steps) {
      const from = bySlot.get(slot) ?? { x: 0, y: 0, z: 0 };
      const ref = before.get(slot)?.ref ?? `${channel}.${++this.#newcomers}`;
      const { guest, tint } = introduced.get(slot) ?? {};
      const place = { x: from.x + x, y: from.y + y, z: from.z + z };
      changed.set(slot, { subject, ref, ...place, heading: readHeading(heading), guest, tint });
    }
    for (const [slot, other] of changed) bySlot.set(slot, other);
    changed.delete(ownSlot);
    return [...changed.values()];
  }

  /** The visitor's own guest number for a subject; undefined if unknown. */
  ownGuest(subject: string): number | undefined {
    for (const { subject: known, ownSlot, introduced } of this.#crowds.values())
      if (known === subject) return introduced.get(ownSlot)?.guest;
    return undefined;
  }

  /** All other visitors. */
  all(): Other[] {
    return [...this.#crowds.values()].flatMap(({ ownSlot, bySlot }) =>
      [...bySlot].filter(([slot]) => slot !== ownSlot).map(([, other]) => other),
    );
  }

  /** Clears all visitors on reconnect. */
  clear(): void {
    this.#crowds.clear();
  }
}
