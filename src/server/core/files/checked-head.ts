import type { Readable } from 'node:stream';
import type { MediaType } from '../../../contract/entities.ts';
import type { Requester } from './decoders/turns.ts';
import { unusable } from './inspect/inspection.ts';
import { KIND_NAMES } from './inspect/kind-names.ts';
import { HEAD_BYTES } from './inspect/wanted-head.ts';
import type { Workers } from './workers/workers.ts';

/** Checks a file's first bytes; throws if it is unwanted. */
export interface HeadCheck {
  /** Number of bytes it needs. */
  bytes: number;
  look(head: Buffer): Promise<void>;
}

/** Passes a stream through once its head has been checked. */
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

/**
 * Rejects a file by its first bytes if it can't be of the expected type, before any of it is written, unpacked or read.
 * Text files pass: their parser gives better errors.
 */
export const headOf = (workers: Workers, wanted: MediaType, requester?: Requester): HeadCheck => ({
  bytes: HEAD_BYTES,
  look: async (head) => {
    const { format, types, name } = await workers.run('detectKind', head, requester);
    if (format !== 'text' && !types.includes(wanted))
      throw unusable(`This is ${name}, but ${KIND_NAMES[wanted]} is required.`);
  },
});
