import {
  VISITOR_EDITS_CLOSE,
  VISITOR_EDITS_PATH,
  type VisitorNews,
  type VisitorOpening,
} from '../../contract/visitor-edits.ts';

/** Milliseconds before a connection that failed is opened again: at first, and at most. */
const PAUSE = { first: 1000, longest: 60_000 };

/** Between half of a pause and all of it, so that not everybody comes back in the same moment. */
export const jittered = (pause: number): number => pause * (0.5 + crypto.getRandomValues(new Uint8Array(1))[0]! / 512);

/** The connection over which a page hears what is edited: open while the page is seen. */
export class EditsLine {
  readonly #opening: () => VisitorOpening;
  readonly #hear: (news: VisitorNews) => void;
  #socket: WebSocket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pause = PAUSE.first;
  #isEnded = false;

  /** @param opening what the page shows now */
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
      // Who may no longer enter stays with what is there.
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
