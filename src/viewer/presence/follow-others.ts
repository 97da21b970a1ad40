import type { VisitorInput } from '../../../engine/scene/scene.ts';
import {
  type EnterMessage,
  type PositionMessage,
  REALTIME_PATH,
  RESTART_CODE,
} from '../../contract/presence-messages.ts';
import { logProblem } from '../console.ts';
import type { VisitEvents } from '../visit-events.ts';
import { type Other, Others } from './others.ts';

/** Milliseconds between two words about visitors who stand still, so that their markers stay. */
const BEAT = 1000;
/** Milliseconds after which a position is sent again though it is the same: who says nothing is gone after five seconds. */
const STILL = 2500;
/** Milliseconds before connections that failed are tried again: at first, at most, and when the server restarts. */
const PAUSE = { first: 1000, longest: 30_000, restart: 500 };

interface Place {
  x: number;
  y: number;
  z: number;
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
  #socket: WebSocket | undefined;
  #ref = '';
  #pause = PAUSE.first;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(company: Company) {
    this.#company = company;
    const query = new URLSearchParams({ key: company.key, room: String(company.roomId), mode: 'batch' });
    this.#address = `${location.origin.replace(/^http/, 'ws')}${REALTIME_PATH}?${query}`;
  }

  #open(): void {
    const socket = new WebSocket(this.#address);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    // A line that broke may be held by the server for a while yet, and with it the reference.
    this.#ref = randomHex(8);
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

  #show({ subject, ref, x, y, z }: Other): void {
    const element = subject.startsWith('position_') && { element_id: Number(subject.slice('position_'.length)) };
    this.#company.send({ type: 'presence', ref, x, y, z, ...element });
  }

  /** Says where the visitor is, if that is another place, or has not been said for a while. */
  tell(subject: string, at: Place): void {
    if (!this.#socket) this.#open();
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      this.#waiting.set(subject, { x: at.x, y: at.y, z: at.z });
      return;
    }
    const place = { x: Math.floor(at.x), y: Math.floor(at.y), z: Math.floor(at.z) };
    const last = this.#sent.get(subject);
    const now = performance.now();
    const isSame = last && last.x === place.x && last.y === place.y && last.z === place.z;
    if (isSame && now - last.at < STILL) return;
    this.#sent.set(subject, { ...place, at: now });
    const message: PositionMessage = { subject, data: { ref: this.#ref, position: place } };
    this.#socket.send(JSON.stringify(message));
  }

  /** Keeps the markers of those who stand still. */
  beat(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) for (const other of this.#others.all()) this.#show(other);
  }

  /** Lets go of the line; the next position opens another one. */
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
    if (event.type !== 'scene' || event.event.type !== 'presence.send' || document.hidden) return;
    line.tell(event.event.subject, event.event);
  });
  const timer = setInterval(() => line.beat(), BEAT);
  const hide = () => {
    if (document.hidden) line.close();
  };
  document.addEventListener('visibilitychange', hide);
  return () => {
    stopListening();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', hide);
    line.close();
  };
}
