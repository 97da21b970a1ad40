import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Dispatches WebSocket upgrades to routes of the server; other upgrade requests are handled like any request. */
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
      // A refusal is a regular response that closes the connection.
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(request.socket);
      response.on('finish', () => socket.end());
      socket.on('error', () => socket.destroy());
      app.routing(request, response);
    });
  }

  /** Accepts upgrades at these paths; the route decides about each request. */
  at(isOurs: (path: string) => boolean): void {
    this.#paths.push(isOurs);
  }

  /** The first bytes after an upgrade request; undefined for other requests. */
  headOf(request: IncomingMessage): Buffer | undefined {
    return this.#heads.get(request);
  }
}
