import {
  CHANGES,
  type Introduction,
  NO_HEADING,
  packHeading,
  readHeading,
  SNAPSHOT,
  type Step,
  writeBatch,
} from '../../../contract/presence-batch.ts';
import type { JoinedMessage, PositionMessage } from '../../../contract/presence-messages.ts';
import { jsonFrame, socketFrame } from '../sockets/socket-frame.ts';
import type { Guest, GuestNumbers } from './guest-numbers.ts';
import type { Form, Receiver } from './receiver.ts';

/** Milliseconds between frames, by maximum number of visitors. */
const TICKS = [
  { visitors: 100, tick: 16 },
  { visitors: 1000, tick: 50 },
  { visitors: Number.POSITIVE_INFINITY, tick: 200 },
] as const;

/** Milliseconds after which a silent visitor is dropped. */
const UNSEEN = 5000;
/** Milliseconds after which a visitor whose connection is blocked is disconnected. */
const CHANNEL_TIMEOUT = 10_000;

/** A visitor in a channel. */
export interface Member {
  readonly slot: number;
  readonly ref: string;
  /** Undefined for visitors of other servers. */
  readonly receiver: Receiver | undefined;
  readonly guest: Guest;
  /** Number under which the last frame introduced it; 0 before the first. */
  introduced: number;
  position: { x: number; y: number; z: number };
  /** Quantized heading, now and in the last frame. */
  heading: number;
  shownHeading: number;
  /** Position in the last frame; undefined before the first. */
  shown: { x: number; y: number; z: number } | undefined;
  seenAt: number;
  isDirty: boolean;
  /** Time since which it is excluded from frames because its connection is blocked. */
  lateSince: number | undefined;
}

/** Publishes local visitors to other servers. */
export type Publish = (seen: readonly Member[], gone: readonly string[]) => void;

/** A visitor's position, heading, and current or previous number. */
export type Seen = PositionMessage['data'];

/** Decimals of a heading in messages: a hundredth of a degree. */
const HEADING_DECIMALS = 4;

const ZERO = { x: 0, y: 0, z: 0 };

/** Visitors who see each other: those of a room, or of an element in it. */
export class Channel {
  readonly #number: number;
  readonly #subject: string;
  readonly #numbers: GuestNumbers;
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
  /** Local visitors by the format in which they receive positions. */
  readonly #wanted: Record<Form, number> = { single: 0, batch: 0, avatars: 0 };
  #timer: NodeJS.Timeout | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param number id in frames
   * @param numbers guest numbers of its room
   * @param now monotonic milliseconds
   */
  constructor(number: number, subject: string, numbers: GuestNumbers, publish: Publish, now: () => number) {
    this.#number = number;
    this.#subject = subject;
    this.#numbers = numbers;
    this.#publish = publish;
    this.#now = now;
  }

  /** Number of visitors connected to this server. */
  get localCount(): number {
    return this.#local;
  }

  /** Whether a visitor is about to join. */
  get isJoining(): boolean {
    return this.#now() - this.#askedAt < UNSEEN;
  }

  /** Marks that a visitor is about to join. */
  await(): void {
    this.#askedAt = this.#now();
  }

