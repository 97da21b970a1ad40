import type { Navigation } from '../../../../engine/document/navigation.ts';
import type { SiteProblem, SiteProblemKind } from '../../../contract/entities.ts';
import type { CallContext } from '../../store/call-context.ts';
import { countTokens, listEndpoints, type StoredEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { findLiveStreams } from '../../store/live-streams/live-streams-repository.ts';
import { shownStates } from '../../store/publications/shown-state.ts';
import { type LinkingElement, linkingElements } from '../../store/statistics/statistics-repository.ts';
import { reachableEndpoints } from '../../store/visits/enterable-rooms.ts';

/** Elements that are looked at: the first ones of the rooms that structures show. */
const MOST_ELEMENTS = 5000;
/** Problems that are told of. */
const MOST_PROBLEMS = 50;

type Config = { navigation?: Navigation; live_stream_id?: number | null; id?: string; src?: string };

const problemOf = (kind: SiteProblemKind, { id, name }: StoredEndpoint, element?: LinkingElement): SiteProblem => ({
  kind,
  endpoint_id: id,
  endpoint_name: name,
  room_id: element?.room_id ?? null,
  element_id: element?.id ?? null,
  element_name: element ? element.name || element.element : '',
});

/** Tells of links whether they lead to a structure that visitors find. */
function deadLinksAmong(reachable: readonly StoredEndpoint[]): (navigation: Navigation | undefined) => boolean {
  const byId = new Map(reachable.map((endpoint) => [endpoint.id, endpoint]));
  const pathOf = ({ slug, parent_endpoint_id: parent }: StoredEndpoint) =>
    parent === null ? slug : `${byId.get(parent)?.slug ?? ''}/${slug}`;
  const paths = new Set(reachable.map(pathOf));
  return (navigation) => {
    if (navigation?.type === 'slug') {
      const { slug_one, slug_two } = navigation.type_config;
      return !paths.has([slug_one, slug_two].filter(Boolean).join('/'));
    }
    if (navigation?.type !== 'space') return false;
    const { endpoint, endpoint_url } = navigation.type_config;
    return !(endpoint !== null && byId.has(endpoint)) && !paths.has(endpoint_url.replace(/^\//, ''));
  };
}

/** What visitors would stumble over: structures without a space or access tokens, links and live streams that lead nowhere. */
export async function findProblems({ db, clock, organizationId }: CallContext): Promise<SiteProblem[]> {
  const reachable = reachableEndpoints(await listEndpoints(db, organizationId));
  const stateOf = await shownStates({ db, clock }, reachable);
  const tokens = await countTokens(db, organizationId);
  const found: SiteProblem[] = [];
  for (const endpoint of reachable) {
    if (endpoint.room_id === null) found.push(problemOf('no_space', endpoint));
    else if (stateOf(endpoint) === null) found.push(problemOf('not_published', endpoint));
    if (endpoint.is_protected === 1 && !tokens.get(endpoint.id)) found.push(problemOf('no_tokens', endpoint));
  }
  const shows = new Map(
    reachable.flatMap((endpoint) => (endpoint.room_id === null ? [] : [[endpoint.room_id, endpoint]])),
  );
  const elements = await linkingElements(db, organizationId, [...shows.keys()], MOST_ELEMENTS);
  const configs = elements.map(({ body }) => (JSON.parse(body) as { config: Config }).config);
  const streamIds = configs.map(({ live_stream_id }) => live_stream_id ?? 0).filter(Boolean);
  const named = streamIds.length === 0 ? [] : await findLiveStreams(db, organizationId, streamIds);
  const streams = new Set(named.map(({ id }) => id));
  const isDead = deadLinksAmong(reachable);
  for (const [index, element] of elements.entries()) {
    const { navigation, live_stream_id, id, src } = configs[index]!;
    const endpoint = shows.get(element.room_id)!;
    if (isDead(navigation)) found.push(problemOf('dead_link', endpoint, element));
    const isThere = live_stream_id ? streams.has(live_stream_id) : Boolean(id || src);
    if (element.element === 'live_stream' && !isThere) found.push(problemOf('no_stream', endpoint, element));
  }
  return found.slice(0, MOST_PROBLEMS);
}
