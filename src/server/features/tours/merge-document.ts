import { type Element, flatElementSchema } from '../../../../engine/document/element.ts';
import type { Vector } from '../../../../engine/document/fields.ts';
import type { Navigation } from '../../../../engine/document/navigation.ts';
import { isPlace } from '../../../../engine/document/places.ts';
import { ROOM_LINKS, remapElement, remapRoomConfig } from '../../../../engine/document/remap.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { nest } from '../../../../engine/document/tree.ts';
import { spaceAround } from './positions.ts';

/** A space to merge, and the structures that show it. */
export interface MergedRoom {
  room: Room;
  endpoints: readonly { id: number; path: string }[];
}

/** Why a space can't become a place; null if it can. */
export function problemOfRoom({ template, elements }: Room): string | null {
  if (elements.some(isPlace)) return 'is a tour already. Choose spaces with one panorama.';
  // They would become places of the tour, without a panorama.
  if (elements.some(({ element }) => element === 'view_point'))
    return 'has view points of its own. Remove them, or choose another space.';
  return template?.model_type === 'pano' && template.file ? null : 'has no panorama.';
}

const moved = ({ x, y, z }: Vector, by: Vector): Vector => ({ x: x + by.x, y: y + by.y, z: z + by.z });

/** An element in the merged room: moved with its place, and visible there only. */
function movedElement(element: Element, by: Vector, place: number): Element {
  const isRoot = element.parent_element_id === null;
  const placed = isRoot && {
    position_x: element.position_x + by.x,
    position_y: element.position_y + by.y,
    position_z: element.position_z + by.z,
    ...((element.visible_at ?? []).length === 0 && { visible_at: [place] }),
  };
  const shifted = { ...element, ...placed };
  // Targets are in room coordinates, whatever the groups.
  if (shifted.element === 'view_point')
    return { ...shifted, config: { ...shifted.config, target_position: moved(shifted.config.target_position, by) } };
  if (shifted.element === 'light')
    return {
      ...shifted,
      config: {
        ...shifted.config,
        target: { ...shifted.config.target, position: moved(shifted.config.target.position, by) },
      },
    };
  return shifted;
}

/** Replaces links to merged spaces by links to their places. */
class Doors {
  readonly #places = new Map<string, number>();

  /** @param places ids of the places, by space */
  constructor(rooms: readonly MergedRoom[], places: readonly number[]) {
    for (const [rank, { endpoints }] of rooms.entries())
      for (const { id, path } of endpoints) {
        this.#places.set(`#${id}`, places[rank]!);
        this.#places.set(path, places[rank]!);
      }
  }

  #target(navigation: Navigation): number | undefined {
    if (navigation.type === 'slug') {
      const { slug_one, slug_two } = navigation.type_config;
      return this.#places.get(`/${[slug_one, slug_two].filter(Boolean).join('/')}`);
    }
    if (navigation.type !== 'space') return undefined;
    const { endpoint, endpoint_url } = navigation.type_config;
    return endpoint === null ? this.#places.get(endpoint_url) : this.#places.get(`#${endpoint}`);
  }

  /** A link with the heading that it sets or keeps; its target if that is merged. */
  of(navigation: Navigation): { navigation: Navigation; to: number | null } {
    const to = this.#target(navigation);
    if (to === undefined || (navigation.type !== 'slug' && navigation.type !== 'space'))
      return { navigation, to: null };
    const { arrival } = navigation.type_config;
    const kept =
      typeof arrival === 'object' && arrival !== null ? { heading: arrival.heading, pitch: arrival.pitch } : arrival;
    return { navigation: { type: 'view_point', type_config: { view_point_id: to, arrival: kept } }, to };
  }
}

/** The first view of a space: a point that its camera looks at. */
function firstTarget({ config: { camera } }: Room): Vector {
  if (camera.angle) return camera.angle;
  const { position, rotation } = camera;
  const level = Math.cos(rotation.x);
  return {
    x: position.x - Math.sin(rotation.y) * level * 1000,
    y: position.y + Math.sin(rotation.x) * 1000,
    z: position.z - Math.cos(rotation.y) * level * 1000,
  };
}

