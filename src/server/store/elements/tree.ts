import { MAX_DEPTH, MAX_ELEMENTS } from '../../../../engine/document/constants.ts';
import type { Element, FlatElement } from '../../../../engine/document/element.ts';
import { ApiError } from '../../../contract/errors.ts';

/** An element and the one that holds it. */
export interface Node {
  id: number;
  parent_element_id: number | null;
}

/**
 * Elements with their children, from a list in which siblings stand in order.
 * @returns the top of the tree
 */
export function treeOf(list: readonly FlatElement[]): Element[] {
  const byId = new Map<number, Element>(list.map((element) => [element.id, { ...element, children: [] }]));
  const top: Element[] = [];
  for (const element of byId.values()) {
    const parent = element.parent_element_id === null ? undefined : byId.get(element.parent_element_id);
    (parent?.children ?? top).push(element);
  }
  return top;
}

/** A list in which every element stands behind its parent and its elder siblings with all that is below them. */
export function inTreeOrder<T extends Node>(list: readonly T[]): T[] {
  const below = Map.groupBy(list, ({ parent_element_id }) => parent_element_id);
  const visit = (parent: number | null): T[] =>
    (below.get(parent) ?? []).flatMap((element) => [element, ...visit(element.id)]);
  return visit(null);
}

/** An element and everything below it, parents first. */
export function branchOf<T extends Node>(list: readonly T[], root: T): T[] {
  const below = Map.groupBy(list, ({ parent_element_id }) => parent_element_id);
  const visit = (element: T): T[] => [element, ...(below.get(element.id) ?? []).flatMap(visit)];
  return visit(root);
}

function refuse(text: string): never {
  throw new ApiError('invalid', { parent_element_id: [text] });
}

/**
 * Refuses a place that an element can't take: a parent that is not in its room or stands below it, or one under which
 * it would be nested too deep.
 * @param list every element of the room
 * @param parent the place; null for the top
 * @param moving the element that moves with everything below it; undefined for a new one
 * @throws ApiError invalid, naming `parent_element_id`
 */
export function checkParent(list: readonly Node[], parent: number | null, moving?: Node): void {
  if (parent === null) return;
  const byId = new Map(list.map((node) => [node.id, node]));
  let ancestors = 0;
  for (let id: number | null = parent; id !== null; ancestors++) {
    const node = byId.get(id);
    if (!node) refuse('This element does not exist in the room.');
    if (node.id === moving?.id) refuse('An element can not be put into itself.');
    id = node.parent_element_id;
  }
  if (ancestors + heightOf(list, moving) > MAX_DEPTH)
    refuse(`Elements can not be nested deeper than ${MAX_DEPTH} levels.`);
}

/** Levels below an element. */
function heightOf(list: readonly Node[], root: Node | undefined): number {
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
