import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A part of a file that is kept as it is, or bytes that stand in its place. */
export type Piece = { from: number; to: number } | Buffer;

/** Bytes that are read at once where a file is copied. */
const CHUNK = 1024 * 1024;

/** Writes the pieces of a file, one after the other. */
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

/** The pieces of bytes in memory, as one. */
export const joinPieces = (bytes: Buffer, pieces: readonly Piece[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : bytes.subarray(piece.from, piece.to))));

/** Pieces of a file in which these ranges, in their order, are zeros; null where there are none. */
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

/** Reads parts of a file. */
export class FileParts {
  readonly size: number;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** Opens a file for as long as something is read from it. */
  static async use<T>(path: string, work: (file: FileParts) => Promise<T>): Promise<T> {
    const handle = await open(path);
    try {
      return await work(new FileParts(handle, (await handle.stat()).size));
    } finally {
      await handle.close();
    }
  }

  /** Bytes from a place; fewer where the file ends before. */
  async read(at: number, bytes: number): Promise<Buffer> {
    const length = Math.max(0, Math.min(bytes, this.size - at));
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }
}
