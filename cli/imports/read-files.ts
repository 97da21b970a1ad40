import { filesOf } from '../io/read-file.ts';
import { type Column, type Item, readItems } from '../io/read-items.ts';

/** Everything that files and patterns hold, in their order: one import, all of it or nothing. */
export async function itemsOf(patterns: readonly string[], columns: Record<string, Column>): Promise<Item[]> {
  const items: Item[] = [];
  for (const file of await filesOf(patterns)) items.push(...(await readItems(file, columns)));
  return items;
}
