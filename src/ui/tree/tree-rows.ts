/** An item of a tree. */
export interface TreeItem<T> {
  id: number;
  children: readonly T[];
}

/** A visible row. */
export interface TreeRow<T> {
  item: T;
  /** Parent item; null at the root. */
  parent: T | null;
  /** Depth, from 0. */
  depth: number;
  isOpen: boolean;
}

/** Target position: a parent, and the sibling to insert before, or last. */
export interface TreePlace {
  parentId: number | null;
  beforeId: number | null;
}

/**
 * Visible rows, top to bottom.
 * @param closed ids of collapsed items
 */
export function treeRows<T extends TreeItem<T>>(
  items: readonly T[],
  closed: ReadonlySet<number>,
  parent: T | null = null,
  depth = 0,
  rows: TreeRow<T>[] = [],
): TreeRow<T>[] {
  for (const item of items) {
    const isOpen = item.children.length > 0 && !closed.has(item.id);
    rows.push({ item, parent, depth, isOpen });
    if (isOpen) treeRows(item.children, closed, item, depth + 1, rows);
  }
  return rows;
}

/** Ids of an item's ancestors, nearest first. */
export function pathTo<T extends TreeItem<T>>(items: readonly T[], id: number): number[] {
  for (const item of items) {
    if (item.children.some((child) => child.id === id)) return [item.id];
    const path = pathTo(item.children, id);
    if (path.length > 0) return [...path, item.id];
  }
  return [];
}

/** Whether an item is, or is inside, another one. */
export function isWithin<T extends TreeItem<T>>(item: T, ancestor: T): boolean {
  return item.id === ancestor.id || ancestor.children.some((child) => isWithin(item, child));
}

const without = <T extends TreeItem<T>>(items: readonly T[], id: number): T[] =>
  items
    .filter((item) => item.id !== id)
    .map((item) => (item.children.length > 0 ? { ...item, children: without(item.children, id) } : item));

function inserted<T extends TreeItem<T>>(items: readonly T[], moved: T, place: TreePlace, owner: number | null): T[] {
  const list = items.map((item) =>
    item.id === place.parentId || item.children.length > 0
      ? { ...item, children: inserted(item.children, moved, place, item.id) }
      : item,
  );
  if (owner !== place.parentId) return list;
  const at = list.findIndex(({ id }) => id === place.beforeId);
  return at < 0 ? [...list, moved] : [...list.slice(0, at), moved, ...list.slice(at)];
}

/** The tree with an item and its descendants moved. */
export const moveInTree = <T extends TreeItem<T>>(items: readonly T[], moved: T, place: TreePlace): T[] =>
  inserted(without(items, moved.id), moved, place, null);

/** A keyboard move. */
export type TreeStep = 'up' | 'down' | 'in' | 'out';

/**
 * Target of a keyboard move: before or after a sibling, into the item above, or out of the parent.
 * @returns null if the move is not possible
 */
export function placeAfterStep<T extends TreeItem<T>>(
  roots: readonly T[],
  rows: readonly TreeRow<T>[],
  { item, parent }: TreeRow<T>,
  step: TreeStep,
): TreePlace | null {
  const siblings = parent?.children ?? roots;
  const at = siblings.findIndex(({ id }) => id === item.id);
  const parentId = parent?.id ?? null;
  if (step === 'up') return at > 0 ? { parentId, beforeId: siblings[at - 1]!.id } : null;
  if (step === 'down') return at < siblings.length - 1 ? { parentId, beforeId: siblings[at + 2]?.id ?? null } : null;
  if (step === 'in') return at > 0 ? { parentId: siblings[at - 1]!.id, beforeId: null } : null;
  if (!parent) return null;
  const above = rows.find((row) => row.item.id === parent.id);
  const uncles = above?.parent?.children ?? roots;
  const behind = uncles[uncles.findIndex(({ id }) => id === parent.id) + 1];
  return { parentId: above?.parent?.id ?? null, beforeId: behind?.id ?? null };
}
