import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

/** How a visitor wants positions: each as a message, many in one frame, or many with who they are and where they look. */
export type Form = 'single' | 'batch' | 'avatars';

/** Bytes that may wait for a visitor before it is left out. */
const BACKLOG = 256 * 1024;

/** A visitor's end of the line. */
export class Receiver {
  readonly form: Form;
  readonly #ws: WebSocket;
  readonly #socket: Socket;

  constructor(form: Form, ws: WebSocket, socket: Socket) {
    this.form = form;
    this.#ws = ws;
    this.#socket = socket;
  }

  /** Whether so much waits to be read that nothing more should be written. */
  get isFull(): boolean {
    return this.#socket.writableLength > BACKLOG;
  }

  /** Writes whole frames straight to the socket: without compression there is nothing in them that differs by visitor. */
  write(frames: Buffer): void {
    if (this.#ws.readyState === WebSocket.OPEN && this.#socket.writable) this.#socket.write(frames);
  }

  /** Ends the connection without a message, which would not be read. */
  cut(): void {
    this.#ws.terminate();
  }
}
