import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CliError, EXIT, usageError, wrongError } from '../failure.ts';
import { temporaryFolder } from './temporary.ts';

/** Stands for standard input where a file is asked for. */
export const STANDARD_INPUT = '-';

/** Largest document in bytes: a room of twenty thousand elements has about twenty megabytes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const missing = (file: string) =>
  new CliError('no_file', EXIT.usage, {
    message: `There is no file ${file}.`,
    suggestion: 'Check the name; a pattern such as rooms/*.json names several files.',
  });

async function statOf(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw missing(file);
    throw usageError(`${file} can't be read: ${(error as Error).message}.`, 'Check its rights.');
  }
}

/** Reads everything of a stream, up to the bound of a document. */
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

const tooLarge = (file: string) =>
  wrongError(`${file} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`, 'Split it into several files.');

const notUtf8 = (file: string) =>
  wrongError(`${fileNameOf(file)} is not UTF-8.`, 'Save it as UTF-8 (for tables: "CSV UTF-8") and try again.');

/** How messages name a file. */
export const fileNameOf = (file: string): string => (file === STANDARD_INPUT ? 'standard input' : file);

const folder = (file: string) => usageError(`${file} is a folder.`, `Name its files, such as ${join(file, '*.json')}.`);

/**
 * The bytes of a file, or of standard input for `-`.
 * @throws CliError when there is no such file, or it is too large
 */
export async function readBytes(file: string): Promise<Buffer> {
  if (file === STANDARD_INPUT) return readAll(process.stdin, fileNameOf(file));
  const found = await statOf(file);
  if (found.isDirectory()) throw folder(file);
  if (found.size > MAX_FILE_BYTES) throw tooLarge(file);
  // A pipe with a name does not tell how much comes out of it.
  return found.isFile() ? readFile(file) : readAll(createReadStream(file), file);
}

/**
 * The text of a UTF-8 file, without its byte order mark.
 * @throws CliError also when it is not UTF-8
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8(file);
  }
}

/** The bytes of a file or of standard input, as they are read. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  if (file === STANDARD_INPUT) return yield* process.stdin as AsyncIterable<Buffer>;
  if ((await statOf(file)).isDirectory()) throw folder(file);
  yield* createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
}

/**
 * The text of a UTF-8 file, without its byte order mark, a piece at a time: however large it is, no more is held.
 * @throws CliError also when it is not UTF-8
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

/** Where in a text something is, from 1. */
function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/**
 * What a JSON file holds.
 * @throws CliError naming the line when it is no JSON, such as when it is cut off
 */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    const line = at === undefined ? text.split('\n').length : lineAt(text, Number(at));
    const reason = at === undefined ? 'the file ends too early; it may be cut off' : message.replace(/ \(line.*/, '');
    throw wrongError(`${fileNameOf(file)} is no JSON.`, 'Export it again, or correct this place.', [
      { file: fileNameOf(file), line, reason },
    ]);
  }
}

/**
 * Files by their names and patterns, in the order given, each pattern's sorted.
 * @throws CliError when a name or pattern finds nothing
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
 * A file on disk that can be sent while it is read; standard input and pipes with names are written to one first.
 * @returns its path and size in bytes
 */
export async function fileOnDisk(file: string): Promise<{ path: string; bytes: number }> {
  const found = file === STANDARD_INPUT ? null : await statOf(file);
  if (found?.isDirectory()) throw usageError(`${file} is a folder.`, 'Name a file.');
  if (found?.isFile()) return { path: file, bytes: found.size };
  const path = join(temporaryFolder(), 'input');
  await pipeline(found ? createReadStream(file) : process.stdin, createWriteStream(path));
  return { path, bytes: (await statOf(path)).size };
}
