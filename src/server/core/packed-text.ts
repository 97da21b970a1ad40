import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Characters from which a text is packed. */
const LARGE = 4096;
const PACKED = 'gzip:';

/** A text as a column keeps it: packed where it is large. */
export async function packText(text: string): Promise<string> {
  return text.length < LARGE ? text : PACKED + (await promisify(gzip)(text)).toString('base64');
}

/**
 * A text as `packText` was given it.
 * @param most bytes that it may have
 */
export async function unpackText(packed: string, most: number): Promise<string> {
  if (!packed.startsWith(PACKED)) return packed;
  const bytes = Buffer.from(packed.slice(PACKED.length), 'base64');
  return (await promisify(gunzip)(bytes, { maxOutputLength: most })).toString();
}
