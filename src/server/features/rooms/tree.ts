import { MAX_DEPTH, MAX_ELEMENTS } from '../../../../engine/document/constants.ts';
import { ApiError } from '../../../contract/errors.ts';

/** An element with its parent. */
export interface Node {
  id: number;
  parent_element_id: number | null;
}

/** An element and its descendants, parents first. */
export function branchOf<T extends Node>(list: readonly T[], root: T): T[] {
  const below = Map.groupBy(list, ({ parent_element_id }) => parent_element_id);
  const visit = (element: T): T[] => [element, ...(below.get(element.id) ?? []).flatMap(visit)];
  return visit(root);
}

/** Siblings in tree order; elements whose parent isn't in the list are at the top level. */
export function inTreeOrder<T extends Node>(list: readonly T[]): T[] {
  const below = Map.groupBy(list, ({ parent_element_id }) => parent_element_id);
  const ids = new Set<number | null>(list.map(({ id }) => id));
  const visit = (element: T): T[] => [element, ...(below.get(element.id) ?? []).flatMap(visit)];
  return list.filter(({ parent_element_id }) => !ids.has(parent_element_id)).flatMap(visit);
}

function refuseMove(text: string): never {
  throw new ApiError('invalid', { parent_element_id: [text] });
}

/**
 * Rejects an invalid parent: one in another room, a descendant of the element, or one that would exceed the maximum
 * depth.
 * @param list all elements of the room
 * @param parent the new parent; null for the top level
 * @param moving the element that moves with its descendants; undefined for a new one
 * @throws ApiError invalid, naming `parent_element_id`
 */
export function checkParent(list: readonly Node[], parent: number | null, moving?: Node): void {
  const ancestors = ancestorsFrom(list, parent);
  if (!ancestors) refuseMove("The element doesn't exist in this room.");
  if (moving && ancestors.includes(moving.id)) refuseMove("An element can't be moved into itself.");
  if (ancestors.length > 0 && ancestors.length + heightOf(list, moving) > MAX_DEPTH)
    refuseMove(`Elements can't be nested deeper than ${MAX_DEPTH} levels.`);
}

/** Ids from an element up to the top level, itself first; null if one of them is missing. Empty for the top level. */
export function ancestorsFrom(list: readonly Node[], from: number | null): number[] | null {
  if (from === null) return [];
  const byId = new Map(list.map((node) => [node.id, node]));
  const ids: number[] = [];
  for (let id: number | null = from; id !== null; ) {
    const node = byId.get(id);
    if (!node) return null;
    ids.push(node.id);
    id = node.parent_element_id;
  }
  return ids;
}

/** Number of levels below an element; 0 without an element. */
export function heightOf(list: readonly Node[], root: Node | undefined): number {
  if (!root) return 0;
  const below = Map.groupBy(list, ({ parent_element_id }) => parent_element_id);
  const measure = ({ id }: Node): number =>
    (below.get(id) ?? []).reduce((height, child) => Math.max(height, measure(child) + 1), 0);
  return measure(root);
}

/**
 * Rejects more elements than a room may have.
 * @throws ApiError invalid
 */
export function checkCount(count: number): void {
  if (count > MAX_ELEMENTS) throw new ApiError('invalid', `A room can contain at most ${MAX_ELEMENTS} elements.`);
}
