import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { STANDARD_INPUT } from './read-file.ts';

/** The start of a JSON document, after a byte order mark and whitespace. */
const DOCUMENT = /^\ufeff?\s*(?:[[{]|$)/;
/** Bytes examined to detect the format. */
const TABLE_SAMPLE_BYTES = 1024;

/** Whether standard input is a table, by its first bytes, which remain readable. */
async function isTableOnInput(): Promise<boolean> {
  const { stdin } = process;
  for (;;) {
    const chunk = stdin.read() as Buffer | null;
    if (chunk !== null) {
      stdin.unshift(chunk);
      return !DOCUMENT.test(chunk.toString('utf8'));
    }
    if (stdin.readableEnded) return false;
    await Promise.race([once(stdin, 'readable'), once(stdin, 'end')]);
  }
}

/** Whether a file is a table instead of a document, by its extension or content. */
export async function isTable(file: string): Promise<boolean> {
  if (file === STANDARD_INPUT) return isTableOnInput();
  if (/\.(?:csv|tsv)$/i.test(file)) return true;
  // A named pipe can be read only once.
  const isPlain = (await stat(file).catch(() => null))?.isFile() ?? false;
  if (/\.json$/i.test(file) || !isPlain) return false;
  let head = '';
  for await (const chunk of createReadStream(file, { end: TABLE_SAMPLE_BYTES - 1 }))
    head += (chunk as Buffer).toString('latin1');
  return !DOCUMENT.test(head.replace('\xef\xbb\xbf', ''));
}
