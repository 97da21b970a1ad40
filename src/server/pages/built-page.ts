import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** A script without a file of its own. */
const INLINE = /<script(?![^>]*\b(?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g;

const hashOf = (script: string) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

/** A page as the build made it, kept in memory until the build makes it anew. */
export class BuiltPage {
  readonly #file: string;
  #text: string | null = null;
  #changed = 0;
  #scripts: string[] = [];

  /** @param file path of the built page */
  constructor(file: string) {
    this.#file = file;
  }

  /** The page's text; null when there is none. */
  async text(): Promise<string | null> {
    const found = await stat(this.#file).catch(() => null);
    if (!found) return null;
    if (this.#text === null || found.mtimeMs !== this.#changed) {
      this.#text = await readFile(this.#file, 'utf8');
      this.#changed = found.mtimeMs;
      this.#scripts = [...this.#text.matchAll(INLINE)].map(([, script]) => hashOf(script!));
    }
    return this.#text;
  }

  /** Hashes of the scripts that stand in the page itself, as a content security policy names them. */
  async scripts(): Promise<readonly string[]> {
    await this.text();
    return this.#scripts;
  }

  /**
   * The page with what the server has to say in it.
   * @param parts text for each mark `<!--enfilade:name-->`, by name
   */
  async fill(parts: Record<string, string>): Promise<string | null> {
    const text = await this.text();
    return text?.replace(/<!--enfilade:(\w+)-->/g, (_, name: string) => parts[name] ?? '') ?? null;
  }
}
