import { type PositionMessage, RESTART_CODE } from '../../../contract/presence-messages.ts';
import type { PublicWrites } from '../../features/visits/limits.ts';
import { type AcceptedSocket, SocketConnection } from '../sockets/socket-connection.ts';
import { Allowance } from './allowance.ts';
import type { Channel } from './channel.ts';
import { isEnter, readMessage } from './read-message.ts';
import { type Form, Receiver } from './receiver.ts';

/** Maximum number of subjects per visitor: the room and some of its elements. */
const MAX_SUBJECTS = 16;

/** Close codes: RFC 6455, section 7.4.1, and the IANA registry for restarts. */
export const CLOSE = { notAllowed: 1008, restart: RESTART_CODE } as const;

/** A connecting client. */
export interface Caller {
  organizationId: number;
  /** Address, as rate limits count it. */
  address: string;
  /** Room in the URL; null if only elements are addressed. */
  roomId: number | null;
  form: Form;
}

/** Services that connections need from the server. */
export interface Switchboard {
  /** Monotonic milliseconds. */
  now(): number;
  /** The channel of a subject if the visitor may enter its room; null if there is none. */
  channelFor(connection: Connection, subject: string): Promise<Channel | 'not allowed' | null>;
  /** Limits messages per minute by network and by organization. */
  readonly writes: PublicWrites;
  count(kind: 'received' | 'dropped'): void;
  closed(connection: Connection): void;
  failed(error: unknown): void;
}

/**
 * A visitor's connection: validates and rate-limits messages, and dispatches them to the channels of their subjects.
 */
export class Connection extends SocketConnection {
  readonly caller: Caller;
  /** Visit token from the first message. */
  token: string | null = null;
  /** Rooms the visitor is in. */
  readonly rooms = new Set<number>();
  readonly #board: Switchboard;
  readonly #receiver: Receiver;
  readonly #allowance = new Allowance();
  readonly #channels = new Map<string, Promise<Channel | null>>();
  readonly #joined = new Set<Channel>();
  #ref: string | undefined;

  constructor(caller: Caller, accepted: AcceptedSocket, board: Switchboard) {
    // Messages go through the receiver, which drops unread ones.
    super(caller, accepted, Number.POSITIVE_INFINITY);
    this.caller = caller;
    this.#board = board;
    this.#receiver = new Receiver(caller.form, accepted);
  }

  protected left(): void {
    for (const channel of this.#joined) channel.leave(this.#ref!, this.#receiver);
    this.#joined.clear();
    this.#board.closed(this);
  }

  protected hear(text: string | null): void {
    const now = this.#board.now();
    this.#board.count('received');
    if (!this.#allowance.take(now)) {
      this.end(CLOSE.notAllowed, 'Too many messages.');
      return;
    }
    const isCounted = this.#board.writes.takes(this.caller, text?.length ?? 0);
    const message = text === null || !isCounted ? null : readMessage(text);
    if (message && isEnter(message)) this.token ??= message.data.token;
    else if (message && this.#isOwn(message) && this.#allowance.counts(message.subject, now)) void this.#take(message);
    else this.#board.count('dropped');
  }

  /** A visitor sends only its own position, for a limited number of subjects. */
  #isOwn({ subject, data: { ref } }: PositionMessage): boolean {
    const { writes } = this.#board;
    if (this.#ref === undefined && writes.names(this.caller, ref)) this.#ref = ref;
    if (this.#ref !== ref) return false;
    if (this.#channels.has(subject)) return true;
    if (this.#channels.size >= MAX_SUBJECTS || writes.rowsLeft(this.caller) === 0) return false;
    writes.added(this.caller, 1);
    return true;
  }

  async #take({ subject, data }: PositionMessage): Promise<void> {
    let channel = await this.#channels.get(subject);
    if (channel === undefined || channel?.isClosed) {
      // Later messages of the same subject await the same lookup.
      const finding = this.#find(subject);
      this.#channels.set(subject, finding);
      channel = await finding;
    }
    if (!channel || !this.isOpen || !channel.see(data, this.#receiver)) this.#board.count('dropped');
    else this.#joined.add(channel);
  }

  async #find(subject: string): Promise<Channel | null> {
    try {
      const found = await this.#board.channelFor(this, subject);
      if (found !== 'not allowed') return found;
      this.end(CLOSE.notAllowed, 'This room requires an access token.');
    } catch (error) {
      this.#board.failed(error);
      // The next message tries again.
      this.#channels.delete(subject);
    }
    return null;
  }
}
