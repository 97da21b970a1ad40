import type { z } from 'zod';
import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import type { Endpoint, EndpointListRow, entryPolicies, Shows } from '../../../contract/entities.ts';
import { startOffset } from '../../../contract/opening.ts';
import type { StoredEndpoint } from '../endpoints/queries.ts';
import type { ShownState } from '../publications/published.ts';

/** Data for derived fields: the caller's rights, posters, and access token counts. */
export interface TreeFacts {
  endpoints: z.output<typeof entryPolicies>;
  rooms: z.output<typeof entryPolicies>;
  tokens: ReadonlyMap<number, number>;
  /** Slugs of parents that the caller doesn't see, by id. */
  above: ReadonlyMap<number, string>;
  /** Whether the caller sees a space; the name of its structures' spaces is visible in any case. */
  seesRoom(id: number): boolean;
  /** Seconds since 1970. */
  now: number;
  /** URLs of the spaces' posters, by space id. */
  posters: ReadonlyMap<number, string>;
  /** URLs of the structures' own posters, by structure id. */
  ownPosters: ReadonlyMap<number, string>;
  /** The current state of the structure's space; null if it shows none. */
  stateOf(endpoint: StoredEndpoint): ShownState | null;
}

const NO_RIGHTS = { update: false, delete: false };

function asEndpoint(row: StoredEndpoint, path: string, children: Endpoint[], facts: TreeFacts): Endpoint {
  const { room_id, room_name: name, room_title: title } = row;
  const roomPoster = (room_id !== null && facts.posters.get(room_id)) || null;
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    path,
    room_id,
    room:
      room_id === null || name === null || title === null
        ? null
        : {
            id: room_id,
            name,
            title,
            poster_url: roomPoster,
            policies: facts.seesRoom(room_id) ? facts.rooms : NO_RIGHTS,
          },
    poster_url: facts.ownPosters.get(row.id) ?? roomPoster,
    parent_endpoint_id: facts.above.has(row.parent_endpoint_id ?? 0) ? null : row.parent_endpoint_id,
    is_visible: row.is_visible === 1,
    is_timed: row.is_timed === 1,
    show_countdown: row.show_countdown === 1,
    start_date: row.start_date,
    start_time: row.start_time,
    start_time_utc_offset: startOffset(row, facts.now),
    time_zone: row.time_zone,
    is_protected: row.is_protected === 1,
    access_token_duration: row.access_token_duration,
    shows: row.shows as Shows,
    accent_color: row.accent_color,
    kiosk_seconds: row.kiosk_seconds,
    is_closed: room_id !== null && facts.stateOf(row) === null,
    translations: parseTranslations(row.translations),
    access_tokens_count: facts.tokens.get(row.id) ?? 0,
    updated_at: row.updated_at,
    policies: facts.endpoints,
    children,
  };
}

/** A structure in a list. */
export function asListRow(
  row: StoredEndpoint,
  {
    path,
    parent_name,
    edited_by,
    children_count,
  }: Pick<EndpointListRow, 'path' | 'parent_name' | 'edited_by' | 'children_count'>,
  facts: TreeFacts,
): EndpointListRow {
  const { room, ...fields } = asEndpoint(row, path, [], facts);
  return {
    id: fields.id,
    name: fields.name,
    slug: fields.slug,
    path,
    parent_endpoint_id: fields.parent_endpoint_id,
    parent_name,
    room: room && { id: room.id, title: room.title, policies: room.policies },
    poster_url: fields.poster_url,
    is_visible: fields.is_visible,
    is_protected: fields.is_protected,
    is_closed: fields.is_closed,
    is_timed: fields.is_timed,
    show_countdown: fields.show_countdown,
    start_date: fields.start_date,
    start_time: fields.start_time,
    access_tokens_count: fields.access_tokens_count,
    edited_by,
    children_count,
    updated_at: fields.updated_at,
    policies: fields.policies,
  };
}

/** Builds the tree of structures from a list in which siblings are in order. */
export function endpointTree(rows: readonly StoredEndpoint[], facts: TreeFacts): Endpoint[] {
  const below = Map.groupBy(rows, (row) => row.parent_endpoint_id);
  const visit = (parent: number | null, above: string): Endpoint[] =>
    (below.get(parent) ?? []).map((row) => {
      const path = `${above}/${row.slug}`;
      return asEndpoint(row, path, visit(row.id, path), facts);
    });
  return [...visit(null, ''), ...[...facts.above].flatMap(([id, slug]) => visit(id, `/${slug}`))];
}

/** The branches of a tree that match all words of a search, with ancestors and descendants. */
export function searchTree(tree: readonly Endpoint[], search: string): Endpoint[] {
  const words = search.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, slug }: Endpoint) => {
    const text = `${name} ${slug}`.normalize('NFC').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return tree.flatMap((endpoint) => {
    if (matches(endpoint)) return [endpoint];
    const children = searchTree(endpoint.children, search);
    return children.length > 0 ? [{ ...endpoint, children }] : [];
  });
}

/** Finds a structure by id at any level. */
export function findInTree(tree: readonly Endpoint[], id: number): Endpoint | undefined {
  for (const endpoint of tree) {
    const found = endpoint.id === id ? endpoint : findInTree(endpoint.children, id);
    if (found) return found;
  }
  return undefined;
}
