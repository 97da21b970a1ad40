import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.ts';

/** Milliseconds for which the pages of a search are known. */
const KEPT = 10 * 60 * 1000;
/** Most searches whose pages are known. */
const MAX_PAGE_TOKENS = 500;

interface Pages {
  till: number;
  /** Token of each page, from page 1; the first one needs none. */
  tokens: (string | undefined)[];
}

/** Remembers the tokens that lead to the pages of a search, for platforms that number no pages. */
export class PageTokens {
  readonly #clock: Clock;
  readonly #searches = new LRUCache<string, Pages>({ max: MAX_PAGE_TOKENS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The last page up to the wanted one whose token is known. */
  nearest(search: string, wanted: number): { page: number; token: string | undefined } {
    const pages = this.#pagesOf(search);
    const page = Math.min(wanted, pages.tokens.length);
    return { page, token: pages.tokens[page - 1] };
  }

  /** Keeps the token of a page. */
  keep(search: string, page: number, token: string): void {
    const { tokens } = this.#pagesOf(search);
    if (page <= tokens.length + 1) tokens[page - 1] = token;
  }

  #pagesOf(search: string): Pages {
    const now = this.#clock.now();
    const known = this.#searches.get(search);
    if (known && known.till > now) return known;
    const made: Pages = { till: now + KEPT, tokens: [undefined] };
    this.#searches.set(search, made);
    return made;
  }
}
