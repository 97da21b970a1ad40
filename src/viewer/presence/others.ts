import { readBatch, SNAPSHOT } from '../../contract/presence-batch.ts';
import type { JoinedMessage } from '../../contract/presence-messages.ts';

/** Another visitor, as a marker shows it. */
export interface Other {
  subject: string;
  ref: string;
  x: number;
  y: number;
  z: number;
}

interface Crowd {
  subject: string;
  ownSlot: number;
  bySlot: Map<number, Other>;
}

/** Who is there, as the frames of the batched form tell it. */
export class Others {
  readonly #crowds = new Map<number, Crowd>();
  /** Grows with every newcomer, so that nobody is taken for the one who had the slot before. */
  #newcomers = 0;

  /** Takes the answer to a first position: frames of this channel are about its subject. */
  join({ subject, data: { channel, slot } }: JoinedMessage): void {
    this.#crowds.set(channel, { subject, ownSlot: slot, bySlot: new Map() });
  }

  /**
   * Takes a frame.
   * @returns those who moved or came
   */
  read(bytes: Uint8Array): Other[] {
    const { kind, channel, gone, steps } = readBatch(bytes);
    const crowd = this.#crowds.get(channel);
    if (!crowd) return [];
    const before = new Map(crowd.bySlot);
    if (kind === SNAPSHOT) crowd.bySlot.clear();
    for (const slot of gone) {
      crowd.bySlot.delete(slot);
      before.delete(slot);
    }
    return steps
      .map(([slot, x, y, z]) => {
        const from = crowd.bySlot.get(slot) ?? { x: 0, y: 0, z: 0 };
        const ref = before.get(slot)?.ref ?? `${channel}.${++this.#newcomers}`;
        const other = { subject: crowd.subject, ref, x: from.x + x, y: from.y + y, z: from.z + z };
        crowd.bySlot.set(slot, other);
        return { slot, other };
      })
      .filter(({ slot }) => slot !== crowd.ownSlot)
      .map(({ other }) => other);
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
