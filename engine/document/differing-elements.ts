import type { Element } from './element.ts';

/** The parts of two trees in which they may differ, by ids. */
export interface Differing {
  /** What only the first tree has so, or at all. */
  had: Map<number, Element>;
  /** What only the second tree has so, or at all. */
  has: Map<number, Element>;
}

/**
 * The elements in which one tree differs from another, where edits of one made the other: what both share is passed over
 * without being read, so that a small edit of a large room costs little. An element that stands elsewhere is in both parts,
 * with all that is below it.
 */
export function differingElements(before: readonly Element[], after: readonly Element[]): Differing {
  const differing: Differing = { had: new Map(), has: new Map() };
  compare(before, after, differing);
  return differing;
}

function compare(before: readonly Element[], after: readonly Element[], differing: Differing): void {
  if (before === after) return;
  let start = 0;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (start < oldEnd && start < newEnd && before[start] === after[start]) start++;
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  const olds = new Map<number, Element>();
  for (let at = start; at < oldEnd; at++) olds.set(before[at]!.id, before[at]!);
  for (let at = start; at < newEnd; at++) {
    const element = after[at]!;
    const old = olds.get(element.id);
    olds.delete(element.id);
    if (old === element) continue;
    differing.has.set(element.id, element);
    if (old) {
      differing.had.set(old.id, old);
      compare(old.children, element.children, differing);
    } else note(element.children, differing.has);
  }
  for (const old of olds.values()) {
    differing.had.set(old.id, old);
    note(old.children, differing.had);
  }
}

function note(elements: readonly Element[], into: Map<number, Element>): void {
  for (const element of elements) {
    into.set(element.id, element);
    if (element.children.length > 0) note(element.children, into);
  }
}
