import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { tokenText } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Upload } from '../api/handler.ts';
import { plainCell } from './csv-cell.ts';

/** Largest file in bytes, and most codes in it. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_ROWS = 100_000;
/** Bytes that are parsed before others have their turn. */
const SLICE = 64 * 1024;
/** Characters from which the delimiter is read. */
const HEAD = 64 * 1024;
/** Wrong rows that are named one by one. */
const NAMED = 20;

/** The field of the form that the file came in, and that is named when something is wrong with it. */
const FIELD = 'access_tokens_file';

/** What stands in a file of codes. */
export interface CodeFile {
  /** Codes in their order, each once, with the line where it first stands. */
  codes: Map<string, number>;
  /** Lines whose code stands further up. */
  repeated: number[];
}

const refuse = (code: 'invalid' | 'bad_file' | 'bad_request' | 'too_large', ...texts: string[]) =>
  new ApiError(code, { [FIELD]: texts });

async function readBytes({ stream, truncated }: Upload): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      // The rest is read all the same, and forgotten: an answer before its end would not arrive.
      if (bytes <= MOST_BYTES) chunks.push(chunk);
    }
  } catch {
    throw refuse('bad_request', 'The upload was cut off. Send the file again.');
  }
  if (bytes > MOST_BYTES || truncated())
    throw refuse('too_large', `Use a file of at most ${MOST_BYTES / 1024 / 1024} MB, or several.`);
  return Buffer.concat(chunks);
}

function asText(bytes: Buffer): string {
  try {
    // A byte order mark goes away here. One kind of line break makes lines countable.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    throw refuse('bad_file', 'The file is not UTF-8. Save it as "CSV UTF-8" and send it again.');
  }
}

/** What stands between the columns: whatever is in the most lines, outside of quotation marks. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, HEAD)
    .replace(/"[^"]*"/g, '')
    .split('\n');
  const count = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length;
  return [';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best), ',');
}

async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += SLICE) {
    yield bytes.subarray(start, start + SLICE);
    await nextTurn();
  }
}

/** The cells of a text, row by row, each row with the line on which it begins. */
async function* rowsOf(text: string): AsyncGenerator<{ cells: string[]; line: number }> {
  // The parser runs ahead of what is read from it, so lines are noted where it finds them.
  const begins = [1];
  const parser = parse({
    delimiter: delimiterOf(text),
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    on_record: (cells: string[], { lines }) => {
      begins.push(lines + 1);
      return cells;
    },
  });
  try {
    let row = 0;
    for await (const cells of Readable.from(slicesOf(Buffer.from(text))).pipe(parser))
      yield { cells, line: begins[row++]! };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const fault = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a quotation mark is not closed' : 'this can not be read';
    throw refuse('bad_file', `Line ${begins.at(-1)}: ${fault}.`);
  }
}

/** Why a row holds no code; null when it does. */
function faultOf(cell: string): string | null {
  const result = tokenText.safeParse(cell);
  return result.success ? null : result.error.issues[0]!.message;
}

/**
 * Reads codes from the first column of a CSV: UTF-8 with or without byte order mark, columns between commas, semicolons
 * or tabs, without a heading. Empty lines are skipped.
 * @returns undefined when no file was chosen: browsers send an empty one without a name then
 * @throws ApiError naming the lines that hold no code; nothing of such a file is used
 */
export async function readCodes(upload: Upload): Promise<CodeFile | undefined> {
  const bytes = await readBytes(upload);
  if (bytes.length === 0 && upload.name === '') return undefined;
  const codes = new Map<string, number>();
  const repeated: number[] = [];
  const faults: string[] = [];
  let rows = 0;
  for await (const { cells, line } of rowsOf(asText(bytes))) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (++rows > MOST_ROWS) throw refuse('too_large', `Use at most ${MOST_ROWS} codes in a file, or several files.`);
    const code = plainCell(cells[0]!.trim());
    const fault = faultOf(code);
    if (fault) faults.push(`Line ${line}: ${fault}`);
    else if (codes.has(code)) repeated.push(line);
    else codes.set(code, line);
  }
  if (faults.length > 0) {
    const more = faults.length - NAMED;
    throw refuse('invalid', ...faults.slice(0, NAMED), ...(more > 0 ? [`${more} more lines hold no code.`] : []));
  }
  if (rows === 0) throw refuse('invalid', 'The file holds no codes. They stand in its first column.');
  return { codes, repeated };
}
