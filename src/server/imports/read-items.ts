import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRecord } from '../../../engine/document/field-paths.ts';
import { MOST_IN_FILE, MOST_ITEM_BYTES, MOST_OF_FILE } from '../../contract/calls/imports.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Upload } from '../api/handler.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readJson, TooDeep } from '../read-json.ts';

/** The field of the form that the file comes in. */
const FIELD = 'items_file';
const MEGABYTE = 1024 * 1024;
const LINE_BREAK = 10;
/** Bytes after which others have their turn. */
const TURN = MEGABYTE;

type Json = Record<string, unknown>;

/** A checked file of things to import, on disk until it is let go. */
export interface ItemFile {
  /** SHA-256 of the file, hexadecimal. */
  hash: string;
  /** Its things in their order, one at a time. */
  items(): AsyncIterable<Json>;
  /** Lets it go. */
  discard(): Promise<void>;
}

const refuse = (code: 'bad_file' | 'too_large' | 'invalid', text: string) => new ApiError(code, { [FIELD]: [text] });

/** Lines of a file, one at a time. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]);
      held = [];
      bytes = 0;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > MOST_ITEM_BYTES)
      throw refuse('too_large', `Use at most ${MOST_ITEM_BYTES / MEGABYTE} MB for each of them.`);
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** Refuses names by which an object would get another nature, as the bodies of requests do. */
function refusePoison(key: string, value: unknown): unknown {
  if (key === '__proto__' || (key === 'constructor' && isRecord(value) && 'prototype' in value))
    throw new SyntaxError();
  return value;
}

/** What a text says. A look at every name takes longer than all else, so it is taken where one may be forbidden. */
const readItem = (text: string): unknown =>
  readJson(text, /__proto__|constructor|\\u00/.test(text) ? refusePoison : undefined);

/** One thing on each line; empty lines are skipped. */
async function* itemsIn(file: string): AsyncGenerator<Json> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 0;
  let read = 0;
  for await (const bytes of linesOf(file)) {
    line++;
    read += bytes.length;
    let item: unknown;
    try {
      const text = decoder.decode(bytes).trim();
      if (text === '') continue;
      item = readItem(text);
    } catch (error) {
      if (error instanceof TooDeep) throw refuse('bad_file', `Line ${line}: ${error.message}`);
      throw refuse('bad_file', `Line ${line} can not be read as JSON. The file may be cut off.`);
    }
    if (!isRecord(item)) throw refuse('bad_file', `Line ${line} is no object.`);
    yield item;
    if (read < TURN) continue;
    read = 0;
    await nextTurn();
  }
}

/**
 * Takes a file of things to import, one as JSON on each line, and checks that all of it can be read. It is on disk
 * meanwhile, and one thing of it at a time in memory.
 * @throws ApiError bad_file naming the line, or too_large; nothing of such a file is used
 */
export async function readItems(store: MediaStore, upload: Upload | undefined): Promise<ItemFile> {
  if (!upload) throw refuse('invalid', 'Choose a file.');
  const arrival = await store.receive(upload, { field: FIELD, most: MOST_OF_FILE, mayBeEmpty: true });
  const discard = () => store.discard(arrival);
  try {
    let count = 0;
    for await (const _item of itemsIn(arrival.file))
      if (++count > MOST_IN_FILE)
        throw refuse('too_large', `Import at most ${MOST_IN_FILE} at once. Split the file into several.`);
    return { hash: arrival.hash, items: () => itemsIn(arrival.file), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
