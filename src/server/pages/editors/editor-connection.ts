import type { WebSocket } from 'ws';
import {
  EDITOR_CLOSE,
  type EditorMessage,
  type EditorPresence,
  type EditorServerMessage,
  editorMessageSchema,
  editorPresenceSchema,
} from '../../../contract/editor-messages.ts';
import type { SignedIn } from '../../core/http/call-context.ts';
import { readJsonAs } from '../sockets/read-json-as.ts';
import { SocketConnection } from '../sockets/socket-connection.ts';

/** Messages in a second after which a connection is ended. */
const FLOOD = 60;
const SECOND = 1000;
/** Bytes that may wait for an editor before it is cut off: it comes back, and reads the log from where it was. */
const BACKLOG = 32 * 1024 * 1024;

/** Somebody who has been let in. */
export interface Admitted {
  client: string;
  user: SignedIn;
  mayEdit: boolean;
  color: number;
  presence: EditorPresence;
  /** Last place in the log that was sent. */
  seq: number;
}

interface Switchboard {
  /** Milliseconds that only grow. */
  now(): number;
  opened(connection: EditorConnection, message: EditorMessage & { type: 'open' }): void;
  closed(connection: EditorConnection): void;
}

/** One open editor's connection. */
export class EditorConnection extends SocketConnection {
  readonly roomId: number;
  readonly #board: Switchboard;
  #second = Number.NEGATIVE_INFINITY;
  #inSecond = 0;
  #hasOpened = false;
  /** Null until the first message was accepted. */
  admitted: Admitted | null = null;
  /** Whether others have not been told of its presence yet. */
  isDirty = false;

  constructor(roomId: number, address: string, ws: WebSocket, board: Switchboard) {
    super({ address, organizationId: null }, ws, BACKLOG);
    this.roomId = roomId;
    this.#board = board;
  }

  protected left(): void {
    this.#board.closed(this);
  }

  protected hear(text: string | null): void {
    const now = this.#board.now();
    if (now - this.#second >= SECOND) {
      this.#second = now;
      this.#inSecond = 0;
    }
    const message = ++this.#inSecond > FLOOD || text === null ? null : readJsonAs(editorMessageSchema, text);
    if (!message || (message.type === 'open') === this.#hasOpened) {
      this.end(EDITOR_CLOSE.notAllowed, 'This is nothing that an editor may send.');
      return;
    }
    if (message.type === 'open') {
      this.#hasOpened = true;
      this.#board.opened(this, message);
    } else if (this.admitted) {
      this.admitted.presence = message.presence;
      this.isDirty = true;
    }
  }

  send(news: EditorServerMessage): void {
    this.sendText(JSON.stringify(news));
  }
}

/** What is known of an editor who has said nothing yet. */
export const noPresence = (): EditorPresence => editorPresenceSchema.parse({});
