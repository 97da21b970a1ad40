import type { Page } from '../../src/contract/client.ts';

/** Entries that one request asks for. */
const PER_PAGE = 100;

/** Asks for a page of a list. */
type ReadPage<T> = (query: { page: number; per_page: number }) => Promise<Page<T[]>>;

/** Every entry of a list, page after page, of which one page at a time is held. */
export async function* eachEntry<T>(read: ReadPage<T>): AsyncGenerator<T> {
  for (let page = 1; ; page++) {
    const { data, meta } = await read({ page, per_page: PER_PAGE });
    yield* data;
    if (page >= meta.last_page) return;
  }
}

/** Entries that one request asks for where a list is read on from an entry. */
const PER_PART = 1000;

/**
 * Every entry of a list that is there when its turn comes, newest first, each once, whatever is added or removed
 * meanwhile. A part is found from the last entry, so the thousandth takes no longer than the first.
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

/** Every entry of a list at once. */
export async function allPages<T>(read: ReadPage<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of eachEntry(read)) all.push(entry);
  return all;
}
