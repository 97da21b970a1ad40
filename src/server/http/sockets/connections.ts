import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketConnection } from './socket-connection.ts';

/** Milliseconds that pages have for their goodbye when the server stops. */
const GOODBYE = 500;
/** Milliseconds between two looks whether all have said theirs. */
const LOOK = 10;

/** The connections of one kind: how many there are, and from where. */
export class Connections<C extends SocketConnection> {
  readonly #open = new Set<C>();
  readonly #byAddress = new Map<string, number>();
  readonly #mostByAddress: number;
  readonly #sockets: WebSocketServer;

  /** @param largest bytes of a message, at most; @param mostByAddress connections of one address, at most */
  constructor(largest: number, mostByAddress: number) {
    this.#mostByAddress = mostByAddress;
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

  /** Whether an address, as limits count it, has as many connections as it may. */
  isFull(address: string): boolean {
    return (this.#byAddress.get(address) ?? 0) >= this.#mostByAddress;
  }

  /** Takes over a connection that has asked to become a WebSocket. */
  accept(request: IncomingMessage, head: Buffer, make: (ws: WebSocket) => C): void {
    this.#sockets.handleUpgrade(request, request.socket, head, (ws: WebSocket) => {
      request.socket.setNoDelay(true);
      const connection = make(ws);
      this.#open.add(connection);
      this.#byAddress.set(connection.address, (this.#byAddress.get(connection.address) ?? 0) + 1);
    });
  }

  /** Forgets a connection that has ended. @returns whether it was there */
  remove(connection: C): boolean {
    if (!this.#open.delete(connection)) return false;
    const left = this.#byAddress.get(connection.address)! - 1;
    if (left > 0) this.#byAddress.set(connection.address, left);
    else this.#byAddress.delete(connection.address);
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
