import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** A connection as it was accepted. */
export interface AcceptedSocket {
  ws: WebSocket;
  socket: Socket;
}

/** A page's WebSocket: dead or blocked connections are cut. */
export abstract class SocketConnection {
  /** Address, as limits count it. */
  readonly address: string;
  /** The visitor's organization; null for editors, who name their space later. */
  readonly organizationId: number | null;
  protected readonly ws: WebSocket;
  readonly #socket: Socket;
  readonly #backlog: number;
  #answered = true;

  /** @param backlog maximum bytes buffered for the page before it is cut off */
  constructor(
    from: { address: string; organizationId: number | null },
    { ws, socket }: AcceptedSocket,
    backlog: number,
  ) {
    this.address = from.address;
    this.organizationId = from.organizationId;
    this.ws = ws;
    this.#socket = socket;
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

  /** Writes a complete frame to the socket: without compression it is the same for all pages. */
  sendFrame(frame: Buffer): void {
    if (!this.isOpen || !this.#socket.writable) return;
    if (this.#socket.writableLength > this.#backlog) this.ws.terminate();
    else this.#socket.write(frame);
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
