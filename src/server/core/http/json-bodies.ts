import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { refuseComplex, type TooComplex } from '../read-json.ts';

/** Parses JSON bodies like Fastify, but rejects those that are nested too deep or too wide before parsing. */
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
