import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.ts';

/** Cache lifetime of a search's page tokens in milliseconds. */
const KEPT = 10 * 60 * 1000;
/** Maximum number of cached searches. */
const MAX_PAGE_TOKENS = 500;

interface Pages {
  till: number;
  /** Page tokens from page 1; the first page needs none. */
  tokens: (string | undefined)[];
}

/** Caches the page tokens of searches, for platforms without page numbers. */
export class PageTokens {
  readonly #clock: Clock;
  readonly #searches = new LRUCache<string, Pages>({ max: MAX_PAGE_TOKENS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The last known page up to the requested one. */
  nearest(search: string, wanted: number): { page: number; token: string | undefined } {
    const pages = this.#pagesOf(search);
    const page = Math.min(wanted, pages.tokens.length);
    return { page, token: pages.tokens[page - 1] };
  }

  /** Caches a page's token. */
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
