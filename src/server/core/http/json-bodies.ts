import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { refuseComplex, type TooComplex } from '../read-json.ts';

/** Reads bodies of JSON as Fastify does, but for those that are nested too deep or too wide, which are refused before they are read. */
export function readJsonBodies(app: FastifyInstance): void {
  const read = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    try {
      refuseComplex(body);
    } catch (error) {
      done(new ApiError('bad_request', (error as TooComplex).message));
      return;
    }
    void read(request, body, done);
  });
}
