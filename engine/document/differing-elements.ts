import type { Element } from './element.ts';

/** Elements that differ between two rooms, by id. */
export interface Differing {
  /** Elements of the first room that are changed in or missing from the second. */
  had: Map<number, Element>;
  /** Elements of the second room that are changed in or missing from the first. */
  has: Map<number, Element>;
}

/** Compares two rooms by object identity: unchanged elements must be the same objects, as they are after edits. */
export function differingElements(before: readonly Element[], after: readonly Element[]): Differing {
  const had = new Map<number, Element>();
  const has = new Map<number, Element>();
  let start = 0;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (start < oldEnd && start < newEnd && before[start] === after[start]) start++;
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  for (let at = start; at < oldEnd; at++) had.set(before[at]!.id, before[at]!);
  for (let at = start; at < newEnd; at++) {
    const element = after[at]!;
    if (had.get(element.id) === element) had.delete(element.id);
    else has.set(element.id, element);
  }
  return { had, has };
}
