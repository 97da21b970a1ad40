import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Header with the request id, from the proxy in front of the server to the services behind it. */
export const REQUEST_ID = 'x-request-id';

/** Ids that are safe in a log: no line breaks, limited length. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;

const current = new AsyncLocalStorage<string>();

/** The request's id; generated if it has no usable one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[REQUEST_ID];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

/** The request id header for outgoing requests made on behalf of the current request. */
export function requestIdHeader(): Record<string, string> {
  const id = current.getStore();
  return id === undefined ? {} : { [REQUEST_ID]: id };
}

/** Adds the request id to each response, and makes it available to asynchronous work of the request. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID, request.id);
    current.run(request.id, done);
  });
  // Body parsing resumes in the connection's async context, so the id is set again.
  app.addHook('preHandler', (request, _reply, done) => current.run(request.id, done));
}
