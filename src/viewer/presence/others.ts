import { readBatch, readHeading, SNAPSHOT } from '../../contract/presence-batch.ts';
import type { JoinedMessage } from '../../contract/presence-messages.ts';

/** Another visitor, as a marker shows it. */
export interface Other {
  subject: string;
  ref: string;
  x: number;
  y: number;
  z: number;
  /** Where it looks in radians; undefined where that is not known. */
  heading: number | undefined;
  /** Number as a guest and byte of the tint; undefined where the server does not tell. */
  guest: number | undefined;
  tint: number | undefined;
}

interface Crowd {
  subject: string;
  ownSlot: number;
  bySlot: Map<number, Other>;
  /** Who has a slot, by slot: told before or with its first place. */
  introduced: Map<number, { guest: number; tint: number }>;
}

/** Who is there, as the frames of the batched form tell it. */
export class Others {
  readonly #crowds = new Map<number, Crowd>();
  /** Grows with every newcomer, so that nobody is taken for the one who had the slot before. */
  #newcomers = 0;

  /** Takes the answer to a first position: frames of this channel are about its subject. */
  join({ subject, data: { channel, slot } }: JoinedMessage): void {
    this.#crowds.set(channel, { subject, ownSlot: slot, bySlot: new Map(), introduced: new Map() });
  }

  /**
   * Takes a frame.
   * @returns those who moved, turned or came, or are called otherwise now
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

  /** The visitor's own number as a guest under a subject; undefined where it is not known. */
  ownGuest(subject: string): number | undefined {
    for (const { subject: known, ownSlot, introduced } of this.#crowds.values())
      if (known === subject) return introduced.get(ownSlot)?.guest;
    return undefined;
  }

  /** Everybody else who is there. */
  all(): Other[] {
    return [...this.#crowds.values()].flatMap(({ ownSlot, bySlot }) =>
      [...bySlot].filter(([slot]) => slot !== ownSlot).map(([, other]) => other),
    );
  }

  /** Forgets everybody: the connection is another one. */
  clear(): void {
    this.#crowds.clear();
  }
}
