import type { WebSocket } from 'ws';

/** One WebSocket of a page: whoever is no longer there, or does not read, is cut off. */
export abstract class SocketConnection {
  /** Address that it comes from, as limits count it. */
  readonly address: string;
  /** Organization whose visitor it is; null for editors, who say later which space they edit. */
  readonly organizationId: number | null;
  protected readonly ws: WebSocket;
  readonly #backlog: number;
  #answered = true;

  /** @param backlog bytes that may wait for the page before it is cut off */
  constructor(from: { address: string; organizationId: number | null }, ws: WebSocket, backlog: number) {
    this.address = from.address;
    this.organizationId = from.organizationId;
    this.ws = ws;
    this.#backlog = backlog;
    ws.on('message', (data, isBinary) => this.hear(isBinary ? null : data.toString()));
    ws.on('pong', () => {
      this.#answered = true;
    });
    // What went wrong ends the connection, and that is all there is to do about it.
    ws.on('error', () => undefined);
    ws.on('close', () => this.left());
  }

  /** Takes what the page said; null for what is no text. */
  protected abstract hear(text: string | null): void;
  /** The connection has ended, by whomever. */
  protected abstract left(): void;

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  sendText(text: string): void {
    if (!this.isOpen) return;
    if (this.ws.bufferedAmount > this.#backlog) this.ws.terminate();
    else this.ws.send(text);
  }

  /** Asks whether the page is still there; ends the connection when the last time got no answer. */
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

  /** Ends it without waiting. */
  cut(): void {
    this.ws.terminate();
  }
}
