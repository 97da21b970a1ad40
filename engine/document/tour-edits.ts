import { type Element, type ElementOf, flatElementSchema } from './element.ts';
import type { Vector } from './fields.ts';
import { type PlaceElement, placesOf, positionInRoom } from './places.ts';
import { linkedViewPoint, oneWayLinks, tourLinks } from './tour-links.ts';

/** Distance in units of a hotspot from the place where it is visible: 3 m. */
export const HOTSPOT_DISTANCE = 937;
/** Height in units of a proposed hotspot below the eye: 50 cm. */
const BELOW_EYE = 156;
/** Maximum characters of an element's name. */
const MAX_NAME = 255;

/** Name of a place for visitors; its position among the places if it has none. */
export const placeName = (places: readonly PlaceElement[], { id, name, config }: PlaceElement): string =>
  config.name || name || `Place ${places.findIndex((place) => place.id === id) + 1}`;

/** The direction from one position to another, slightly downwards; straight ahead (−z) if both are the same. */
export function wayBetween(from: Vector, to: Vector): Vector {
  const [x, z] = [to.x - from.x, to.z - from.z];
  const level = Math.hypot(x, z);
  const drop = -BELOW_EYE / HOTSPOT_DISTANCE;
  return level < 1 ? { x: 0, y: drop, z: -1 } : { x: x / level, y: drop, z: z / level };
}

/** A place that a hotspot leads from, and one that it leads to. */
export interface Door {
  from: { id: number; position: Vector };
  to: { id: number; name: string };
  /** Direction of the hotspot from the place, of any length. */
  way: Vector;
}

/** A hotspot that is visible at one place. */
interface NewHotspot extends Pick<Door, 'from' | 'way'> {
  /** Name of the element. */
  name: string;
  config: Readonly<Record<string, unknown>>;
}

/** A hotspot at a place, as in a document. @param id of the new element */
export function hotspotElement(id: number, { from, name, way, config }: NewHotspot): ElementOf<'button'> {
  const { x, y, z } = from.position;
  const scale = HOTSPOT_DISTANCE / (Math.hypot(way.x, way.y, way.z) || 1);
  return flatElementSchema.parse({
    id,
    element: 'button',
    name: name.slice(0, MAX_NAME),
    visible_at: [from.id],
    position_x: Math.round(x + way.x * scale),
    position_y: Math.round(y + way.y * scale),
    position_z: Math.round(z + way.z * scale),
    config: { ...config, appearance: 'hotspot' },
  }) as ElementOf<'button'>;
}

/** A hotspot at one place that leads to another, as in a document. @param id of the new element */
export const doorElement = (id: number, { from, to, way }: Door): ElementOf<'button'> =>
  hotspotElement(id, {
    from,
    way,
    name: `To ${to.name}`,
    config: {
      title: to.name,
      navigation: { type: 'view_point', type_config: { view_point_id: to.id, arrival: 'keep' } },
    },
  });

const distance = (a: Vector, b: Vector) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
/** Relative tolerance of distances, so that rounding doesn't decide between equal ones. */
const TOLERANCE = 1e-6;

/**
 * The relative neighborhood graph: two places are linked unless a third one is closer to both. It connects all places, with
 * few links: https://doi.org/10.1016/0031-3203(80)90066-7
 * @returns the indexes of each place's neighbors
 */
function neighborsOf(positions: readonly Vector[]): number[][] {
  const all = positions.map((one) => positions.map((other) => distance(one, other)));
  const isBetween = (a: number, b: number) =>
    positions.some((_, c) => c !== a && c !== b && Math.max(all[a]![c]!, all[b]![c]!) < all[a]![b]! * (1 - TOLERANCE));
  return positions.map((_, a) => positions.flatMap((_other, b) => (a === b || isBetween(a, b) ? [] : [b])));
}

/** Links of a new tour, both ways: none, each place with the next, or neighbors by position. */
export const TOUR_LINKS = ['none', 'consecutive', 'neighbors'] as const;
export type TourLinks = (typeof TOUR_LINKS)[number];

