import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { diskError, usageError } from '../failure.ts';

type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>;

const isWhole = (content: Content): content is string | Uint8Array =>
  typeof content === 'string' || content instanceof Uint8Array;

async function print(content: Content): Promise<void> {
  for await (const chunk of isWhole(content) ? [content] : content)
    if (!process.stdout.write(chunk)) await new Promise((done) => process.stdout.once('drain', done));
}

/**
 * Writes to a file, or to standard output if the name is missing or `-`. Writes are atomic: existing
 * content stays until everything is written.
 */
export async function writeOutput(file: string | undefined, content: Content): Promise<void> {
  if (file === undefined || file === '-') return print(content);
  const part = `${resolve(file)}.${process.pid}.part`;
  try {
    await mkdir(dirname(part), { recursive: true });
    await pipeline(Readable.from(isWhole(content) ? [content] : content), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw diskError(error);
    if (syscall && ['open', 'mkdir', 'write', 'rename'].includes(syscall))
      throw usageError(`${file} can't be written: ${message}.`, 'Choose another location with --out.');
    throw error;
  }
}

/** Streams entries as a JSON list, formatted like `jsonText`. */
export async function* jsonList(entries: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const entry of entries) {
    yield before + JSON.stringify([entry], null, 2).slice(2, -2);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** A value as indented JSON, suitable for line-based diffs. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
