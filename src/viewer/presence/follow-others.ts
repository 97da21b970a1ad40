import type { VisitorInput } from '../../../engine/scene/scene.ts';
import { packHeading, readBatch, readHeading, SNAPSHOT } from '../../contract/presence-batch.ts';
import {
  type EnterMessage,
  type JoinedMessage,
  MAX_GUEST_NUMBER,
  type PositionMessage,
  REALTIME_PATH,
  RESTART_CODE,
} from '../../contract/presence-messages.ts';
import { logProblem } from '../reports/console.ts';
import { say } from '../texts/say-all.ts';
import type { VisitEvents } from '../visit/visit-events.ts';

/** Another visitor's marker. */
interface Other {
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
class Others {
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

/** Keep-alive interval in milliseconds for markers of still visitors. */
const BEAT = 1000;
/** Interval in milliseconds for resending an unchanged position: the server drops silent clients after 5 s. */
const STILL = 1500;
/** Silence in milliseconds after which the server may have dropped a visitor. */
const FORGOTTEN = 4000;
/** Reconnect delays in milliseconds: initial, maximum, and after a server restart. */
const PAUSE = { first: 1000, longest: 30_000, restart: 500 };

interface Place {
  x: number;
  y: number;
  z: number;
  /** Radians counterclockwise from −z. */
  heading: number;
}

/** Connection parameters and callbacks. */
interface Company {
  roomId: number;
  /** Key of the realtime connection. */
  key: string;
  /** Visit token; null if the room needs none. */
  token: string | null;
  events: VisitEvents;
  send(input: VisitorInput): void;
}

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Jitter between 50% and 100% of the delay, so that clients don't reconnect at once. */
const jittered = (pause: number) => pause * (0.5 + crypto.getRandomValues(new Uint8Array(1))[0]! / 512);

/** Presence connection of one visitor, opened with the first position and reopened when it breaks. */
class Line {
  readonly #company: Company;
  readonly #address: string;
  readonly #others = new Others();
  /** Position to send once connected. */
  readonly #waiting = new Map<string, Place>();
  readonly #sent = new Map<string, Place & { at: number }>();
  /** Identifies this page across connections; determines its color. */
  readonly #visitor = randomHex(8);
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  #lines = 0;
  /** Guest number, requested again on reconnect. */
  #guest: number | undefined;
  #shownAt = 0;
  #socket: WebSocket | undefined;
  #ref = '';
  #pause = PAUSE.first;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(company: Company) {
    this.#company = company;
    const query = new URLSearchParams({ key: company.key, room: String(company.roomId), mode: 'batch', avatars: '1' });
    this.#address = `${location.origin.replace(/^http/, 'ws')}${REALTIME_PATH}?${query}`;
  }

  #open(): void {
    const socket = new WebSocket(this.#address);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    // The server may hold a broken connection, and its reference, for a while.
    this.#ref = `${this.#visitor}.${++this.#lines}`;
    this.#sent.clear();
    this.#others.clear();
    socket.onopen = () => {
      this.#pause = PAUSE.first;
      const { token } = this.#company;
      if (token !== null) socket.send(JSON.stringify({ subject: 'enter', data: { token } } satisfies EnterMessage));
      for (const [subject, place] of this.#waiting) this.tell(subject, place);
      this.#waiting.clear();
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.#hear(data);
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      const isRestart = code === RESTART_CODE;
      // Another server takes over, so don't back off.
      this.#retry = setTimeout(
        () => {
          this.#socket = undefined;
          if (isRestart) this.#open();
        },
        isRestart ? jittered(PAUSE.restart) : jittered(this.#pause),
      );
      if (!isRestart) this.#pause = Math.min(this.#pause * 2, PAUSE.longest);
    };
  }

  #hear(data: string | ArrayBuffer): void {
    try {
      if (typeof data === 'string') this.#others.join(JSON.parse(data));
      else for (const other of this.#others.read(new Uint8Array(data))) this.#show(other);
    } catch (error) {
      logProblem(String(error));
    }
  }

  #show({ subject, guest, ...other }: Other): void {
    const element = subject.startsWith('position_') && { element_id: Number(subject.slice('position_'.length)) };
    const name = guest === undefined ? undefined : say('guest', { number: guest });
    this.#company.send({ type: 'presence', ...other, ...element, name, at_once: this.#reducedMotion.matches });
  }

  /** Sends the visitor's pose if it changed, or the keep-alive is due. */
  tell(subject: string, at: Place): void {
    if (!this.#socket) this.#open();
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      this.#waiting.set(subject, at);
      return;
    }
    const position = { x: Math.floor(at.x), y: Math.floor(at.y), z: Math.floor(at.z) };
    const heading = readHeading(packHeading(at.heading))!;
    const last = this.#sent.get(subject);
    const now = performance.now();
    const { x, y, z } = position;
    const isSame = last?.x === x && last.y === y && last.z === z && last.heading === heading;
    const silence = now - (last?.at ?? Number.NEGATIVE_INFINITY);
    if (isSame && silence < STILL) return;
    this.#sent.set(subject, { ...position, heading, at: now });
    this.#guest = this.#others.ownGuest(subject) ?? this.#guest;
    const guest = silence > FORGOTTEN && this.#guest !== undefined && this.#guest <= MAX_GUEST_NUMBER;
    const data = { ref: this.#ref, position, heading, ...(guest && { guest: this.#guest }) };
    this.#socket.send(JSON.stringify({ subject, data } satisfies PositionMessage));
  }

  /** Refreshes markers of still visitors before each tick, so that they survive a suspended page. */
  beat(): void {
    const now = performance.now();
    if (now - this.#shownAt < BEAT || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#shownAt = now;
    for (const other of this.#others.all()) this.#show(other);
  }

  /** Closes the connection; the next position opens a new one. */
  close(): void {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#others.clear();
  }
}

/**
 * Shows other visitors, and shares the visitor's position once a second after entering, while the page is visible.
 * @returns stop function
 */
export function followOthers(company: Company): () => void {
  const line = new Line(company);
  const stopListening = company.events.subscribe((event) => {
    if (event.type === 'tick') line.beat();
    if (event.type !== 'scene' || event.event.type !== 'presence.send' || document.hidden) return;
    line.tell(event.event.subject, event.event);
  });
  const hide = () => {
    if (document.hidden) line.close();
  };
  document.addEventListener('visibilitychange', hide);
  return () => {
    stopListening();
    document.removeEventListener('visibilitychange', hide);
    line.close();
  };
}
