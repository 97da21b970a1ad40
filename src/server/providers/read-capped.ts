import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A body over the size limit. */
export class TooLarge extends Error {}

/** A body in an encoding that wasn't requested. */
export class UnknownEncoding extends Error {}

/** Requested encodings. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const DECODERS: Record<string, () => Transform> = {
  '': () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads and decompresses a body up to a size limit. Decompression stops at the limit, so that a zip bomb costs no more
 * than any other body.
 * @param encoding `Content-Encoding` of the response
 * @param most maximum uncompressed bytes
 * @throws TooLarge, UnknownEncoding, or the stream's error
 */
export async function readCapped(body: Readable, encoding: string, most: number): Promise<Buffer> {
  const makeDecoder = DECODERS[encoding.trim().toLowerCase()];
  if (!makeDecoder) {
    body.destroy();
    throw new UnknownEncoding(encoding);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  await pipeline(body, makeDecoder(), async (decoded: AsyncIterable<Buffer>) => {
    for await (const chunk of decoded) {
      bytes += chunk.length;
      if (bytes > most) throw new TooLarge();
      chunks.push(chunk);
    }
  });
  return Buffer.concat(chunks);
}
