import type { WebSocket } from 'ws';
import { z } from 'zod';
import { VISITOR_EDITS_CLOSE, type VisitorOpening } from '../../../contract/visitor-edits.ts';
import { readJsonAs } from '../sockets/read-json-as.ts';

/** Bytes that may wait for a page before it is cut off: it comes back, and says what it shows. */
const BACKLOG = 8 * 1024 * 1024;

const openingSchema: z.ZodType<VisitorOpening> = z.strictObject({
  path: z.string().max(300),
  token: z.string().min(1).max(4096).nullable(),
  tag: z.string().max(64),
});

interface Switchboard {
  opened(connection: VisitorConnection, opening: VisitorOpening): void;
  closed(connection: VisitorConnection): void;
}

/** One visitor's page that hears of edits. */
export class VisitorConnection {
  readonly organizationId: number;
  readonly address: string;
  readonly #ws: WebSocket;
  #answered = true;
  /** Null until the first message was read. */
  opening: VisitorOpening | null = null;

  constructor(organizationId: number, address: string, ws: WebSocket, board: Switchboard) {
    this.organizationId = organizationId;
    this.address = address;
    this.#ws = ws;
    ws.on('message', (data, isBinary) => this.#hear(isBinary ? null : data.toString(), board));
    ws.on('pong', () => {
      this.#answered = true;
    });
    // What went wrong ends the connection, and that is all there is to do about it.
    ws.on('error', () => undefined);
    ws.on('close', () => board.closed(this));
  }

  #hear(text: string | null, board: Switchboard): void {
    const opening = this.opening || text === null ? null : readJsonAs(openingSchema, text);
    if (!opening) {
      this.end(VISITOR_EDITS_CLOSE.notAllowed, 'This is nothing that a page may send.');
      return;
    }
    this.opening = opening;
    board.opened(this, opening);
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    if (this.#ws.bufferedAmount > BACKLOG) this.#ws.terminate();
    else this.#ws.send(text);
  }

  /** Asks whether the page is still there; ends the connection when the last time got no answer. */
  check(): void {
    if (!this.#answered) {
      this.#ws.terminate();
      return;
    }
    this.#answered = false;
    this.#ws.ping();
  }

  end(code: number, reason: string): void {
    this.#ws.close(code, reason);
  }

  /** Ends it without waiting. */
  cut(): void {
    this.#ws.terminate();
  }
}
