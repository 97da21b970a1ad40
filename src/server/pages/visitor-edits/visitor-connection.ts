import { z } from 'zod';
import { VISITOR_EDITS_CLOSE, type VisitorMessage } from '../../../contract/visitor-edits.ts';
import { readJsonAs } from '../sockets/read-json-as.ts';
import { type AcceptedSocket, SocketConnection } from '../sockets/socket-connection.ts';

/** Maximum bytes buffered for a page before it is cut off: it reconnects and sends its state. */
const BACKLOG = 8 * 1024 * 1024;

const openingSchema: z.ZodType<VisitorMessage> = z.strictObject({
  path: z.string().max(300),
  token: z.string().min(1).max(4096).nullable(),
  tag: z.string().max(64),
  language: z.string().max(35).optional(),
});

interface Switchboard {
  opened(connection: VisitorConnection, opening: VisitorMessage): void;
  closed(connection: VisitorConnection): void;
}

/** Connection of a visitor's page that receives edits. */
export class VisitorConnection extends SocketConnection {
  declare readonly organizationId: number;
  readonly #board: Switchboard;
  /** Null until the first message was read. */
  opening: VisitorMessage | null = null;

  constructor(organizationId: number, address: string, accepted: AcceptedSocket, board: Switchboard) {
    super({ address, organizationId }, accepted, BACKLOG);
    this.#board = board;
  }

  protected left(): void {
    this.#board.closed(this);
  }

  protected hear(text: string | null): void {
    const opening = this.opening || text === null ? null : readJsonAs(openingSchema, text);
    if (!opening) {
      this.end(VISITOR_EDITS_CLOSE.notAllowed, 'Invalid message.');
      return;
    }
    this.opening = opening;
    this.#board.opened(this, opening);
  }
}
