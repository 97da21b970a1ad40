import type { Element } from './element.ts';

/** The elements in which two rooms differ, by ids. */
export interface Differing {
  /** What only the first room has so, or at all. */
  had: Map<number, Element>;
  /** What only the second room has so, or at all. */
  has: Map<number, Element>;
}

/** The elements in which one room differs from another, where edits of one made the other: others are the same objects. */
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
