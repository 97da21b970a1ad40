import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A range of a file to copy, or bytes to write in its place. */
export type Piece = { from: number; to: number } | Buffer;

/** Copy chunk size in bytes. */
const CHUNK = 1024 * 1024;

/** Writes a file's pieces in sequence. */
export async function writePieces(source: string, target: string, pieces: readonly Piece[]): Promise<void> {
  async function* bytes() {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) yield piece;
      else if (piece.to > piece.from)
        yield* createReadStream(source, { start: piece.from, end: piece.to - 1, highWaterMark: CHUNK });
    }
  }
  await pipeline(Readable.from(bytes(), { objectMode: false }), createWriteStream(target));
}

/** Concatenates the pieces of a buffer. */
export const joinPieces = (bytes: Buffer, pieces: readonly Piece[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : bytes.subarray(piece.from, piece.to))));

/** A file's pieces with these sorted ranges zeroed; null if there are none. */
export function blanked(ranges: readonly { from: number; to: number; by?: Buffer }[], size: number): Piece[] | null {
  if (ranges.length === 0) return null;
  const pieces: Piece[] = [];
  let at = 0;
  for (const { from, to, by } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue;
    pieces.push({ from: at, to: from }, by ?? Buffer.alloc(to - from));
    at = to;
  }
  return [...pieces, { from: at, to: size }];
}

/** Random access to a file. */
export class FileParts {
  readonly size: number;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Opens a file for the duration of a callback. */
  static async use<T>(path: string, work: (file: FileParts) => Promise<T>): Promise<T> {
    const handle = await open(path);
    try {
      return await work(new FileParts(handle, (await handle.stat()).size));
    } finally {
      await handle.close();
    }
  }

  /** Reads bytes at an offset; fewer at the end of the file. */
  async read(at: number, bytes: number): Promise<Buffer> {
    const length = Math.max(0, Math.min(bytes, this.size - at));
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }
}
