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

/** Every entry of a list at once. */
export async function allPages<T>(read: ReadPage<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of eachEntry(read)) all.push(entry);
  return all;
}
