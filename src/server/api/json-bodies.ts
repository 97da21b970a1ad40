import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { isTooDeep, TooDeep } from '../read-json.ts';

/** Reads bodies of JSON as Fastify does, but for those that are nested too deep, which are refused before they are read. */
export function readJsonBodies(app: FastifyInstance): void {
  const read = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isTooDeep(body)) done(new ApiError('bad_request', new TooDeep().message));
    else void read(request, body, done);
  });
}
