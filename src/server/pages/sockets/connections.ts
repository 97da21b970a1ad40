import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServerSettings } from '../../core/settings.ts';
import type { SocketConnection } from './socket-connection.ts';

/** Milliseconds that pages have for their goodbye when the server stops. */
const GOODBYE = 500;
/** Milliseconds between two looks whether all have said theirs. */
const LOOK = 10;

type SocketLimits = Pick<ServerSettings, 'SOCKETS_PER_ADDRESS' | 'SOCKETS_PER_ORGANIZATION'>;

/** What a connection is counted for. */
const subjectsOf = ({ address, organizationId }: SocketConnection): string[] =>
  organizationId === null ? [address] : [address, `organization:${organizationId}`];

/** The connections of one kind: how many there are, and from where. */
export class Connections<C extends SocketConnection> {
  readonly #open = new Set<C>();
  /** Open connections of each address, and of each organization. */
  readonly #counts = new Map<string, number>();
  readonly #limits: SocketLimits;
  readonly #sockets: WebSocketServer;

  /** @param largest bytes of a message, at most */
  constructor(largest: number, limits: SocketLimits) {
    this.#limits = limits;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: largest,
      perMessageDeflate: false,
      clientTracking: false,
    });
  }

  get size(): number {
    return this.#open.size;
  }

  [Symbol.iterator](): Iterator<C> {
    return this.#open.values();
  }

  /**
   * Why another connection is refused; null if it is accepted.
   * @param address as limits count it
   * @param organizationId null where it is known only later
   */
  refusalOf(address: string, organizationId: number | null): string | null {
    const { SOCKETS_PER_ADDRESS, SOCKETS_PER_ORGANIZATION } = this.#limits;
    const count = (subject: string) => this.#counts.get(subject) ?? 0;
    if (count(address) >= SOCKETS_PER_ADDRESS) return 'Too many connections from this address.';
    if (organizationId !== null && count(`organization:${organizationId}`) >= SOCKETS_PER_ORGANIZATION)
      return 'Too many connections to these rooms.';
    return null;
  }

  /** Takes over a connection that has asked to become a WebSocket. */
  accept(request: IncomingMessage, head: Buffer, make: (ws: WebSocket) => C): void {
    this.#sockets.handleUpgrade(request, request.socket, head, (ws: WebSocket) => {
      request.socket.setNoDelay(true);
      const connection = make(ws);
      this.#open.add(connection);
      for (const subject of subjectsOf(connection)) this.#counts.set(subject, (this.#counts.get(subject) ?? 0) + 1);
    });
  }

  /** Forgets a connection that has ended. @returns whether it was there */
  remove(connection: C): boolean {
    if (!this.#open.delete(connection)) return false;
    for (const subject of subjectsOf(connection)) {
      const left = this.#counts.get(subject)! - 1;
      if (left > 0) this.#counts.set(subject, left);
      else this.#counts.delete(subject);
    }
    return true;
  }

  /** Asks every page whether it is still there. */
  check(): void {
    for (const connection of this.#open) connection.check();
  }

  /** Ends all with a code, which tells pages to come back, and cuts off who has not gone after a moment. */
  async end(code: number, reason: string): Promise<void> {
    for (const connection of this.#open) connection.end(code, reason);
    const until = performance.now() + GOODBYE;
    while (this.size > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK));
    for (const connection of this.#open) connection.cut();
  }
}
