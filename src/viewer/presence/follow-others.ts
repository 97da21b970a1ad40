import type { VisitorInput } from '../../../engine/scene/scene.ts';
import { packHeading, readHeading } from '../../contract/presence-batch.ts';
import {
  type EnterMessage,
  LARGEST_GUEST,
  type PositionMessage,
  REALTIME_PATH,
  RESTART_CODE,
} from '../../contract/presence-messages.ts';
import { logProblem } from '../reports/console.ts';
import { say } from '../texts/say-all.ts';
import type { VisitEvents } from '../visit/visit-events.ts';
import { type Other, Others } from './others.ts';

/** Milliseconds at least between two words about visitors who stand still, so that their markers stay. */
const BEAT = 1000;
/** Milliseconds after which a position is sent again though it is the same: who says nothing is gone after five seconds. */
const STILL = 1500;
/** Milliseconds of silence after which the server may have forgotten a visitor. */
const FORGOTTEN = 4000;
/** Milliseconds before connections that failed are tried again: at first, at most, and when the server restarts. */
const PAUSE = { first: 1000, longest: 30_000, restart: 500 };

interface Place {
  x: number;
  y: number;
  z: number;
  /** Radians counterclockwise from −z. */
  heading: number;
}

/** Where to connect, and whom to tell. */
interface Company {
  roomId: number;
  /** Key of the realtime connection. */
  key: string;
  /** Token of the visit; null where the room asks for none. */
  token: string | null;
  events: VisitEvents;
  send(input: VisitorInput): void;
}

const randomHex = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Between half of a pause and all of it, so that not everybody comes back in the same moment. */
const jittered = (pause: number) => pause * (0.5 + crypto.getRandomValues(new Uint8Array(1))[0]! / 512);

/** One visitor's line to the others of a room: opened with the first position, opened again when it breaks. */
class Line {
  readonly #company: Company;
  readonly #address: string;
  readonly #others = new Others();
  /** Where the visitor was when the line was not open yet. */
  readonly #waiting = new Map<string, Place>();
  readonly #sent = new Map<string, Place & { at: number }>();
  /** Tells this page from others, whichever line it has: its color comes from it. */
  readonly #visitor = randomHex(8);
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  #lines = 0;
  /** Number as a guest, to be asked for again on another line. */
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
    // A line that broke may be held by the server for a while yet, and with it the reference.
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
      // Another server is there already, or this one is soon: nobody else's pause is to be waited for.
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

  /** Says where the visitor is and looks, if that is another place, or has not been said for a while. */
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
    const guest = silence > FORGOTTEN && this.#guest !== undefined && this.#guest <= LARGEST_GUEST;
    const data = { ref: this.#ref, position, heading, ...(guest && { guest: this.#guest }) };
    this.#socket.send(JSON.stringify({ subject, data } satisfies PositionMessage));
  }

  /** Keeps the markers of visitors who stand still; before each tick, so that none goes because a page did not run for a while. */
  beat(): void {
    const now = performance.now();
    if (now - this.#shownAt < BEAT || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#shownAt = now;
    for (const other of this.#others.all()) this.#show(other);
  }

  /** Closes the connection; the next position opens another one. */
  close(): void {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#others.clear();
  }
}

/**
 * Shows a room's other visitors, and the visitor to them, while the page is seen. The scene says where the visitor is,
 * once a second from entering on.
 * @returns a function that stops
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
