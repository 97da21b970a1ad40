import { type TokenItem, tokenItem } from '../../../../../contract/calls/access-tokens.ts';
import { JsonError, valuesOf } from '../../../../../contract/split-json.ts';
import type { CodeLine } from './code-line.ts';
import { decodedText, TableError } from './code-rows.ts';

/** Start of a JSON document of codes: an array or object. No code in a CSV looks like this. */
const DOCUMENT = /^\ufeff?\s*(?:\[\s*(?:[{\]]|$)|\{\s*(?:"|$))/;
/** Maximum entry length in characters: a code with its times has a few hundred. */
const MAX_ENTRY_BYTES = 1024 * 1024;
/** Codes per batch. */
const JSON_BATCH = 5000;

/** Whether a file is JSON, judging by its first bytes. */
export const startsDocument = (head: Buffer): boolean => DOCUMENT.test(head.toString('utf8'));

/** Whether a file is JSON, judging by its start. */
export async function isDocument(file: string): Promise<boolean> {
  for await (const text of decodedText(file)) if (text.trim() !== '') return DOCUMENT.test(text);
  return false;
}

/** Converts an entry; invalid fields become a fault. */
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
 * Codes of a JSON document on disk in batches: an array of objects, or concatenated objects.
 * @throws TableError if it isn't valid JSON, or is truncated
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
