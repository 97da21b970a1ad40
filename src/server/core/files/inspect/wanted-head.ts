import { open } from 'node:fs/promises';
import type { MediaType } from '../../../../contract/entities.ts';
import type { HeadCheck } from '../checked-head.ts';
import type { Requester } from '../decoders/turns.ts';
import type { Workers } from '../workers/workers.ts';
import { unusable } from './inspection.ts';
import { KIND_NAMES } from './kind-names.ts';

/** Bytes from which a kind of file is told. */
const HEAD_BYTES = 16 * 1024;

/** The first bytes of a file. */
export async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    .finally(() => handle.close());
  return buffer.subarray(0, bytesRead);
}

/**
 * Refuses a file that cannot be what is wanted by its first bytes, before any of it is written, unpacked or read. What looks
 * like a text is left to its reader, which says what to do about it.
 */
export const headOf = (workers: Workers, wanted: MediaType, requester?: Requester): HeadCheck => ({
  bytes: HEAD_BYTES,
  look: async (head) => {
    const { format, types, name } = await workers.run('tellKind', head, requester);
    if (format !== 'text' && !types.includes(wanted))
      throw unusable(`This is ${name}; ${KIND_NAMES[wanted]} is needed here.`);
  },
});
