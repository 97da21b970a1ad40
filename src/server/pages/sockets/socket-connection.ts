import type { WebSocket } from 'ws';

/** A page's WebSocket: dead or blocked connections are cut. */
export abstract class SocketConnection {
  /** Address, as limits count it. */
  readonly address: string;
  /** The visitor's organization; null for editors, who name their space later. */
  readonly organizationId: number | null;
  protected readonly ws: WebSocket;
  readonly #backlog: number;
  #answered = true;

  /** @param backlog maximum bytes buffered for the page before it is cut off */
  constructor(from: { address: string; organizationId: number | null }, ws: WebSocket, backlog: number) {
    this.address = from.address;
    this.organizationId = from.organizationId;
    this.ws = ws;
    this.#backlog = backlog;
    ws.on('message', (data, isBinary) => this.hear(isBinary ? null : data.toString()));
    ws.on('pong', () => {
      this.#answered = true;
    });
    // An error closes the connection; no further handling is needed.
    ws.on('error', () => undefined);
    ws.on('close', () => this.left());
  }

  /** Handles a message; null if it isn't text. */
  protected abstract hear(text: string | null): void;
  /** Called when the connection has closed, by either side. */
  protected abstract left(): void;

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  sendText(text: string): void {
    if (!this.isOpen) return;
    if (this.ws.bufferedAmount > this.#backlog) this.ws.terminate();
    else this.ws.send(text);
  }

  /** Pings the page; closes the connection if the previous ping went unanswered. */
  check(): void {
    if (!this.#answered) {
      this.ws.terminate();
      return;
    }
    this.#answered = false;
    this.ws.ping();
  }

  end(code: number, reason: string): void {
    this.ws.close(code, reason);
  }

  /** Closes it immediately. */
  cut(): void {
    this.ws.terminate();
  }
}
