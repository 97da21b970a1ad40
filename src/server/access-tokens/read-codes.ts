import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainCell } from '../../contract/csv-cell.ts';
import { tokenText } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Upload } from '../api/handler.ts';
import type { Arrival, MediaStore } from '../media/media-store.ts';
import type { CodeLine, Codes } from './added-codes.ts';
import { codeRows, TableError } from './code-rows.ts';
import { documentCodes, isDocument } from './document-codes.ts';

/** Largest table and JSON document in bytes, and most codes in one. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_DOCUMENT_BYTES = 400 * 1024 * 1024;
const MOST_ROWS = 2_000_000;
/** Wrong rows that are named one by one. */
const NAMED = 20;
const QUOTE = '"'.charCodeAt(0);

/** The field of the form that the file came in, and that is named when something is wrong with it. */
const FIELD = 'access_tokens_file';

/** A checked file of codes, on disk until it is let go. */
export interface CodeFile {
  parts: Codes;
  /** Whether it has the times of its codes as well. */
  hasTimes: boolean;
  /** Lets it go. */
  discard(): Promise<void>;
}

const refuse = (code: 'invalid' | 'bad_file' | 'too_large', ...texts: string[]) =>
  new ApiError(code, { [FIELD]: texts });

/** Texts that need no closer look: most codes are. */
const SIMPLE = /^[!-~]{1,255}$/;

/** Why this is no code, behind the number of its line; null when it is. */
function faultOf({ code, fault }: CodeLine): string | null {
  if (fault) return `, ${fault}`;
  if (SIMPLE.test(code)) return null;
  const result = tokenText.safeParse(code);
  return result.success ? null : `: ${result.error.issues[0]!.message}`;
}

async function hasQuotes({ file }: Arrival): Promise<boolean> {
  for await (const chunk of createReadStream(file)) if ((chunk as Buffer).includes(QUOTE)) return true;
  return false;
}

async function* codesIn(file: string, isQuoted: boolean): AsyncGenerator<CodeLine[]> {
  for await (const rows of codeRows(file, isQuoted)) {
    yield rows
      .filter(({ isBlank }) => !isBlank)
      .map(({ cell, line }): CodeLine => ({ code: plainCell(cell.trim()), line }));
    // Others have their turn: a file is long.
    await nextTurn();
  }
}

async function* codesInDocument(file: string): AsyncGenerator<CodeLine[]> {
  for await (const part of documentCodes(file)) {
    yield part;
    await nextTurn();
  }
}

/** Refuses a file with a row that can't be a code, or too many rows, or none. */
async function checkCodes(parts: AsyncIterable<CodeLine[]>): Promise<void> {
  const faults: string[] = [];
  let wrong = 0;
  let rows = 0;
  for await (const part of parts) {
    rows += part.length;
    if (rows > MOST_ROWS) throw refuse('too_large', `Use at most ${MOST_ROWS} codes in a file, or several files.`);
    for (const entry of part) {
      const fault = faultOf(entry);
      if (fault && ++wrong <= NAMED) faults.push(`Line ${entry.line}${fault}`);
    }
  }
  const more = wrong - NAMED;
  if (wrong > 0) throw refuse('invalid', ...faults, ...(more > 0 ? [`${more} more lines hold no code.`] : []));
  if (rows === 0)
    throw refuse('invalid', 'The file holds no codes. They stand in its first column, or in a list of JSON.');
}

/**
 * Takes a file of codes and checks it as a whole: UTF-8 with or without byte order mark, codes in the first column,
 * without a heading; empty lines are skipped. It is on disk meanwhile, however large it is.
 * @param mayHaveTimes whether it may also be JSON, as the export has it
 * @returns undefined when no file was chosen: browsers send an empty one without a name then
 * @throws ApiError naming the lines that hold no code; nothing of such a file is used
 */
export async function readCodes(
  store: MediaStore,
  upload: Upload,
  { mayHaveTimes = false } = {},
): Promise<CodeFile | undefined> {
  const most = mayHaveTimes ? MOST_DOCUMENT_BYTES : MOST_BYTES;
  const arrival = await store.receive(upload, { field: FIELD, most, mayBeEmpty: true });
  try {
    if (arrival.bytes === 0 && upload.name === '') {
      await store.discard(arrival);
      return undefined;
    }
    const hasTimes = await isDocument(arrival.file);
    if (hasTimes && !mayHaveTimes)
      throw refuse(
        'bad_file',
        'This is JSON. Send a CSV with codes in its first column, or import it as access tokens.',
      );
    if (!hasTimes && arrival.bytes > MOST_BYTES)
      throw refuse('too_large', `Use a table of at most ${MOST_BYTES / 1024 / 1024} MB, or several.`);
    const isQuoted = !hasTimes && (await hasQuotes(arrival));
    const parts = () => (hasTimes ? codesInDocument(arrival.file) : codesIn(arrival.file, isQuoted));
    await checkCodes(parts());
    return { parts, hasTimes, discard: () => store.discard(arrival) };
  } catch (error) {
    await store.discard(arrival);
    throw error instanceof TableError ? refuse('bad_file', error.message) : error;
  }
}
