import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { plainCell } from '../../../../contract/csv-cell.ts';
import { tokenText } from '../../../../contract/entities.ts';
import type { CodeLine } from './code-line.ts';
import { codeRows, headingOf, TableError } from './code-rows.ts';
import { documentCodes, isDocument } from './document-codes.ts';
import { refuseCodes } from './refuse-codes.ts';

/** Largest table in bytes. */
export const MOST_TABLE_BYTES = 64 * 1024 * 1024;
/** Most codes in a file. */
const MOST_ROWS = 2_000_000;
/** Wrong rows that are named one by one. */
const MAX_NAMED_FAULTS = 20;
const QUOTE = '"'.charCodeAt(0);

/** Texts that need no closer look: most codes are. */
const SIMPLE = /^[!-~]{1,255}$/;

/** Why this is no code, behind the number of its line; null when it is. */
function faultOf({ code, fault }: CodeLine): string | null {
  if (fault) return `, ${fault}`;
  if (SIMPLE.test(code)) return null;
  const result = tokenText.safeParse(code);
  return result.success ? null : `: ${result.error.issues[0]!.message}`;
}

async function hasQuotes(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file)) if ((chunk as Buffer).includes(QUOTE)) return true;
  return false;
}

export async function* codesIn(file: string, isQuoted: boolean): AsyncGenerator<CodeLine[]> {
  for await (const rows of codeRows(file, isQuoted)) {
    yield rows
      .filter(({ isBlank }) => !isBlank)
      .map(({ cell, line }): CodeLine => ({ code: plainCell(cell.trim()), line }));
    // Others have their turn: a file is long.
    await nextTurn();
  }
}

export async function* codesInDocument(file: string): AsyncGenerator<CodeLine[]> {
  for await (const part of documentCodes(file)) {
    yield part;
    await nextTurn();
  }
}

/** A checked file. */
interface Checked {
  /** Whether it is JSON, which has the times of its codes as well. */
  hasTimes: boolean;
  /** Whether there is a quotation mark anywhere in a table. */
  isQuoted: boolean;
}

/** Refuses a file with a row that cannot be a code, or too many rows, or none. */
async function checkCodes(parts: AsyncIterable<CodeLine[]>): Promise<void> {
  const faults: string[] = [];
  let wrong = 0;
  let rows = 0;
  for await (const part of parts) {
    rows += part.length;
    if (rows > MOST_ROWS)
      throw refuseCodes('too_large', `Use at most ${MOST_ROWS} tokens in a file, or several files.`);
    for (const entry of part) {
      const fault = faultOf(entry);
      if (fault && ++wrong <= MAX_NAMED_FAULTS) faults.push(`Line ${entry.line}${fault}`);
    }
  }
  const more = wrong - MAX_NAMED_FAULTS;
  if (wrong > 0) throw refuseCodes('invalid', ...faults, ...(more > 0 ? [`${more} more lines hold no token.`] : []));
  if (rows === 0)
    throw refuseCodes('invalid', 'The file holds no tokens. They stand in its first column, or in a list of JSON.');
}

/** A file of codes to be checked, and whether it may be JSON. */
interface CodesFile {
  file: string;
  bytes: number;
  mayHaveTimes: boolean;
}

/**
 * Checks a file of codes as a whole.
 * @throws ApiError naming the lines that hold no code
 */
export async function checkCodesFile({ file, bytes, mayHaveTimes }: CodesFile): Promise<Checked> {
  try {
    const hasTimes = await isDocument(file);
    if (hasTimes && !mayHaveTimes)
      throw refuseCodes(
        'bad_file',
        'This is JSON. Send a CSV with tokens in its first column, or import it as access tokens.',
      );
    if (!hasTimes && bytes > MOST_TABLE_BYTES)
      throw refuseCodes('too_large', `Use a table of at most ${MOST_TABLE_BYTES / 1024 / 1024} MB, or several.`);
    const heading = hasTimes ? null : await headingOf(file);
    if (heading)
      throw refuseCodes(
        'bad_file',
        `Line 1: this is a heading (${heading}). A list of access tokens has none: tokens stand in its first column, from the first line on.`,
      );
    const isQuoted = !hasTimes && (await hasQuotes(file));
    await checkCodes(hasTimes ? codesInDocument(file) : codesIn(file, isQuoted));
    return { hasTimes, isQuoted };
  } catch (error) {
    throw error instanceof TableError ? refuseCodes('bad_file', error.message) : error;
  }
}
