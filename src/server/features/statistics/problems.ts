import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Navigation } from '../../../../engine/document/navigation.ts';
import type { calls } from '../../../contract/calls.ts';
import type { SiteProblem, SiteProblemKind, SiteProblems } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { everywhere } from '../../core/db/limited.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { countTokens, listEndpoints, type StoredEndpoint } from '../endpoints/queries.ts';
import { findLiveStreams } from '../live-streams/queries.ts';
import { shownStates } from '../publications/published.ts';
import { elementsWithFixedTimes } from '../rooms/checks.ts';
import { readPreferences, storePreferences } from '../users/queries.ts';
import { refuseKeys } from '../users/rights.ts';
import { reachableEndpoints } from '../visits/shown-rooms.ts';
import { type LinkingElement, linkingElements } from './queries.ts';

/** Maximum number of checked elements in shown rooms. */
const MAX_ELEMENTS = 5000;
/** Maximum number of reported problems of a kind. */
const MAX_LISTED = 20;

type Config = { navigation?: Navigation; live_stream_id?: number | null; id?: string; src?: string };

const problemOf = (
  kind: SiteProblemKind,
  { id, name }: StoredEndpoint,
  element?: Omit<LinkingElement, 'body'>,
): SiteProblem => ({
  kind,
  endpoint_id: id,
  endpoint_name: name,
  room_id: element?.room_id ?? null,
  element_id: element?.id ?? null,
  element_name: element ? element.name || element.element : '',
});

/** Returns a function that detects links without a reachable structure. */
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

/**
 * Problems that visitors would encounter: structures without a space or access tokens, dead links and live streams,
 * times that ignore clock changes.
 */
async function findProblems({ db, clock, organizationId }: CallContext): Promise<Map<SiteProblemKind, SiteProblem[]>> {
  const seen = new Set((await listEndpoints(db, organizationId)).map(({ id }) => id));
  const all = reachableEndpoints(await listEndpoints(everywhere(db), organizationId));
  const reachable = all.filter(({ id }) => seen.has(id));
  const stateOf = await shownStates({ db: everywhere(db), clock }, reachable);
  const tokens = await countTokens(db, reachable);
  const found: SiteProblem[] = [];
  for (const endpoint of reachable) {
    if (endpoint.room_id === null) found.push(problemOf('no_space', endpoint));
    else if (stateOf(endpoint) === null) found.push(problemOf('not_published', endpoint));
    const starts = endpoint.start_time !== null && (endpoint.is_timed === 1 || endpoint.show_countdown === 1);
    if (starts && endpoint.time_zone === null) found.push(problemOf('fixed_offset', endpoint));
    if (endpoint.is_protected === 1 && !tokens.get(endpoint.id)) found.push(problemOf('no_tokens', endpoint));
  }
  const shows = new Map(
    reachable.flatMap((endpoint) => (endpoint.room_id === null ? [] : [[endpoint.room_id, endpoint]])),
  );
  const elements = await linkingElements(db, organizationId, [...shows.keys()], MAX_ELEMENTS);
  const configs = elements.map(({ body }) => (JSON.parse(body) as { config: Config }).config);
  const streamIds = configs.map(({ live_stream_id }) => live_stream_id ?? 0).filter(Boolean);
  const named = streamIds.length === 0 ? [] : await findLiveStreams(db, organizationId, streamIds);
  const streams = new Set(named.map(({ id }) => id));
  const isDead = deadLinksAmong(all);
  for (const [index, element] of elements.entries()) {
    const { navigation, live_stream_id, id, src } = configs[index]!;
    const endpoint = shows.get(element.room_id)!;
    if (isDead(navigation)) found.push(problemOf('dead_link', endpoint, element));
    const isThere = live_stream_id ? streams.has(live_stream_id) : Boolean(id || src);
    if (element.element === 'live_stream' && !isThere) found.push(problemOf('no_stream', endpoint, element));
  }
  for (const element of await elementsWithFixedTimes(db, organizationId, [...shows.keys()], MAX_ELEMENTS))
    found.push(problemOf('fixed_offset', shows.get(element.room_id)!, element));
  return Map.groupBy(found, ({ kind }) => kind);
}

/** Bytes per dismissed problem: a new one is mistaken for it once in four billion. */
const MARK_BYTES = 4;

const markOf = ({ endpoint_id, element_id }: SiteProblem): Buffer =>
  createHash('sha256').update(`${endpoint_id} ${element_id}`).digest().subarray(0, MARK_BYTES);

/** Whether a user has dismissed all of these problems. */
function areDismissed(problems: readonly SiteProblem[], stored = ''): boolean {
  const marks = Buffer.from(stored, 'base64');
  const known = new Set<number>();
  for (let at = 0; at < marks.length; at += MARK_BYTES) known.add(marks.readUInt32BE(at));
  return problems.every((problem) => known.has(markOf(problem).readUInt32BE()));
}

/** Problems by kind, and whether the caller has dismissed them. */
export async function listProblems(context: SignedInContext): Promise<SiteProblems[]> {
  const { dismissed_problems: dismissed } = await readPreferences(context.db, context.user.userId);
  return [...(await findProblems(context))].map(([kind, problems]) => ({
    kind,
    count: problems.length,
    is_dismissed: areDismissed(problems, dismissed[kind]),
    problems: problems.slice(0, MAX_LISTED),
  }));
}

/**
 * Dismisses the problems of a kind for the caller, or shows them again.
 * @throws ApiError stale if there are more than the caller has seen; forbidden for API keys
 */
export async function dismissProblems(
  context: SignedInContext,
  { kind, count }: z.output<typeof calls.statistics.dismissProblems.body>,
): Promise<SiteProblems[]> {
  refuseKeys(context.user);
  const problems = (await findProblems(context)).get(kind) ?? [];
  if (count !== null && problems.length > count)
    throw new ApiError('stale', { error: ['There are more of these problems now. Reload them.'] });
  const marks = count === null ? '' : Buffer.concat(problems.map(markOf)).toString('base64');
  await storePreferences(context.db, context.user.userId, ({ dismissed_problems }) => ({
    dismissed_problems: { ...dismissed_problems, [kind]: marks },
  }));
  return listProblems(context);
}
