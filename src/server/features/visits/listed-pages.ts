import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Services } from '../../core/services.ts';
import { listEndpoints, pathsOf } from '../endpoints/queries.ts';
import { embargoOf } from '../publications/preview-links.ts';
import {
  languagesOf,
  type RoomLanguages,
  revisionFacts,
  type ShownState,
  shownStates,
} from '../publications/published.ts';
import { reachableEndpoints } from './shown-rooms.ts';

/** A page that search engines may list. */
export interface ListedPage {
  path: string;
  /** Timestamp of its last change. */
  changed: string;
  /** Languages of its space; undefined for fewer than two. */
  languages: RoomLanguages | undefined;
}

/**
 * Languages of rooms that offer several, as they are shown, by state. A published state is read only if the edited room
 * states languages, too.
 */
async function languagesOfStates(
  db: Services['db'],
  organizationId: number,
  states: readonly ShownState[],
): Promise<(state: ShownState) => RoomLanguages | undefined> {
  const edited = new Map<number, RoomLanguages>();
  for (const ids of chunksOf([...new Set(states.map(({ roomId }) => roomId))])) {
    const query = db.selectFrom('rooms').select(['id', 'config']).where('id', 'in', ids);
    for (const { id, config } of await query.where('config', 'like', '%"languages":%').execute())
      edited.set(id, languagesOf(JSON.parse(config)));
  }
  const published = new Map<number, RoomLanguages | undefined>();
  for (const { roomId, revisionId } of states)
    if (revisionId !== null && edited.has(roomId))
      published.set(revisionId, (await revisionFacts(db, organizationId, revisionId))?.languages);
  return ({ roomId, revisionId }) => {
    const found = revisionId === null ? edited.get(roomId) : published.get(revisionId);
    return found && found.offered.length > 1 ? found : undefined;
  };
}

/** When rooms, as they are shown, last changed, by state. */
async function changesOf(db: Services['db'], states: readonly ShownState[]): Promise<(state: ShownState) => string> {
  const rooms = new Map<number, string>();
  const revisions = new Map<number, string>();
  for (const ids of chunksOf([...new Set(states.map(({ roomId }) => roomId))]))
    for (const row of await db.selectFrom('rooms').select(['id', 'updated_at']).where('id', 'in', ids).execute())
      rooms.set(row.id, row.updated_at);
  const published = states.map(({ revisionId }) => revisionId).filter((id) => id !== null);
  for (const ids of chunksOf([...new Set(published)]))
    for (const row of await db.selectFrom('revisions').select(['id', 'created_at']).where('id', 'in', ids).execute())
      revisions.set(row.id, row.created_at);
  return ({ roomId, revisionId }) =>
    (revisionId === null ? rooms.get(roomId) : revisions.get(revisionId)) ?? rooms.get(roomId)!;
}

/**
 * Pages that search engines may list: the front page, and all open rooms of an organization that lists them. Protected
 * rooms, and rooms before their countdown ends, are none of them.
 * @returns the front page first
 */
export async function listedPages(
  services: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
  listsRooms: boolean,
): Promise<ListedPage[]> {
  const { db } = services;
  const all = await listEndpoints(db, organizationId);
  const paths = pathsOf(all);
  const reachable = reachableEndpoints(all).filter((endpoint) => endpoint.is_protected === 0);
  const home = all.find((endpoint) => endpoint.parent_endpoint_id === null && endpoint.is_visible === 1);
  const wanted = listsRooms ? reachable : reachable.filter((endpoint) => endpoint === home);
  const stateOf = await shownStates(services, wanted);
  const shown: { path: string; state: ShownState }[] = [];
  for (const endpoint of wanted) {
    const state = stateOf(endpoint);
    if (!state || (await embargoOf(services, endpoint)) !== null) continue;
    shown.push({ path: endpoint === home ? '/' : paths.get(endpoint.id)!, state });
  }
  const states = shown.map(({ state }) => state);
  const changed = await changesOf(db, states);
  const languages = await languagesOfStates(db, organizationId, states);
  return shown.map(({ path, state }) => ({ path, changed: changed(state), languages: languages(state) }));
}
