import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MAX_IMPORT_FILE_BYTES } from '../../src/contract/file-limits.ts';
import { CliError, EXIT, usageError, wrongError } from '../failure.ts';
import { temporaryFolder } from './temporary.ts';

/** Means standard input in place of a file name. */
export const STANDARD_INPUT = '-';

/** Limit on the bytes of a document: a room of twenty thousand elements takes about 20 MB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const missing = (file: string) =>
  new CliError('no_file', EXIT.usage, {
    message: `File not found: ${file}.`,
    suggestion: 'Check the name. A pattern such as rooms/*.json matches several files.',
  });

async function statOf(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw missing(file);
    throw usageError(`${file} can't be read: ${(error as Error).message}.`, 'Check its permissions.');
  }
}

/** Limit on the bytes of a file of items: spaces and line breaks can double what is sent. */
const MAX_ITEMS_BYTES = 2 * MAX_IMPORT_FILE_BYTES;

/** Reads a whole stream, up to the document limit. */
async function readAll(stream: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) throw tooLarge(name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (file: string, most = MAX_FILE_BYTES) =>
  wrongError(`${file} is larger than ${most / 1024 / 1024} MB.`, 'Split it into several files.');

/** Passes a stream through up to a limit. */
async function* limited<Chunk extends Uint8Array>(stream: AsyncIterable<Chunk>, file: string, most: number) {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge(fileNameOf(file), most);
    yield chunk;
  }
}

const notUtf8 = (file: string) =>
  wrongError(
    `${fileNameOf(file)} isn't encoded as UTF-8.`,
    'Save it as UTF-8 (for tables: "CSV UTF-8") and try again.',
  );

/** Name of a file in messages. */
export const fileNameOf = (file: string): string => (file === STANDARD_INPUT ? 'standard input' : file);

const folder = (file: string) =>
  usageError(`${file} is a folder, not a file.`, `Specify its files, such as ${join(file, '*.json')}.`);

/**
 * The bytes of a file, or of standard input for `-`.
 * @throws CliError if the file is missing or too large
 */
export async function readBytes(file: string): Promise<Buffer> {
  if (file === STANDARD_INPUT) return readAll(process.stdin, fileNameOf(file));
  const found = await statOf(file);
  if (found.isDirectory()) throw folder(file);
  if (found.size > MAX_FILE_BYTES) throw tooLarge(file);
  // The size of a named pipe is unknown.
  return found.isFile() ? readFile(file) : readAll(createReadStream(file), file);
}

/**
 * The text of a UTF-8 file, without byte order mark.
 * @throws CliError, also if it isn't UTF-8
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8(file);
  }
}

/** Streams the bytes of a file or of standard input. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  const input = file === STANDARD_INPUT;
  const found = input ? null : await statOf(file);
  if (found?.isDirectory()) throw folder(file);
  if (found && found.size > MAX_ITEMS_BYTES) throw tooLarge(file, MAX_ITEMS_BYTES);
  const stream = input ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  yield* limited(stream as AsyncIterable<Buffer>, file, MAX_ITEMS_BYTES);
}

/**
 * Streams the text of a UTF-8 file, without byte order mark, in constant memory.
 * @throws CliError, also if it isn't UTF-8
 */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw notUtf8(file);
    }
  };
  for await (const chunk of chunksOf(file)) yield decode(chunk);
  yield decode();
}

/** Line of a position in a text, from 1. */
function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/**
 * The content of a JSON file.
 * @throws CliError with the line of a syntax error, such as truncation
 */
export const readJson = async (file: string): Promise<unknown> => parseJson(await readText(file), file);

/**
 * Parses the text of a JSON file.
 * @throws CliError with the line of a syntax error, such as truncation
 */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    const line = at === undefined ? text.split('\n').length : lineAt(text, Number(at));
    const reason = at === undefined ? 'unexpected end of file; it may be truncated' : message.replace(/ \(line.*/, '');
    throw wrongError(`${fileNameOf(file)} isn't valid JSON.`, 'Export it again, or correct the error.', [
      { file: fileNameOf(file), line, reason },
    ]);
  }
}

/**
 * Expands file names and patterns in the given order; the matches of each pattern are sorted.
 * @throws CliError if a name or pattern matches nothing
 */
export async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const pattern of patterns) {
    if (pattern === STANDARD_INPUT || !/[*?[{]/.test(pattern) || (await stat(pattern).catch(() => null))) {
      found.push(pattern);
      continue;
    }
    const matches: string[] = [];
    for await (const match of glob(pattern)) matches.push(match);
    if (matches.length === 0) throw missing(pattern);
    found.push(...matches.toSorted());
  }
  return [...new Set(found)];
}

/**
 * A file on disk for streaming uploads; standard input and named pipes are copied to a temporary file.
 * @param most maximum bytes
 * @returns its path and size in bytes
 * @throws CliError before anything is copied beyond that
 */
export async function fileOnDisk(file: string, most = Infinity): Promise<{ path: string; bytes: number }> {
  const found = file === STANDARD_INPUT ? null : await statOf(file);
  if (found?.isDirectory()) throw usageError(`${file} is a folder, not a file.`, 'Specify a file.');
  if (found && found.size > most) throw tooLarge(file, most);
  if (found?.isFile()) return { path: file, bytes: found.size };
  const path = join(temporaryFolder(), 'input');
  const stream = found ? createReadStream(file) : process.stdin;
  await pipeline(limited(stream as AsyncIterable<Buffer>, file, most), createWriteStream(path));
  return { path, bytes: (await statOf(path)).size };
}
