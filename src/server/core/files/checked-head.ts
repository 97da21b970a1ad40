import type { Readable } from 'node:stream';

/** Looks at the first bytes of a file; throws where it is not wanted. */
export interface HeadCheck {
  /** How many bytes it looks at. */
  bytes: number;
  look(head: Buffer): Promise<void>;
}

/** The pieces of a stream, of which the first is given on once the head of the whole has been looked at. */
export async function* checkedHead(stream: Readable, { bytes, look }: HeadCheck): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let missing = bytes;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (missing <= 0) {
      yield chunk;
      continue;
    }
    held.push(chunk);
    missing -= chunk.length;
    if (missing > 0) continue;
    await look(Buffer.concat(held).subarray(0, bytes));
    yield* held;
  }
  if (missing <= 0) return;
  await look(Buffer.concat(held));
  yield* held;
}
