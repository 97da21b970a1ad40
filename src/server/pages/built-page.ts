import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** An inline script. */
const INLINE = /<script(?![^>]*\b(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g;
/** A placeholder for server data. */
const MARK = /<!--enfilade:(\w+)-->/;
/** The element whose attributes name a page's language; the placeholder `html` stands for it. */
const HTML = '<html lang="en">';

const hashOf = (script: string) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

/** A built page. */
export interface Built {
  /** Its text with placeholders. */
  text: string;
  /** Hashes of its inline scripts, for a content security policy. */
  scripts: readonly string[];
  /** Text between placeholders as bytes; every second entry is a placeholder's name. */
  parts: readonly (Buffer | string)[];
}

function read(text: string): Built {
  const parts = text
    .replace(HTML, '<!--enfilade:html-->')
    .split(MARK)
    .map((part, index) => (index % 2 === 0 ? Buffer.from(part) : part));
  return { text, scripts: [...text.matchAll(INLINE)].map(([, script = '']) => hashOf(script)), parts };
}

/** Milliseconds before the file's modification time is checked again. */
const RECHECK_AFTER = 1000;

/** A built page, cached in memory until the next build. */
export class BuiltPage {
  readonly #file: string;
  #built: Built | null = null;
  #changed = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** @param file path of the built page */
  constructor(file: string) {
    this.#file = file;
  }

  /** The page; null if there is none. */
  async read(): Promise<Built | null> {
    const now = performance.now();
    if (this.#built !== null && now < this.#askedAt + RECHECK_AFTER) return this.#built;
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
 * Fills a built page with the server's data; joins adjacent bytes.
 * @param said text, or bytes and slots, by name of the placeholder `<!--enfilade:name-->`; `html` is the opening tag of the
 *   page's root
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
  const fillings: typeof said = { html: HTML, ...said };
  for (const part of parts) {
    const words = typeof part === 'string' ? (fillings[part] ?? '') : [part];
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