  /** Visitors connected to this server. */
  locals(): Member[] {
    return [...this.#byRef.values()].filter(({ receiver }) => receiver);
  }

  /**
   * Updates a visitor's position. The first update joins the channel.
   * @returns false if the reference belongs to another visitor
   */
  see({ ref, position, heading, guest }: Seen, receiver?: Receiver): boolean {
    const member = this.#byRef.get(ref) ?? this.#join(ref, guest, receiver);
    if (member.receiver !== receiver) return false;
    // A visitor requests a number once; its own server repeats it each time.
    if (!receiver && guest !== undefined) this.#numbers.claim(member.guest, guest);
    member.position = position;
    member.heading = heading === undefined ? NO_HEADING : packHeading(heading);
    member.seenAt = this.#now();
    if (!member.isDirty) {
      member.isDirty = true;
      this.#dirty.push(member);
    }
    this.#schedule();
    return true;
  }

  #join(ref: string, wish: number | undefined, receiver: Receiver | undefined): Member {
    const slot = this.#free.pop() ?? this.#bySlot.length;
    const member: Member = {
      slot,
      ref,
      receiver,
      guest: this.#numbers.join(ref, wish),
      introduced: 0,
      position: ZERO,
      heading: NO_HEADING,
      shownHeading: NO_HEADING,
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
    this.#wanted[receiver.form]++;
    if (receiver.form !== 'single') {
      const message: JoinedMessage = { subject: this.#subject, data: { channel: this.#number, slot } };
      receiver.write(jsonFrame(message));
    }
    const all = this.#everybody(receiver);
    if (all.length > 0) receiver.write(all);
  }

  /** Removes a visitor of this or another server. */
  leave(ref: string, receiver?: Receiver): void {
    const member = this.#byRef.get(ref);
    if (member && member.receiver === receiver) this.#remove(member);
  }

  #remove(member: Member): void {
    this.#byRef.delete(member.ref);
    this.#bySlot[member.slot] = undefined;
    this.#free.push(member.slot);
    this.#numbers.leave(member.guest);
    if (member.isDirty) this.#dirty.splice(this.#dirty.indexOf(member), 1);
    if (member.shown) this.#goneSlots.push(member.slot);
    if (member.receiver) {
      this.#local--;
      this.#wanted[member.receiver.form]--;
      this.#goneRefs.push(member.ref);
    }
    this.#schedule();
  }

  /**
   * Removes visitors who have been silent for too long.
   * @param late milliseconds for which this server was blocked and received nothing
   */
  sweep(late = 0): void {
    const oldest = this.#now() - UNSEEN - late;
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
    const { batch, avatars } = this.#changes(seen, goneSlots);
    const single = this.#wanted.single > 0 ? this.#singles(seen) : null;
    for (const member of seen) member.isDirty = false;
    for (const member of this.#byRef.values()) {
      const { ref, receiver } = member;
      if (!receiver) continue;
      const { form } = receiver;
      const frames = form === 'avatars' ? avatars : form === 'batch' ? batch : single?.without(ref);
      if (!frames?.length || this.#isLate(member, receiver, now)) continue;
      receiver.write(member.lateSince === undefined ? frames : this.#everybody(receiver));
      member.lateSince = undefined;
    }
  }

  /** Whether a visitor is excluded from a frame because earlier ones are still unread. */
  #isLate(member: Member, receiver: Receiver, now: number): boolean {
    if (!receiver.isFull) return false;
    member.lateSince ??= now;
    if (now - member.lateSince > CHANNEL_TIMEOUT) receiver.cut();
    return true;
  }

  /** Frames with the changes since the last ones, in the requested formats; null if nothing changed. */
  #changes(seen: Member[], gone: readonly number[]): { batch: Buffer | null; avatars: Buffer | null } {
    const steps: Step[] = [];
    const introductions: Introduction[] = [];
    seen.sort((a, b) => a.slot - b.slot);
    for (const member of seen) {
      const { slot, position, shown, heading, guest } = member;
      const from = shown ?? ZERO;
      const x = position.x - from.x;
      const y = position.y - from.y;
      const z = position.z - from.z;
      if (member.introduced !== guest.number) introductions.push([slot, guest.number, guest.tint]);
      if (shown === undefined || heading !== member.shownHeading || x !== 0 || y !== 0 || z !== 0)
        steps.push([slot, x, y, z, heading]);
      member.shown = position;
      member.shownHeading = heading;
      member.introduced = guest.number;
    }
    const isCalm = steps.length === 0 && gone.length === 0;
    const { batch, avatars } = this.#wanted;
    const write = (told?: readonly Introduction[]) =>
      socketFrame('binary', writeBatch(CHANGES, this.#number, gone, steps, told));
    return {
      batch: batch === 0 || isCalm ? null : write(),
      avatars: avatars === 0 || (isCalm && introductions.length === 0) ? null : write(introductions),
    };
  }

  #frameOf({ ref, position, heading: byte }: Member): Buffer {
    const heading = readHeading(byte);
    const data = {
      ref,
      position,
      ...(heading !== undefined && { heading: Number(heading.toFixed(HEADING_DECIMALS)) }),
    };
    const message: PositionMessage = { subject: this.#subject, data };
    return jsonFrame(message);
  }

  /** Concatenated messages of these visitors, from which one visitor's own can be left out. */
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

  /** All visible visitors, in a receiver's format; formats with references exclude the receiver itself. */
  #everybody(receiver: Receiver): Buffer {
    const shown = this.#bySlot.filter((member): member is Member => member?.shown !== undefined);
    if (receiver.form === 'single')
      return Buffer.concat(shown.filter((member) => member.receiver !== receiver).map((each) => this.#frameOf(each)));
    const steps = shown.map(({ slot, shown: at, shownHeading }): Step => [slot, at!.x, at!.y, at!.z, shownHeading]);
    const introductions =
      receiver.form === 'avatars'
        ? shown.map(({ slot, guest }): Introduction => [slot, guest.number, guest.tint])
        : undefined;
    return socketFrame('binary', writeBatch(SNAPSHOT, this.#number, [], steps, introductions));
  }

  /** Closes the channel; later visitors need a new one. */
  close(): void {
    this.isClosed = true;
    for (const { guest } of this.#byRef.values()) this.#numbers.leave(guest);
    clearTimeout(this.#timer);
  }
}
