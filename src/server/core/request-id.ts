import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Header that names a request from the proxy in front of the server to the services behind it. */
export const REQUEST_ID = 'x-request-id';

/** What may stand in a log: nothing that ends a line, and not too much of it. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;

const current = new AsyncLocalStorage<string>();

/** The name that a request brings; one that it is given where it brings none that can be used. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[REQUEST_ID];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

/** The header for requests to others that are made for the request under way. */
export function requestIdHeader(): Record<string, string> {
  const id = current.getStore();
  return id === undefined ? {} : { [REQUEST_ID]: id };
}

/** Says in each answer which request it is to, and remembers it for what is done for that request. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID, request.id);
    current.run(request.id, done);
  });
  // What reads a body goes on where the connection was opened.
  app.addHook('preHandler', (request, _reply, done) => current.run(request.id, done));
}
