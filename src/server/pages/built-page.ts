import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** A script without a file of its own. */
const INLINE = /<script(?![^>]*\b(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g;
/** A place where the server has something to say. */
const MARK = /<!--enfilade:(\w+)-->/;

const hashOf = (script: string) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

/** A page as the build made it. */
export interface Built {
  /** Its text with the marks in it. */
  text: string;
  /** Hashes of the scripts that stand in the page itself, as a content security policy names them. */
  scripts: readonly string[];
  /** The text between the marks as bytes; every second one is the name of a mark. */
  parts: readonly (Buffer | string)[];
}

function read(text: string): Built {
  const parts = text.split(MARK).map((part, index) => (index % 2 === 0 ? Buffer.from(part) : part));
  return { text, scripts: [...text.matchAll(INLINE)].map(([, script = '']) => hashOf(script)), parts };
}

/** Milliseconds for which it is not asked whether the build made a page anew. */
const BELIEVED = 1000;

/** A page of the build, kept in memory until the build makes it anew. */
export class BuiltPage {
  readonly #file: string;
  #built: Built | null = null;
  #changed = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** @param file path of the built page */
  constructor(file: string) {
    this.#file = file;
  }

  /** The page; null when there is none. */
  async read(): Promise<Built | null> {
    const now = performance.now();
    if (this.#built !== null && now < this.#askedAt + BELIEVED) return this.#built;
    this.#askedAt = now;
    const found = await stat(this.#file).catch(() => null);
    if (!found) return null;
    if (this.#built === null || found.mtimeMs !== this.#changed) {
      this.#built = read(await readFile(this.#file, 'utf8'));
      this.#changed = found.mtimeMs;
    }
    return this.#built;
  }
}

/**
 * A built page with the server's data in it; neighboring bytes are joined.
 * @param said text, or bytes and slots, for each mark `<!--enfilade:name-->`, by name
 */
export function fillPage<S extends string>(
  { parts }: Built,
  said: Record<string, string | readonly (Buffer | S)[]>,
): (Buffer | S)[] {
  const filled: (Buffer | S)[] = [];
  let bytes: Buffer[] = [];
  const join = () => {
    if (bytes.length > 0) filled.push(Buffer.concat(bytes));
    bytes = [];
  };
  for (const part of parts) {
    const words = typeof part === 'string' ? (said[part] ?? '') : [part];
    for (const piece of typeof words === 'string' ? [Buffer.from(words)] : words)
      if (typeof piece !== 'string') bytes.push(piece);
      else {
        join();
        filled.push(piece);
      }
  }
  join();
  return filled;
}
