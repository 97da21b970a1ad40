import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { ATTEMPT_WINDOW, countAgainst, TooManyAttempts } from '../../core/limits/attempts.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import { innerClient } from './inner-client.ts';

/** Path of uploads by a one-time URL. */
export const UPLOADS = '/api/mcp/uploads';

/** Encryption context of upload URLs. */
const PLACE = 'upload';

/** An upload that may be made once. */
interface Ticket {
  /** API key that it acts for. */
  token: string;
  name: string;
  folderId?: number | undefined;
  /** End in milliseconds since 1970. */
  endsAt: number;
  nonce: string;
}

/** Creates the path for one upload with an API key. The key in it is encrypted with the server's key. */
export async function uploadPath(
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
  { token, name, folderId }: Pick<Ticket, 'token' | 'name' | 'folderId'>,
): Promise<{ path: string; expires_at: string }> {
  const endsAt = clock.now() + ATTEMPT_WINDOW;
  const ticket: Ticket = { token, name, folderId, endsAt, nonce: randomBytes(16).toString('base64url') };
  const sealed = await sealToken(settings, PLACE, JSON.stringify(ticket));
  return { path: `${UPLOADS}/${sealed}`, expires_at: timestampOf(endsAt) };
}

/** A form with one file, as a stream. */
function formWith(content: Readable, name: string): { type: string; stream: Readable } {
  const boundary = `enfilade-${randomBytes(12).toString('hex')}`;
  const quoted = name.replace(/[\r\n"]/g, '_');
  async function* parts() {
    yield `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\n`;
    yield 'Content-Type: application/octet-stream\r\n\r\n';
    yield* content;
    yield `\r\n--${boundary}--\r\n`;
  }
  return { type: `multipart/form-data; boundary=${boundary}`, stream: Readable.from(parts(), { objectMode: false }) };
}

/** Accepts uploads by one-time URLs: the body is the content of the file. */
export function serveUploads(app: FastifyInstance, services: Services): void {
  const { db, clock, settings } = services;
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.put<{ Params: { ticket: string } }>(`${UPLOADS}/:ticket`, async (request, reply) => {
      const opened = await openToken(settings, PLACE, request.params.ticket);
      const ticket = opened === null ? null : (JSON.parse(opened) as Ticket);
      if (!ticket || ticket.endsAt <= clock.now())
        throw new ApiError('not_found', 'This upload URL is invalid or has expired. Ask for a new one.');
      const { body } = request;
      if (!(body instanceof Readable)) throw new ApiError('bad_request', 'Send the content of the file as the body.');
      const from = { token: ticket.token, host: request.host, address: request.ip };
      // An upload without the right doesn't use up the URL.
      await innerClient(app, from).users.active();
      await countAgainst(db, clock, [{ subject: `upload:${ticket.nonce}`, most: 1 }]).catch((error: unknown) => {
        if (!(error instanceof TooManyAttempts)) throw error;
        throw new ApiError('not_found', 'This upload URL has been used. Ask for a new one.');
      });
      const { type, stream } = formWith(body, ticket.name);
      const folder = ticket.folderId === undefined ? '' : `?folder_id=${ticket.folderId}`;
      const answer = await app.inject({
        method: 'POST',
        url: `/api/v1/backend/media${folder}`,
        headers: { authorization: `Bearer ${from.token}`, 'content-type': type, host: from.host },
        remoteAddress: from.address,
        payload: stream,
      });
      return reply.code(answer.statusCode).type('application/json; charset=utf-8').send(answer.payload);
    });
  });
}
