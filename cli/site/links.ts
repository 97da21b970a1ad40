import type { Navigation } from '../../engine/document/navigation.ts';
import { ROOM_LINKS } from '../../engine/document/remap.ts';
import type { Room } from '../../engine/document/room.ts';
import { cleanPath, type PlacedEndpoint } from '../endpoints/find-endpoint.ts';

/** A link from a room to a structure. */
export interface SiteLink {
  /** Name of its source for messages. */
  from: string;
  /** Public path of its target; empty if it has none. */
  path: string;
  /** Id of the target structure, if set. */
  endpoint: number | null;
}

function targetOf(navigation: Navigation): Omit<SiteLink, 'from'> | null {
  if (navigation.type === 'space') {
    const { endpoint, endpoint_url } = navigation.type_config;
    return { path: cleanPath(endpoint_url), endpoint };
  }
  if (navigation.type === 'slug') {
    const { slug_one, slug_two } = navigation.type_config;
    return { path: [slug_one, slug_two].filter(Boolean).join('/'), endpoint: null };
  }
  return null;
}

/** Every link of a room to a structure; links of hidden elements are ignored. */
export function linksOf(room: Room): SiteLink[] {
  const links: SiteLink[] = [];
  const add = (from: string, navigation: Navigation | undefined) => {
    const target = navigation && targetOf(navigation);
    if (target) links.push({ from, ...target });
  };
  for (const name of ROOM_LINKS) add(name.replaceAll('_', ' '), room.config[name]?.navigation);
  for (const element of room.elements)
    if (!element.hidden && 'navigation' in element.config)
      add(`${element.element} "${element.name || element.id}"`, element.config.navigation);
  return links;
}

/** A problem or warning about the structures. */
export interface SiteFinding {
  code: 'dead-link' | 'hidden-target' | 'protected-target' | 'empty-structure' | 'unreachable' | 'unused-room';
  severity: 'error' | 'warning' | 'info';
  /** Public path of the structure, or name of the room. */
  at: string;
  message: string;
}

/** The target structure of a link. */
export function followLink(link: SiteLink, all: readonly PlacedEndpoint[]): PlacedEndpoint | undefined {
  return all.find(({ path }) => path === link.path) ?? all.find(({ id }) => id === link.endpoint);
}

/**
 * Checks all structures and the links between their rooms.
 * @param rooms rooms by id
 */
export function lintLinks(all: readonly PlacedEndpoint[], rooms: ReadonlyMap<number, Room>): SiteFinding[] {
  const found: SiteFinding[] = [];
  const home = all.find(({ is_visible }) => is_visible);
  const reached = new Set<number>(home ? [home.id] : []);
  const waiting = home ? [home] : [];
  const linksAt = new Map(all.map((each) => [each.id, each.room_id === null ? [] : linksOfRoom(rooms, each.room_id)]));
  for (let next = waiting.pop(); next; next = waiting.pop())
    for (const link of linksAt.get(next.id) ?? []) {
      const target = followLink(link, all);
      if (!target || reached.has(target.id)) continue;
      reached.add(target.id);
      waiting.push(target);
    }
  for (const endpoint of all) {
    const at = endpoint.path;
    if (endpoint.room_id === null)
      found.push({ code: 'empty-structure', severity: 'error', at, message: 'The structure shows no room.' });
    for (const link of linksAt.get(endpoint.id) ?? []) {
      const target = followLink(link, all);
      const to = link.path || (link.endpoint === null ? 'nowhere' : `structure ${link.endpoint}`);
      if (!target)
        found.push({
          code: 'dead-link',
          severity: 'error',
          at,
          message: `${link.from} links to ${to}, which doesn't exist.`,
        });
      else if (!target.is_visible)
        found.push({
          code: 'hidden-target',
          severity: 'warning',
          at,
          message: `${link.from} links to ${target.path}, which is hidden.`,
        });
      else if (target.is_protected && !endpoint.is_protected)
        found.push({
          code: 'protected-target',
          severity: 'info',
          at,
          message: `${link.from} links to ${target.path}, which requires an access token.`,
        });
    }
    if (endpoint.is_visible && !reached.has(endpoint.id))
      found.push({
        code: 'unreachable',
        severity: 'info',
        at,
        message: `No link leads here from ${home?.path ?? 'the first structure'}.`,
      });
  }
  const shown = new Set(all.map(({ room_id }) => room_id));
  for (const room of rooms.values())
    if (!shown.has(room.id))
      found.push({ code: 'unused-room', severity: 'info', at: room.name, message: 'No structure shows this room.' });
  return found;
}

const linksOfRoom = (rooms: ReadonlyMap<number, Room>, id: number): SiteLink[] => {
  const room = rooms.get(id);
  return room ? linksOf(room) : [];
};
