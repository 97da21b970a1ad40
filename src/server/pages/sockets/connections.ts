import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServerSettings } from '../../core/settings.ts';
import type { AcceptedSocket, SocketConnection } from './socket-connection.ts';

/** Milliseconds for pages to answer the close frame at shutdown. */
const CLOSE_TIMEOUT = 500;
/** Milliseconds between checks for open connections. */
const LOOK = 10;

type SocketLimits = Pick<ServerSettings, 'SOCKETS_PER_ADDRESS' | 'SOCKETS_PER_ORGANIZATION'>;

/** Subjects of a connection's limits. */
const subjectsOf = ({ address, organizationId }: SocketConnection): string[] =>
  organizationId === null ? [address] : [address, `organization:${organizationId}`];

/** Connections of one kind, with limits per address and organization. */
export class Connections<C extends SocketConnection> {
  readonly #open = new Set<C>();
  /** Open connections by address, and by organization. */
  readonly #counts = new Map<string, number>();
  readonly #limits: SocketLimits;
  readonly #sockets: WebSocketServer;

  /** @param largest maximum message size in bytes */
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
   * @param organizationId null if it is not known yet
   */
  refusalOf(address: string, organizationId: number | null): string | null {
    const { SOCKETS_PER_ADDRESS, SOCKETS_PER_ORGANIZATION } = this.#limits;
    const count = (subject: string) => this.#counts.get(subject) ?? 0;
    if (count(address) >= SOCKETS_PER_ADDRESS) return 'Too many connections from this address.';
    if (organizationId !== null && count(`organization:${organizationId}`) >= SOCKETS_PER_ORGANIZATION)
      return 'Too many connections to these rooms.';
    return null;
  }

  /** Accepts a WebSocket upgrade. */
  accept(request: IncomingMessage, head: Buffer, make: (accepted: AcceptedSocket) => C): void {
    const { socket } = request;
    this.#sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      socket.setNoDelay(true);
      const connection = make({ ws, socket });
      this.#open.add(connection);
      for (const subject of subjectsOf(connection)) this.#counts.set(subject, (this.#counts.get(subject) ?? 0) + 1);
    });
  }

  /** Removes a closed connection. @returns whether it was present */
  remove(connection: C): boolean {
    if (!this.#open.delete(connection)) return false;
    for (const subject of subjectsOf(connection)) {
      const left = this.#counts.get(subject)! - 1;
      if (left > 0) this.#counts.set(subject, left);
      else this.#counts.delete(subject);
    }
    return true;
  }

  /** Pings all pages. */
  check(): void {
    for (const connection of this.#open) connection.check();
  }

  /** Closes all connections with a code that makes pages reconnect, and cuts those that don't respond. */
  async end(code: number, reason: string): Promise<void> {
    for (const connection of this.#open) connection.end(code, reason);
    const until = performance.now() + CLOSE_TIMEOUT;
    while (this.size > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK));
    for (const connection of this.#open) connection.cut();
  }
}
