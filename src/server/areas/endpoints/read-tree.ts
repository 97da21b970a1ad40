import type { z } from 'zod';
import type { Endpoint, entryPolicies, Shows } from '../../../contract/entities.ts';
import type { StoredEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import type { ShownState } from '../../store/publications/shown-state.ts';

/** What is not in the rows: what the asking user may do, and how many access tokens each structure has. */
export interface TreeFacts {
  endpoints: z.output<typeof entryPolicies>;
  rooms: z.output<typeof entryPolicies>;
  tokens: ReadonlyMap<number, number>;
  /** Addresses of the posters of spaces, by their ids. */
  posters: ReadonlyMap<number, string>;
  /** The same of structures that somebody chose an image for. */
  ownPosters: ReadonlyMap<number, string>;
  /** What a structure shows of its space now; null where it shows none. */
  stateOf(endpoint: StoredEndpoint): ShownState | null;
}

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
        : { id: room_id, name, title, poster_url: roomPoster, policies: facts.rooms },
    poster_url: facts.ownPosters.get(row.id) ?? roomPoster,
    parent_endpoint_id: row.parent_endpoint_id,
    is_visible: row.is_visible === 1,
    is_timed: row.is_timed === 1,
    show_countdown: row.show_countdown === 1,
    start_time: row.start_time,
    start_time_utc_offset: row.start_time_utc_offset,
    is_protected: row.is_protected === 1,
    access_token_duration: row.access_token_duration,
    shows: row.shows as Shows,
    is_closed: room_id !== null && facts.stateOf(row) === null,
    access_tokens_count: facts.tokens.get(row.id) ?? 0,
    updated_at: row.updated_at,
    policies: facts.endpoints,
    children,
  };
}

/** The tree of structures from a list in which siblings stand in order. */
export function endpointTree(rows: readonly StoredEndpoint[], facts: TreeFacts): Endpoint[] {
  const below = Map.groupBy(rows, (row) => row.parent_endpoint_id);
  const visit = (parent: number | null, above: string): Endpoint[] =>
    (below.get(parent) ?? []).map((row) => {
      const path = `${above}/${row.slug}`;
      return asEndpoint(row, path, visit(row.id, path), facts);
    });
  return visit(null, '');
}

/** The branches of a tree that contain every word of a search, with what stands above and below them. */
export function searchTree(tree: readonly Endpoint[], search: string): Endpoint[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, slug }: Endpoint) => {
    const text = `${name} ${slug}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return tree.flatMap((endpoint) => {
    if (matches(endpoint)) return [endpoint];
    const children = searchTree(endpoint.children, search);
    return children.length > 0 ? [{ ...endpoint, children }] : [];
  });
}

/** The structure with this id, wherever it stands. */
export function findInTree(tree: readonly Endpoint[], id: number): Endpoint | undefined {
  for (const endpoint of tree) {
    const found = endpoint.id === id ? endpoint : findInTree(endpoint.children, id);
    if (found) return found;
  }
  return undefined;
}
