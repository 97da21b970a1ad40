import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/**
 * Minimum number of bytes read from a rejected request, whatever the upload limit: closing the connection would lose
 * the response.
 */
const MIN_BOUND = 64 * 1024 * 1024;

/** Reads a body to its end, up to a limit. */
function readOut(raw: IncomingMessage, most: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) resolve();
  });
  raw.once('end', resolve);
  raw.once('close', resolve);
  return promise;
}

/** A response that is sent at once, but ends only after the request body has ended. */
async function* untilReadOut(answer: Buffer, raw: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  const end = readOut(raw, most);
  yield answer;
  await end;
}

/**
 * Delivers responses to requests rejected before their body was read: most clients read only after sending everything,
 * and a reset connection loses the response. The rest of the body is read and discarded up to a limit, and the
 * connection is closed afterwards.
 * @param largestUpload bytes
 */
export function readOutBodies(app: FastifyInstance, largestUpload: number): void {
  const most = Math.max(largestUpload, MIN_BOUND);
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (raw.readableEnded || raw.destroyed) return done(null, payload);
    raw.unpipe();
    raw.resume();
    // The body has arrived completely, or there is none.
    if (raw.complete || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return done(null, payload);
    const answer = Buffer.from(payload);
    reply.headers({ connection: 'close', 'content-length': answer.length });
    done(null, Readable.from(untilReadOut(answer, raw, most), { objectMode: false }));
  });
}
