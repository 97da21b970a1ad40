import { type TokenItem, tokenItem } from '../../../../../contract/calls/access-tokens.ts';
import { JsonError, valuesOf } from '../../../../../contract/split-json.ts';
import type { CodeLine } from './code-line.ts';
import { decodedText, TableError } from './code-rows.ts';

/** What a JSON document of codes begins with: a list or an object. A code in a CSV does not look so. */
const DOCUMENT = /^\ufeff?\s*(?:\[\s*(?:[{\]]|$)|\{\s*(?:"|$))/;
/** Most characters of an entry: a code and its times have some hundred. */
const MAX_ENTRY_BYTES = 1024 * 1024;
/** Codes that are passed on at a time. */
const JSON_BATCH = 5000;

/** Whether a file is JSON, by its beginning. */
export async function isDocument(file: string): Promise<boolean> {
  for await (const text of decodedText(file)) if (text.trim() !== '') return DOCUMENT.test(text);
  return false;
}

/** What is wrong with an entry, by its field. */
function lineOf(value: unknown, line: number): CodeLine {
  const read = tokenItem.safeParse(value);
  if (read.success) return codeOf(read.data, line, (value as TokenItem).token);
  const { path, message } = read.error.issues[0]!;
  return { code: '', line, fault: `, ${path.join('.') || 'entry'}: ${message}` };
}

const codeOf = ({ token, ...fields }: TokenItem, line: number, given: string): CodeLine => ({
  code: token,
  line,
  fields,
  ...(token !== given.trim() && { isNormalized: true }),
});

/**
 * The codes of a JSON document on disk, a part at a time: a list of objects, or one after another.
 * @throws TableError when it is no JSON, or cut off
 */
export async function* documentCodes(file: string): AsyncGenerator<CodeLine[]> {
  let batch: CodeLine[] = [];
  try {
    for await (const { value, line } of valuesOf(decodedText(file), MAX_ENTRY_BYTES)) {
      if (batch.push(lineOf(value, line)) < JSON_BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (error instanceof JsonError) throw new TableError(`Line ${error.line}, JSON: ${error.message}.`);
    throw error;
  }
  yield batch;
}
