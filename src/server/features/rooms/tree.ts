import { MAX_DEPTH, MAX_ELEMENTS } from '../../../../engine/document/constants.ts';
import { ApiError } from '../../../contract/errors.ts';

/** An element and the one that holds it. */
export interface Node {
  id: number;
  parent_element_id: number | null;
}

/** An element and everything below it, parents first. */
export function branchOf<T extends Node>(list: readonly T[], root: T): T[] {
  const below = Map.groupBy(list, ({ parent_element_id }) => parent_element_id);
  const visit = (element: T): T[] => [element, ...(below.get(element.id) ?? []).flatMap(visit)];
  return visit(root);
}

/** Ordered siblings as a list in tree order; elements without a parent in the list are at the top. */
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
 * Refuses a place that an element cannot take: a parent that is not in its room or stands below it, or one under which
 * it would be nested too deep.
 * @param list every element of the room
 * @param parent the place; null for the top
 * @param moving the element that moves with everything below it; undefined for a new one
 * @throws ApiError invalid, naming `parent_element_id`
 */
export function checkParent(list: readonly Node[], parent: number | null, moving?: Node): void {
  const ancestors = ancestorsFrom(list, parent);
  if (!ancestors) refuseMove('This element does not exist in the room.');
  if (moving && ancestors.includes(moving.id)) refuseMove("An element can't be put into itself.");
  if (ancestors.length > 0 && ancestors.length + heightOf(list, moving) > MAX_DEPTH)
    refuseMove(`Elements can't be nested deeper than ${MAX_DEPTH} levels.`);
}

/** Ids from an element up to the top, itself first; null where one of them is not in the list. None for the top. */
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

/** Levels below an element; none where there is no element. */
export function heightOf(list: readonly Node[], root: Node | undefined): number {
  if (!root) return 0;
  const below = Map.groupBy(list, ({ parent_element_id }) => parent_element_id);
  const measure = ({ id }: Node): number =>
    (below.get(id) ?? []).reduce((height, child) => Math.max(height, measure(child) + 1), 0);
  return measure(root);
}

/**
 * Refuses more elements than a room may hold.
 * @throws ApiError invalid
 */
export function checkCount(count: number): void {
  if (count > MAX_ELEMENTS) throw new ApiError('invalid', `A room holds at most ${MAX_ELEMENTS} elements.`);
}
