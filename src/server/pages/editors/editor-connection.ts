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
import { type AcceptedSocket, SocketConnection } from '../sockets/socket-connection.ts';
import { jsonFrame } from '../sockets/socket-frame.ts';

/** Messages per second above which a connection is closed. */
const FLOOD = 60;
const SECOND = 1000;
/**
 * Maximum bytes buffered for an editor before it is disconnected: it reconnects and resumes the log from its position.
 */
const BACKLOG = 32 * 1024 * 1024;

/** An admitted editor. */
export interface Admitted {
  client: string;
  user: SignedIn;
  mayEdit: boolean;
  color: number;
  presence: EditorPresence;
  /** Sequence number of the last log entry sent. */
  seq: number;
}

interface Switchboard {
  /** Monotonic milliseconds. */
  now(): number;
  opened(connection: EditorConnection, message: EditorMessage & { type: 'open' }): void;
  closed(connection: EditorConnection): void;
}

/** Connection of an open editor. */
export class EditorConnection extends SocketConnection {
  readonly roomId: number;
  readonly #board: Switchboard;
  #second = Number.NEGATIVE_INFINITY;
  #inSecond = 0;
  #hasOpened = false;
  /** Null until the first message was accepted. */
  admitted: Admitted | null = null;
  /** Whether its presence has changed since the last broadcast. */
  isDirty = false;

  constructor(roomId: number, address: string, accepted: AcceptedSocket, board: Switchboard) {
    super({ address, organizationId: null }, accepted, BACKLOG);
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
      this.end(EDITOR_CLOSE.notAllowed, 'Invalid message.');
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
    this.sendFrame(jsonFrame(news));
  }
}

/** The presence of an editor that hasn't sent one yet. */
export const noPresence = (): EditorPresence => editorPresenceSchema.parse({});
