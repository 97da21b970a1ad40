import type { Page } from '../../src/contract/client.ts';

/** Page size of a request. */
const PER_PAGE = 100;

/** Requests a page of a list. */
type ReadPage<T> = (query: { page: number; per_page: number }) => Promise<Page<T[]>>;

/** Iterates over a list page by page, with one page in memory. */
export async function* eachEntry<T>(read: ReadPage<T>): AsyncGenerator<T> {
  for (let page = 1; ; page++) {
    const { data, meta } = await read({ page, per_page: PER_PAGE });
    yield* data;
    if (page >= meta.last_page) return;
  }
}

/** Page size of a request in a list with cursors. */
const PER_PART = 1000;

/**
 * Iterates over a list with cursors, newest first, each entry once even if entries are added or removed
 * meanwhile. The cursor keeps the cost of a page constant.
 */
export async function* eachEntryOnward<T extends { id: number }>(
  read: (query: { before_id: number | undefined; per_page: number }) => Promise<Page<T[]>>,
): AsyncGenerator<T> {
  for (let before_id: number | undefined; ; ) {
    const { data } = await read({ before_id, per_page: PER_PART });
    yield* data;
    if (data.length < PER_PART) return;
    before_id = data.at(-1)!.id;
  }
}

/** Every entry of a list. */
export async function allPages<T>(read: ReadPage<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of eachEntry(read)) all.push(entry);
  return all;
}
