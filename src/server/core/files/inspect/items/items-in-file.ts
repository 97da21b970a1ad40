import { createReadStream } from 'node:fs';
import { isRecord } from '../../../../../../engine/document/field-paths.ts';
import { MAX_ITEM_BYTES, MAX_ITEMS_IN_FILE } from '../../../../../contract/file-limits.ts';
import { readJson, refuseComplex, TooComplex } from '../../../read-json.ts';
import { refuseItems } from './refuse-items.ts';

const MEGABYTE = 1024 * 1024;
const LINE_BREAK = 10;
/** Maximum number of lines in a file, including empty ones. */
const MAX_LINES = 10 * MAX_ITEMS_IN_FILE;
/** Maximum bytes of a line parsed in the request thread; a worker parses longer ones. */
export const SHORT_LINE = 256 * 1024;

export type Json = Record<string, unknown>;

/** Maximum memory of a parsed item in bytes: twice that of the largest room. */
const MEMORY = 384 * MEGABYTE;

/** A line of a file with its number. */
export interface Line {
  bytes: Uint8Array;
  line: number;
}

export async function* linesOf(file: string): AsyncGenerator<Line> {
  let line = 0;
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      if (++line > MAX_LINES) throw refuseItems('too_large', `Use at most ${MAX_LINES} lines. Remove empty lines.`);
      if (bytes + end - start > 0) yield { bytes: Buffer.concat([...held, chunk.subarray(start, end)]), line };
      held = [];
      bytes = 0;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MAX_ITEM_BYTES) throw refuseItems('too_large', `Use at most ${MAX_ITEM_BYTES / MEGABYTE} MB per line.`);
  }
  if (bytes > 0) yield { bytes: Buffer.concat(held), line: ++line };
}

/** Rejects keys that could pollute a prototype, as in request bodies. */
function refusePoison(key: string, value: unknown): unknown {
  if (key === '__proto__' || (key === 'constructor' && isRecord(value) && 'prototype' in value))
    throw new SyntaxError();
  return value;
}

/** Parses JSON. Checking every key is the slowest part, so it is done only if a forbidden one may occur. */
const readItem = (text: string): unknown =>
  readJson(text, { reviver: /__proto__|constructor|\\u00/.test(text) ? refusePoison : undefined, memory: MEMORY });

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The item on a line; null if the line is empty. */
export function readLine({ bytes, line }: Line): Json | null {
  let item: unknown;
  try {
    const text = decoder.decode(bytes).trim();
    if (text === '') return null;
    item = readItem(text);
  } catch (error) {
    if (error instanceof TooComplex) throw refuseItems('bad_file', `Line ${line}: ${error.message}`);
    throw refuseItems('bad_file', `Line ${line} isn't valid JSON. The file may be truncated.`);
  }
  if (!isRecord(item)) throw refuseItems('bad_file', `Line ${line} isn't an object.`);
  return item;
}

/**
 * Parses a long line and separates the item's elements, so that the rest parses quickly.
 * @returns both as JSON; elements are null if there is no array of them
 * @throws ApiError bad_file naming the line
 */
export function splitItem({ bytes, line }: Line): { item: string; elements: string | null } | null {
  const read = readLine({ bytes, line });
  if (!read) return null;
  const { elements, ...others } = read;
  const hasList = Array.isArray(elements);
  const item = JSON.stringify(hasList ? others : read);
  try {
    refuseComplex(item);
  } catch (error) {
    throw refuseItems('bad_file', `Line ${line}: ${(error as TooComplex).message}`);
  }
  return { item, elements: hasList ? JSON.stringify(elements) : null };
}

/**
 * Checks that a whole file can be parsed.
 * @throws ApiError bad_file naming the line, or too_large
 */
export async function checkItems(file: string): Promise<void> {
  let count = 0;
  for await (const line of linesOf(file)) {
    const item = line.bytes.length > SHORT_LINE ? splitItem(line) : readLine(line);
    if (item && ++count > MAX_ITEMS_IN_FILE)
      throw refuseItems('too_large', `Import at most ${MAX_ITEMS_IN_FILE} items per file. Split the file.`);
  }
}
