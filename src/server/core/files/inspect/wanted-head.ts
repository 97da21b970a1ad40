import { open } from 'node:fs/promises';

/** Bytes at the start of a file that identify its format. */
export const HEAD_BYTES = 16 * 1024;

/** Reads the first bytes of a file. */
export async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    .finally(() => handle.close());
  return buffer.subarray(0, bytesRead);
}
