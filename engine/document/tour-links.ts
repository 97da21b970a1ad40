import type { Element } from './element.ts';
import { placesOf } from './places.ts';
import { ancestorsOf } from './tree.ts';

/** A link from one place to another. */
export interface TourLink {
  /** ID of the view point where the link is visible. */
  from: number;
  /** ID of the view point that it leads to. */
  to: number;
  /** The element with the link. */
  element: Element;
}

/**
 * The view points at which an element can be visible: its own limit and those of its groups.
 * @returns null for everywhere
 */
export function visiblePlaces(element: Element, ancestors: readonly Element[]): ReadonlySet<number> | null {
  let common: Set<number> | null = null;
  for (const { visible_at: limit } of [element, ...ancestors]) {
    // Rooms of earlier versions have no limit.
    if (!limit || limit.length === 0) continue;
    common = common === null ? new Set(limit) : new Set(limit.filter((id) => common!.has(id)));
  }
  return common;
}

/** The view point that an element links to; null if it links to none. */
export function linkedViewPoint({ config }: Element): number | null {
  if (!('navigation' in config)) return null;
  const { navigation } = config;
  return navigation?.type === 'view_point' ? navigation.type_config.view_point_id : null;
}

/** The links without a way back. */
export function oneWayLinks(links: readonly TourLink[]): TourLink[] {
  const known = new Set(links.map(({ from, to }) => `${from} ${to}`));
  return links.filter(({ from, to }) => !known.has(`${to} ${from}`));
}

/**
 * IDs of the places that no link leads to, except the start.
 * @param ids of all places, in order; a tour with one place needs no links
 * @param start null for the first
 */
export function withoutWayIn(ids: readonly number[], links: readonly TourLink[], start: number | null): number[] {
  if (ids.length < 2) return [];
  const coming = new Set(links.map(({ to }) => to));
  return ids.filter((id) => id !== (start ?? ids[0]) && !coming.has(id));
}

/** IDs of the places without a link. @param ids of all places */
export function withoutWayOut(ids: readonly number[], links: readonly TourLink[]): number[] {
  const leading = new Set(links.map(({ from }) => from));
  return ids.length < 2 ? [] : ids.filter((id) => !leading.has(id));
}

/**
 * Links between the places of a room, in the order of the elements. Hidden elements have none.
 * @param above the ancestors of an element
 */
export function tourLinks(
  elements: readonly Element[],
  above = (element: Element): readonly Element[] => ancestorsOf(elements, element.id),
): TourLink[] {
  const ids = placesOf(elements).map(({ id }) => id);
  return linksAt(elements, new Set(ids), ids, above);
}

/** @param froms ids of the places whose links are returned */
function linksAt(
  elements: readonly Element[],
  places: ReadonlySet<number>,
  froms: readonly number[],
  above: (element: Element) => readonly Element[],
): TourLink[] {
  return elements.flatMap((element) => {
    const to = linkedViewPoint(element);
    if (to === null || !places.has(to)) return [];
    const ancestors = above(element);
    if ([element, ...ancestors].some(({ hidden }) => hidden)) return [];
    const at = visiblePlaces(element, ancestors);
    return froms.filter((from) => from !== to && (at === null || at.has(from))).map((from) => ({ from, to, element }));
  });
}

/** Links by place, for each version of a room's elements. */
const links = new WeakMap<readonly Element[], Map<number, readonly TourLink[]>>();

/** Links from a place, in the order of the elements: computed once for each version of the elements. */
export function linksFrom(elements: readonly Element[], place: number): readonly TourLink[] {
  const known = links.get(elements) ?? new Map<number, readonly TourLink[]>();
  links.set(elements, known);
  const found =
    known.get(place) ??
    linksAt(elements, new Set(placesOf(elements).map(({ id }) => id)), [place], (element) =>
      ancestorsOf(elements, element.id),
    );
  known.set(place, found);
  return found;
}
