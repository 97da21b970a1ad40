import { CHANGES, SNAPSHOT, type Step, writeBatch } from '../../../contract/presence-batch.ts';
import type { JoinedMessage, PositionMessage } from '../../../contract/presence-messages.ts';
import type { Receiver } from './receiver.ts';
import { socketFrame } from './socket-frame.ts';

/** Milliseconds between two frames, by the number of visitors up to which it counts. */
const TICKS = [
  { visitors: 100, tick: 16 },
  { visitors: 1000, tick: 50 },
  { visitors: Number.POSITIVE_INFINITY, tick: 200 },
] as const;

/** Milliseconds after which a visitor who says nothing is gone. */
const UNSEEN = 5000;
/** Milliseconds after which a visitor who does not read is let go. */
const PATIENCE = 10_000;

/** A visitor in a channel. */
export interface Member {
  readonly slot: number;
  readonly ref: string;
  /** Undefined for visitors of another server. */
  readonly receiver: Receiver | undefined;
  position: { x: number; y: number; z: number };
  /** Where the last frame had it; undefined before the first. */
  shown: { x: number; y: number; z: number } | undefined;
  seenAt: number;
  isDirty: boolean;
  /** Since when it has been left out of frames because it reads too slowly. */
  lateSince: number | undefined;
}

/** Where visitors of other servers hear of ours. */
export type Publish = (seen: readonly Member[], gone: readonly string[]) => void;

const ORIGIN = { x: 0, y: 0, z: 0 };

/** Visitors who see one another: those of a room, or of an element in it. */
export class Channel {
  readonly #number: number;
  readonly #subject: string;
  readonly #publish: Publish;
  readonly #now: () => number;
  readonly #byRef = new Map<string, Member>();
  readonly #bySlot: (Member | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #dirty: Member[] = [];
  readonly #goneSlots: number[] = [];
  readonly #goneRefs: string[] = [];
  #local = 0;
  isClosed = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Visitors of this server who want single messages. */
  #singleCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param number what frames call it
   * @param now milliseconds that only grow
   */
  constructor(number: number, subject: string, publish: Publish, now: () => number) {
    this.#number = number;
    this.#subject = subject;
    this.#publish = publish;
    this.#now = now;
  }

  /** How many of its visitors are connected to this server. */
  get localCount(): number {
    return this.#local;
  }

  /** Whether somebody is about to join who asked for it a moment ago. */
  get isJoining(): boolean {
    return this.#now() - this.#askedAt < UNSEEN;
  }

  /** Notes that somebody is about to join. */
  await(): void {
    this.#askedAt = this.#now();
  }

  /** Visitors who are connected to this server. */
  locals(): Member[] {
    return [...this.#byRef.values()].filter(({ receiver }) => receiver);
  }

  /**
   * A visitor is somewhere. The first time it joins.
   * @returns false when somebody else has this reference
   */
  see(ref: string, position: PositionMessage['data']['position'], receiver?: Receiver): boolean {
    const member = this.#byRef.get(ref) ?? this.#join(ref, receiver);
    if (member.receiver !== receiver) return false;
    member.position = position;
    member.seenAt = this.#now();
    if (!member.isDirty) {
      member.isDirty = true;
      this.#dirty.push(member);
    }
    this.#schedule();
    return true;
  }

  #join(ref: string, receiver: Receiver | undefined): Member {
    const slot = this.#free.pop() ?? this.#bySlot.length;
    const member: Member = {
      slot,
      ref,
      receiver,
      position: ORIGIN,
      shown: undefined,
      seenAt: this.#now(),
      isDirty: false,
      lateSince: undefined,
    };
    this.#bySlot[slot] = member;
    this.#byRef.set(ref, member);
    if (receiver) this.#greet(member, receiver);
    return member;
  }

  #greet({ slot }: Member, receiver: Receiver): void {
    this.#local++;
    if (receiver.form === 'batch') {
      const message: JoinedMessage = { subject: this.#subject, data: { channel: this.#number, slot } };
      receiver.write(socketFrame('text', Buffer.from(JSON.stringify(message))));
    } else this.#singleCount++;
    const all = this.#everybody(receiver);
    if (all.length > 0) receiver.write(all);
  }

  /** A visitor of this server left, or one of another. */
  leave(ref: string, receiver?: Receiver): void {
    const member = this.#byRef.get(ref);
    if (member && member.receiver === receiver) this.#remove(member);
  }

