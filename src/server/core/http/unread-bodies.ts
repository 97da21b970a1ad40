import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Whatever uploads may be, so much of a refused one is read: a connection that is cut takes the answer with it. */
const MIN_BOUND = 64 * 1024 * 1024;

/** Waits until a body has been read to its end, for as long as it is not longer than it may be. */
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

/** An answer that is sent whole, and ends only when the body that was sent with the request has ended. */
async function* untilReadOut(answer: Buffer, raw: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  const end = readOut(raw, most);
  yield answer;
  await end;
}

/**
 * Answers requests that are refused before their body was read, so that the answer arrives: most clients send all before
 * they look, and what is cut off while they send never shows them what was said. The rest of the body is read and
 * forgotten, up to a bound, and the connection takes no other request.
 * @param largestUpload bytes
 */
export function readOutBodies(app: FastifyInstance, largestUpload: number): void {
  const most = Math.max(largestUpload, MIN_BOUND);
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    if (raw.readableEnded || raw.destroyed) return payload;
    raw.unpipe();
    raw.resume();
    // All of it is here already, or there is none.
    if (raw.complete || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload;
    const answer = Buffer.from(payload);
    reply.headers({ connection: 'close', 'content-length': answer.length });
    return Readable.from(untilReadOut(answer, raw, most), { objectMode: false });
  });
}
