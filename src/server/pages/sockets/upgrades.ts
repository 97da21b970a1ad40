import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Lets routes of the server take connections that ask to become WebSockets; all others are answered like any request. */
export class Upgrades {
  readonly #heads = new WeakMap<IncomingMessage, Buffer>();
  readonly #paths: ((path: string) => boolean)[] = [];

  constructor(app: FastifyInstance) {
    Object.assign(app.server, {
      shouldUpgradeCallback: ({ url = '' }: IncomingMessage) => {
        const path = url.split('?')[0]!;
        return this.#paths.some((isOurs) => isOurs(path));
      },
    });
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#heads.set(request, head);
      // A refusal goes the way of every other answer, and ends the connection.
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(request.socket);
      response.on('finish', () => socket.end());
      socket.on('error', () => socket.destroy());
      app.routing(request, response);
    });
  }

  /** Takes such connections at these paths; the route that serves them decides about each. */
  at(isOurs: (path: string) => boolean): void {
    this.#paths.push(isOurs);
  }

  /** What came behind the request; undefined where it does not ask for a WebSocket. */
  headOf(request: IncomingMessage): Buffer | undefined {
    return this.#heads.get(request);
  }
}
