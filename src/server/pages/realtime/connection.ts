import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { type PositionMessage, RESTART_CODE } from '../../../contract/presence-messages.ts';
import type { PublicWrites } from '../../features/visits/limits.ts';
import { SocketConnection } from '../sockets/socket-connection.ts';
import { Allowance } from './allowance.ts';
import type { Channel } from './channel.ts';
import { isEnter, readMessage } from './read-message.ts';
import { type Form, Receiver } from './receiver.ts';

/** Subjects that one visitor may speak of: the room and some of its elements. */
const MAX_SUBJECTS = 16;

/** Why a connection is ended: RFC 6455, section 7.4.1, and the registry of its codes for a server that restarts. */
export const CLOSE = { notAllowed: 1008, restart: RESTART_CODE } as const;

/** Who is connected, and how. */
export interface Caller {
  organizationId: number;
  /** Address that it comes from, as limits count it. */
  address: string;
  /** Room that the address names; null when only elements are spoken of. */
  roomId: number | null;
  form: Form;
}

/** What connections ask of the server around them. */
export interface Switchboard {
  /** Milliseconds that only grow. */
  now(): number;
  /** The channel of a subject, if the visitor may be in its room; null when there is none. */
  channelFor(connection: Connection, subject: string): Promise<Channel | 'not allowed' | null>;
  /** Limits what visitors of a network and of an organization send in a minute. */
  readonly writes: PublicWrites;
  count(kind: 'received' | 'dropped'): void;
  closed(connection: Connection): void;
  failed(error: unknown): void;
}

/** One visitor's connection: what comes in is checked and counted, and goes to the channels of its subjects. */
export class Connection extends SocketConnection {
  readonly caller: Caller;
  /** Token of a visit, as the first message brought it. */
  token: string | null = null;
  /** Rooms in which the visitor is. */
  readonly rooms = new Set<number>();
  readonly #board: Switchboard;
  readonly #receiver: Receiver;
  readonly #allowance = new Allowance();
  readonly #channels = new Map<string, Promise<Channel | null>>();
  readonly #joined = new Set<Channel>();
  #ref: string | undefined;

  constructor(caller: Caller, ws: WebSocket, socket: Socket, board: Switchboard) {
    // What is sent goes through the receiver, which drops what nobody reads.
    super(caller, ws, Number.POSITIVE_INFINITY);
    this.caller = caller;
    this.#board = board;
    this.#receiver = new Receiver(caller.form, ws, socket);
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

  /** A visitor speaks of itself only, and of no more subjects than a room can have for it. */
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
      // Others of the same subject that come meanwhile wait for the same answer.
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
      // It may be found the next time.
      this.#channels.delete(subject);
    }
    return null;
  }
}
