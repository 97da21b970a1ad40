import {
  VISITOR_EDITS_CLOSE,
  VISITOR_EDITS_PATH,
  type VisitorNews,
  type VisitorOpening,
} from '../../contract/visitor-edits.ts';

/** Initial and maximum reconnect delay in milliseconds. */
const PAUSE = { first: 1000, longest: 60_000 };

/** Jitter between 50% and 100% of the delay, so that clients don't reconnect at once. */
export const jittered = (pause: number): number => pause * (0.5 + crypto.getRandomValues(new Uint8Array(1))[0]! / 512);

/** Connection that receives edits, open while the page is visible. */
export class EditsLine {
  readonly #opening: () => VisitorOpening;
  readonly #hear: (news: VisitorNews) => void;
  #socket: WebSocket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pause = PAUSE.first;
  #isEnded = false;

  /** @param opening the state the page shows now */
  constructor(opening: () => VisitorOpening, hear: (news: VisitorNews) => void) {
    this.#opening = opening;
    this.#hear = hear;
    document.addEventListener('visibilitychange', this.#look);
    this.#look();
  }

  readonly #look = (): void => {
    if (document.hidden) this.#close();
    else this.#open();
  };

  #open(): void {
    clearTimeout(this.#retry);
    if (this.#socket || this.#isEnded) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${VISITOR_EDITS_PATH}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = PAUSE.first;
      socket.send(JSON.stringify(this.#opening()));
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => this.#hear(JSON.parse(data) as VisitorNews);
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      // A visitor who has lost access keeps the current room.
      if (code === VISITOR_EDITS_CLOSE.closed || code === VISITOR_EDITS_CLOSE.notAllowed) return;
      this.#retry = setTimeout(this.#look, jittered(this.#pause));
      this.#pause = Math.min(this.#pause * 2, PAUSE.longest);
    };
  }

  #close(): void {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  end(): void {
    this.#isEnded = true;
    document.removeEventListener('visibilitychange', this.#look);
    this.#close();
  }
}
