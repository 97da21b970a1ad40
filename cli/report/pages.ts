import type { Page } from '../../src/contract/client.ts';

/** Entries that one request asks for. */
const PER_PAGE = 100;

/** Every entry of a list, page after page. */
export async function allPages<T>(
  read: (query: { page: number; per_page: number }) => Promise<Page<T[]>>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await read({ page, per_page: PER_PAGE });
    all.push(...data);
    if (page >= meta.last_page) return all;
  }
}