/** A merged document, and what became of each space. */
interface Merged {
  document: Record<string, unknown>;
  /** Ranks of the places that each one links to, and its number of elements. */
  places: { links: number[]; elements: number }[];
}

/**
 * The document of a tour whose places were spaces. Their directions stay as they are.
 * @param positions where each space's camera is in the tour
 */
export function mergedDocument(
  { name, templateId }: { name: string; templateId: number },
  rooms: readonly MergedRoom[],
  positions: readonly Vector[],
): Merged {
  const placeIds = rooms.map((_, rank) => rank + 1);
  const doors = new Doors(rooms, placeIds);
  let last = rooms.length;
  const places: Merged['places'] = [];
  const renamed: Map<number, number>[] = [];
  const elements = rooms.flatMap(({ room }, rank) => {
    const [place, position] = [placeIds[rank]!, positions[rank]!];
    const { camera } = room.config;
    const by = moved(position, { x: -camera.position.x, y: -camera.position.y, z: -camera.position.z });
    const ids = new Map(room.elements.map(({ id }) => [id, ++last]));
    renamed.push(ids);
    const links = new Set<number>();
    const own = room.elements.map((element): Element => {
      const parent = element.parent_element_id;
      const copy = movedElement(remapElement(element, ids), by, place);
      const parent_element_id = parent === null ? null : ids.get(parent)!;
      const placed = { ...copy, id: ids.get(element.id)!, parent_element_id, file: null } as Element;
      if (!('navigation' in placed.config) || !placed.config.navigation) return placed;
      const { navigation, to } = doors.of(placed.config.navigation);
      if (to !== null) links.add(to - 1);
      return { ...placed, config: { ...placed.config, navigation } } as Element;
    });
    places.push({ links: [...links], elements: own.length });
    const viewPoint = flatElementSchema.parse({
      id: place,
      element: 'view_point',
      name: room.title || room.name,
      file_id: room.template!.file_id,
      position_x: position.x,
      position_y: position.y,
      position_z: position.z,
      config: {
        name: room.title || room.name,
        order_rank: rank,
        pulse_radius: 0,
        target_position: moved(firstTarget(room), by),
        arrival_view: 'set',
      },
    });
    return [viewPoint, ...own];
  });
  const { far, ...least } = spaceAround(positions);
  const side = (axis: 'x' | 'y' | 'z', size: 'width' | 'height' | 'depth') =>
    Math.max(
      least[size],
      ...rooms.map(({ room }, rank) => Math.ceil(room[size] + 2 * Math.abs(positions[rank]![axis]))),
    );
  const sizes = { width: side('x', 'width'), height: side('y', 'height'), depth: side('z', 'depth') };
  const { room: first } = rooms[0]!;
  const { camera } = first.config;
  const start = moved(positions[0]!, { x: -camera.position.x, y: -camera.position.y, z: -camera.position.z });
  const config = remapRoomConfig(first.config, renamed[0]!);
  const corners = ROOM_LINKS.map((link) => {
    const found = config[link];
    return [link, found && { ...found, navigation: doors.of(found.navigation).navigation }];
  });
  const document = {
    ...first,
    id: undefined,
    name,
    title: name,
    template_id: templateId,
    template: undefined,
    ...sizes,
    config: {
      ...config,
      realtime_file: null,
      ...Object.fromEntries(corners),
      camera: {
        ...camera,
        position: positions[0]!,
        angle: moved(firstTarget(first), start),
        far: Math.max(far, camera.far, Math.ceil(Math.hypot(sizes.width, sizes.height, sizes.depth))),
      },
      start_view_point_id: placeIds[0]!,
    },
    elements: nest(elements),
  };
  return { document, places };
}
