import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { AcceptedSocket } from '../sockets/socket-connection.ts';

/** Format of positions: a message each, a batch in one frame, or a batch with references and headings. */
export type Form = 'single' | 'batch' | 'avatars';

/** Maximum bytes buffered for a visitor before it is excluded from frames. */
const BACKLOG = 256 * 1024;

/** Output of a visitor's connection. */
export class Receiver {
  readonly form: Form;
  readonly #ws: WebSocket;
  readonly #socket: Socket;

  constructor(form: Form, { ws, socket }: AcceptedSocket) {
    this.form = form;
    this.#ws = ws;
    this.#socket = socket;
  }

  /** Whether the buffer is full. */
  get isFull(): boolean {
    return this.#socket.writableLength > BACKLOG;
  }

  /** Writes complete frames to the socket: without compression they are the same for all visitors. */
  write(frames: Buffer): void {
    if (this.#ws.readyState === WebSocket.OPEN && this.#socket.writable) this.#socket.write(frames);
  }

  /** Closes the connection without a close frame, which would not be read. */
  cut(): void {
    this.#ws.terminate();
  }
}
