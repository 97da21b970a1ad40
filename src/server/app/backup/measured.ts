import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** Size and hash of a file. */
export interface Measure {
  bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
}

/** Pass-through stream that counts and hashes bytes. */
export class Measured extends Transform {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  /** The result; call it once, after the stream has ended. */
  measure(): Measure {
    return { bytes: this.#bytes, hash: this.#hash.digest('hex') };
  }
}
