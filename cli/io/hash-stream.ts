import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** Passes bytes on, and hashes and counts them. */
export class HashStream extends Transform {
  readonly #hash = createHash('sha256');
  readonly #check: ((stream: HashStream) => void) | undefined;
  /** Number of bytes so far. */
  bytes = 0;
  /** Hash of all bytes in hexadecimal; empty before the end. */
  sha256 = '';

  /** @param check called at the end; its error fails the stream */
  constructor(check?: (stream: HashStream) => void) {
    super();
    this.#check = check;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.sha256 = this.#hash.digest('hex');
    try {
      this.#check?.(this);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}
