import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** What tells whether a file is what it was. */
export interface Measure {
  bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
}

/** Passes bytes on, and counts and hashes them. */
export class Measured extends Transform {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  /** What went through; asked for once, when all has. */
  measure(): Measure {
    return { bytes: this.#bytes, hash: this.#hash.digest('hex') };
  }
}
