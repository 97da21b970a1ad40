import { filesOf } from '../io/read-file.ts';
import { type Column, type Item, itemsIn } from '../io/read-items.ts';

/** Iterates over the items of files and patterns, in order, with an optional mapping. */
export async function* eachItem(
  patterns: readonly string[],
  columns: Record<string, Column>,
  change: (item: Item) => Item = (item) => item,
): AsyncGenerator<Item> {
  for (const file of await filesOf(patterns)) for await (const item of itemsIn(file, columns)) yield change(item);
}