/** Indexes of the places that each place links to. @param positions of the places, in order */
export function linksBetween(links: TourLinks, positions: readonly Vector[]): number[][] {
  if (links === 'neighbors') return neighborsOf(positions);
  const near = links === 'consecutive' ? [-1, 1] : [];
  return positions.map((_, index) => near.map((step) => index + step).filter((other) => positions[other]));
}

/** A missing link between two places. */
export interface MissingLink {
  from: PlaceElement;
  to: PlaceElement;
}

/** The links that a proposal would add; existing ones are left out. */
export function missingLinks(elements: readonly Element[], proposal: TourLinks): MissingLink[] {
  const places = placesOf(elements);
  const known = new Set(tourLinks(elements).map(({ from, to }) => `${from} ${to}`));
  return linksBetween(
    proposal,
    places.map((place) => positionInRoom(elements, place)),
  ).flatMap((others, nth) =>
    others
      .map((other) => ({ from: places[nth]!, to: places[other]! }))
      .filter(({ from, to }) => !known.has(`${from.id} ${to.id}`)),
  );
}

/**
 * The links that a place needs so that every link there leads both ways; a place without any is linked with its nearest.
 * @returns none if nothing is missing
 */
export function missingWays(elements: readonly Element[], placeId: number): MissingLink[] {
  const places = placesOf(elements);
  const place = places.find(({ id }) => id === placeId);
  if (!place) return [];
  const links = tourLinks(elements);
  const byId = new Map(places.map((one) => [one.id, one]));
  if (links.some(({ from, to }) => from === placeId || to === placeId)) {
    const ways = oneWayLinks(links).filter(({ from, to }) => from === placeId || to === placeId);
    const pairs = new Map(ways.map(({ from, to }) => [`${from} ${to}`, { from: byId.get(to)!, to: byId.get(from)! }]));
    return [...pairs.values()];
  }
  const here = positionInRoom(elements, place);
  const away = (one: PlaceElement) => distance(here, positionInRoom(elements, one));
  const [nearest] = places.filter((one) => one !== place).toSorted((one, other) => away(one) - away(other));
  if (!nearest) return [];
  return [
    { from: nearest, to: place },
    { from: place, to: nearest },
  ];
}

/** A hotspot of a tour. */
export type Hotspot = ElementOf<'button'>;

/** Whether an element is a hotspot. */
export const isHotspot = (element: Element): element is Hotspot =>
  element.element === 'button' && element.config.appearance === 'hotspot';

/** A copy of a hotspot at a place. */
export interface HotspotCopy {
  hotspot: Hotspot;
  place: PlaceElement;
}

/**
 * The copies of hotspots at places. Hotspots that are visible at a place already, or lead to it, have none there.
 * @param placeIds of the places
 */
export function hotspotCopies(
  elements: readonly Element[],
  hotspots: readonly Hotspot[],
  placeIds: ReadonlySet<number>,
): HotspotCopy[] {
  const places = placesOf(elements).filter(({ id }) => placeIds.has(id));
  return hotspots.flatMap((hotspot) =>
    places
      .filter(({ id }) => !hotspot.visible_at.includes(id) && linkedViewPoint(hotspot) !== id)
      .map((place) => ({ hotspot, place })),
  );
}

/**
 * A copy of a hotspot in the same direction and distance from another place.
 * @param from ID of the place where the original is seen; the first at which it is visible if omitted
 */
export function hotspotCopy(
  elements: readonly Element[],
  { hotspot, place }: HotspotCopy,
  id: number,
  from: number | undefined = hotspot.visible_at[0],
): Hotspot {
  const origin = placesOf(elements).find((one) => one.id === from);
  const at = positionInRoom(elements, hotspot);
  const [here, there] = [
    origin ? positionInRoom(elements, origin) : { x: 0, y: 0, z: 0 },
    positionInRoom(elements, place),
  ];
  return {
    ...hotspot,
    id,
    parent_element_id: null,
    visible_at: [place.id],
    position_x: Math.round(at.x - here.x + there.x),
    position_y: Math.round(at.y - here.y + there.y),
    position_z: Math.round(at.z - here.z + there.z),
  };
}
