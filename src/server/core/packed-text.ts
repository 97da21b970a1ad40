import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Characters from which a text is compressed. */
const LARGE = 4096;
const PACKED = 'gzip:';

/** Compresses a large text for storage in a column. */
export async function packText(text: string): Promise<string> {
  return text.length < LARGE ? text : PACKED + (await promisify(gzip)(text)).toString('base64');
}

/**
 * Decompresses a text from `packText`.
 * @param most maximum size in bytes
 */
export async function unpackText(packed: string, most: number): Promise<string> {
  if (!packed.startsWith(PACKED)) return packed;
  const bytes = Buffer.from(packed.slice(PACKED.length), 'base64');
  return (await promisify(gunzip)(bytes, { maxOutputLength: most })).toString();
}
