import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** A body that is larger than it may be. */
export class TooLarge extends Error {}

/** A body in an encoding that was not asked for. */
export class UnknownEncoding extends Error {}

/** Encodings that are asked for. */
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
 * Reads a body whole, unpacked, as long as it stays below a size. Unpacking stops there, so that a small body which
 * unpacks to a huge one costs no more than any other.
 * @param encoding `Content-Encoding` of the answer
 * @param most bytes, unpacked
 * @throws TooLarge, UnknownEncoding, or what the stream fails with
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