  #remove(member: Member): void {
    this.#byRef.delete(member.ref);
    this.#bySlot[member.slot] = undefined;
    this.#free.push(member.slot);
    if (member.isDirty) this.#dirty.splice(this.#dirty.indexOf(member), 1);
    if (member.shown) this.#goneSlots.push(member.slot);
    if (member.receiver) {
      this.#local--;
      if (member.receiver.form === 'single') this.#singleCount--;
      this.#goneRefs.push(member.ref);
    }
    this.#schedule();
  }

  /** Lets go of visitors who have not been seen for a while. */
  sweep(): void {
    const oldest = this.#now() - UNSEEN;
    for (const member of [...this.#byRef.values()]) if (member.seenAt < oldest) this.#remove(member);
  }

  #schedule(): void {
    if (this.#timer) return;
    const { tick } = TICKS.find(({ visitors }) => this.#byRef.size <= visitors)!;
    const wait = Math.max(0, this.#flushedAt + tick - this.#now());
    this.#timer = setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#timer = undefined;
    const now = this.#now();
    this.#flushedAt = now;
    const seen = this.#dirty.splice(0);
    const goneSlots = this.#goneSlots.splice(0).sort((a, b) => a - b);
    this.#publish(
      seen.filter(({ receiver }) => receiver),
      this.#goneRefs.splice(0),
    );
    const batch = this.#changes(seen, goneSlots);
    const single = this.#singleCount > 0 ? this.#singles(seen) : null;
    for (const member of seen) member.isDirty = false;
    for (const member of this.#byRef.values()) {
      const { ref, receiver } = member;
      if (!receiver) continue;
      const frames = receiver.form === 'batch' ? batch : single?.without(ref);
      if (!frames?.length || this.#isLate(member, receiver, now)) continue;
      receiver.write(member.lateSince === undefined ? frames : this.#everybody(receiver));
      member.lateSince = undefined;
    }
  }

  /** Whether a visitor is left out of a frame, since it has not read those before. */
  #isLate(member: Member, receiver: Receiver, now: number): boolean {
    if (!receiver.isFull) return false;
    member.lateSince ??= now;
    if (now - member.lateSince > PATIENCE) receiver.cut();
    return true;
  }

  /** The frame of those who moved since the last one; null when nobody did. */
  #changes(seen: Member[], gone: readonly number[]): Buffer | null {
    const steps: Step[] = [];
    seen.sort((a, b) => a.slot - b.slot);
    for (const member of seen) {
      const { slot, position, shown } = member;
      const from = shown ?? ORIGIN;
      const x = position.x - from.x;
      const y = position.y - from.y;
      const z = position.z - from.z;
      if (shown === undefined || x !== 0 || y !== 0 || z !== 0) steps.push([slot, x, y, z]);
      member.shown = position;
    }
    if (steps.length === 0 && gone.length === 0) return null;
    return socketFrame('binary', writeBatch(CHANGES, this.#number, gone, steps));
  }

  #frameOf({ ref, position }: Member): Buffer {
    const message: PositionMessage = { subject: this.#subject, data: { ref, position } };
    return socketFrame('text', Buffer.from(JSON.stringify(message)));
  }

  /** The messages of these visitors in a row; from it, the row without those of one. */
  #singles(seen: readonly Member[]): { without(ref: string): Buffer } {
    const places = new Map<string, { start: number; end: number }>();
    const frames: Buffer[] = [];
    let length = 0;
    for (const member of seen) {
      const frame = this.#frameOf(member);
      frames.push(frame);
      places.set(member.ref, { start: length, end: length + frame.length });
      length += frame.length;
    }
    const all = Buffer.concat(frames);
    return {
      without: (ref) => {
        const own = places.get(ref);
        return own ? Buffer.concat([all.subarray(0, own.start), all.subarray(own.end)]) : all;
      },
    };
  }

  /** All who have been shown, in the form of a receiver and without itself where the form names visitors. */
  #everybody(receiver: Receiver): Buffer {
    const shown = this.#bySlot.filter((member): member is Member => member?.shown !== undefined);
    if (receiver.form === 'single')
      return Buffer.concat(shown.filter((member) => member.receiver !== receiver).map((each) => this.#frameOf(each)));
    const steps = shown.map(({ slot, shown: place }): Step => [slot, place!.x, place!.y, place!.z]);
    return socketFrame('binary', writeBatch(SNAPSHOT, this.#number, [], steps));
  }

  /** Ends it; who comes later is to ask for another one. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.#timer);
  }
}
