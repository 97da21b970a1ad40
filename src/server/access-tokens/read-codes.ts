import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainCell } from '../../contract/csv-cell.ts';
import { tokenText } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Upload } from '../api/handler.ts';
import type { Arrival, MediaStore } from '../media/media-store.ts';
import { codeRows, TableError } from './code-rows.ts';

/** Largest file in bytes, and most codes in it. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ROWS = 2_000_000;
/** Wrong rows that are named one by one. */
const NAMED = 20;
const QUOTE = '"'.charCodeAt(0);

/** The field of the form that the file came in, and that is named when something is wrong with it. */
const FIELD = 'access_tokens_file';

/** A code, and the line on which it stands. */
export interface CodeLine {
  code: string;
  line: number;
}

/** A checked file of codes, on disk until it is let go. */
export interface CodeFile {
  /** Its codes in their order, a part at a time. */
  parts(): AsyncIterable<CodeLine[]>;
  /** Lets it go. */
  discard(): Promise<void>;
}

const refuse = (code: 'invalid' | 'bad_file' | 'too_large', ...texts: string[]) =>
  new ApiError(code, { [FIELD]: texts });

/** Texts that need no closer look: most codes are. */
const SIMPLE = /^[!-~]{1,255}$/;

/** Why a cell holds no code; null when it does. */
function faultOf(cell: string): string | null {
  if (SIMPLE.test(cell)) return null;
  const result = tokenText.safeParse(cell);
  return result.success ? null : result.error.issues[0]!.message;
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

/** Refuses a file with a row that can't be a code, or too many rows, or none. */
async function checkCodes(parts: AsyncIterable<CodeLine[]>): Promise<void> {
  const faults: string[] = [];
  let wrong = 0;
  let rows = 0;
  for await (const part of parts) {
    rows += part.length;
    if (rows > MOST_ROWS) throw refuse('too_large', `Use at most ${MOST_ROWS} codes in a file, or several files.`);
    for (const { code, line } of part) {
      const fault = faultOf(code);
      if (fault && ++wrong <= NAMED) faults.push(`Line ${line}: ${fault}`);
    }
  }
  const more = wrong - NAMED;
  if (wrong > 0) throw refuse('invalid', ...faults, ...(more > 0 ? [`${more} more lines hold no code.`] : []));
  if (rows === 0) throw refuse('invalid', 'The file holds no codes. They stand in its first column.');
}

/**
 * Takes a file of codes and checks it as a whole: UTF-8 with or without byte order mark, codes in the first column,
 * without a heading; empty lines are skipped. It is on disk meanwhile, however large it is.
 * @returns undefined when no file was chosen: browsers send an empty one without a name then
 * @throws ApiError naming the lines that hold no code; nothing of such a file is used
 */
export async function readCodes(store: MediaStore, upload: Upload): Promise<CodeFile | undefined> {
  const arrival = await store.receive(upload, { field: FIELD, most: MOST_BYTES, mayBeEmpty: true });
  try {
    if (arrival.bytes === 0 && upload.name === '') {
      await store.discard(arrival);
      return undefined;
    }
    const isQuoted = await hasQuotes(arrival);
    await checkCodes(codesIn(arrival.file, isQuoted));
    return { parts: () => codesIn(arrival.file, isQuoted), discard: () => store.discard(arrival) };
  } catch (error) {
    await store.discard(arrival);
    throw error instanceof TableError ? refuse('bad_file', error.message) : error;
  }
}
