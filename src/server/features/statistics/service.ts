import type { z } from 'zod';
import { offeredLanguages } from '../../../../engine/document/languages.ts';
import type { calls } from '../../../contract/calls.ts';
import type { StatisticsGroup, StatisticsRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import { deviceClassOf, isProgram } from '../../core/device-class.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { addressSubject } from '../../core/limits/attempts.ts';
import { findEndpoint, listEndpoints, type StoredEndpoint } from '../endpoints/queries.ts';
import { findOrganization } from '../organizations/queries.ts';
import { embargoOf, previewCookie } from '../publications/preview-links.ts';
import { findShownRoom, shownStateOf } from '../publications/published.ts';
import { findElements } from '../rooms/elements-repository.ts';
import { findVisit } from '../visits/visitor-sessions.ts';
import { emitWebhookEvent } from '../webhooks/service.ts';
import {
  type EventKind,
  type FigureRange,
  figuresApart,
  type GroupFigure,
  namesOfTokens,
  OTHER_SITE,
  recordStructureVisit,
  shownElements,
  type VisitEvent,
  waysBetween,
} from './queries.ts';

type Beacon = z.output<typeof calls.statistics.count.body>;

/** A countable visit. */
interface Counted {
  endpoint: StoredEndpoint;
  /** Access token that opened it; null for public structures. */
  accessTokenId: number | null;
  /** Elements it may report. */
  elements: ReadonlySet<number>;
  /** Languages in which it may be shown. */
  languages: readonly string[];
}

/** The visit of a message; null if the caller can't be there. */
async function findCounted(context: CallContext, endpointId: number): Promise<Counted | null> {
  const { db, clock, token, organizationId } = context;
  const endpoint = await findEndpoint(db, organizationId, endpointId);
  if (endpoint?.is_visible !== 1) return null;
  const { parent_endpoint_id: parentId } = endpoint;
  if (parentId !== null && (await findEndpoint(db, organizationId, parentId))?.is_visible !== 1) return null;
  // Previews don't count as visits.
  if (context.cookie(previewCookie(endpointId)) !== null) return null;
  let accessTokenId: number | null = null;
  if (endpoint.is_protected === 1) {
    const visit = token === null ? null : await findVisit(db, clock, token);
    if (visit?.endpointId !== endpointId) return null;
    ({ accessTokenId } = visit);
  }
  if ((await embargoOf({ db, clock }, endpoint)) !== null) return null;
  const state = await shownStateOf({ db, clock }, endpoint);
  const room = state && (await findShownRoom(context, organizationId, state, 'page'));
  if (!room) return null;
  return { endpoint, accessTokenId, elements: shownElements(room), languages: offeredLanguages(room.document.config) };
}

/** Events of a message, except the start of a visit. @param most seconds since the previous message */
function* passingOf(
  beacon: Beacon,
  elements: ReadonlySet<number>,
  most: number,
): Generator<[EventKind, string, number, number]> {
  const bounded = (time: number) => Math.round(Math.min(time, most));
  const seconds = bounded(beacon.seconds);
  if (seconds > 0) yield ['time', '', 0, seconds];
  // An id counts once per message.
  for (const [id, time] of new Map(beacon.seen))
    if (elements.has(id) && bounded(time) > 0) yield ['element', '', id, bounded(time)];
  for (const [id, time] of new Map(beacon.stood))
    if (elements.has(id) && bounded(time) > 0) yield ['view_point', '', id, bounded(time)];
  const opened = new Map(beacon.opened.map((each) => [`${each[0]} ${each[1]}`, each]));
  for (const [kind, id, times] of opened.values()) if (id === 0 || elements.has(id)) yield ['opened', kind, id, times];
}

/** Events of the start of a visit. */
async function* beginningOf(
  context: CallContext,
  beacon: Beacon,
  visit: Counted,
): AsyncGenerator<[EventKind, string, number]> {
  const { db, organizationId, address, userAgent, visitCounting } = context;
  yield ['device', deviceClassOf(userAgent), 0];
  const country = visitCounting.countryOf(address);
  if (country) yield ['country', country, 0];
  const { site, language } = beacon;
  if (visit.languages.includes(language)) yield ['language', language, 0];
  const writer = { address: addressSubject(address), organizationId };
  if (site) yield ['site', visitCounting.writes.names(writer, site) ? site : OTHER_SITE, 0];
  if (visit.accessTokenId !== null) yield ['token', '', visit.accessTokenId];
  const { from_id } = beacon;
  if (from_id !== null && from_id !== visit.endpoint.id && (await findEndpoint(db, organizationId, from_id)))
    yield ['way', '', from_id];
}

/** Milliseconds without a visit after which the next one counts as a first visit. */
const QUIET = 30 * 60 * 1000;

/** Emits an event for the first visit to a structure after a quiet period. */
async function emitFirstVisit(
  { db: database, clock, organizationId }: CallContext,
  endpoint: StoredEndpoint,
): Promise<void> {
  const now = clock.now();
  const stamps = { at: timestampOf(now), quietSince: timestampOf(now - QUIET) };
  await database.transaction().execute(async (db) => {
    const about = { organization_id: organizationId, endpoint_id: endpoint.id, ...stamps };
    if (await recordStructureVisit(db, about))
      await emitWebhookEvent(db, { clock, organizationId }, 'structure.opened', {
        structure: { id: endpoint.id, name: endpoint.name },
      });
  });
}

/**
 * Counts a page's message about a visit. Invalid content is silently ignored, so that the response reveals nothing.
 * @throws ApiError too_many
 */
export async function countVisit(context: CallContext, beacon: Beacon): Promise<void> {
  const { db, organizationId, address, userAgent, visitCounting } = context;
  const { writes, times } = visitCounting;
  const writer = { address: addressSubject(address), organizationId };
  if (!writes.takes(writer, Buffer.byteLength(JSON.stringify(beacon))))
    throw new ApiError('too_many', undefined, undefined, writes.secondsLeft());
  if (isProgram(userAgent)) return;
  const { has_statistics, has_statistics_poses } = await findOrganization(db, organizationId);
  if (has_statistics === 0) return;
  const counted = await findCounted(context, beacon.endpoint_id).catch((error: unknown) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  if (!counted) return;
  const whose = { organization_id: organizationId, endpoint_id: counted.endpoint.id };
  const event = (kind: EventKind, subject: string, other_id: number, amount: number): VisitEvent => ({
    ...whose,
    kind,
    visitor: null,
    visit: kind === 'time' || kind === 'visit' ? beacon.visit : null,
    subject,
    other_id,
    amount,
  });
  const events: VisitEvent[] = [];
  if (beacon.begins) {
    await emitFirstVisit(context, counted.endpoint);
    const visitor = await visitCounting.hashes.of({ organizationId, address, userAgent });
    events.push({ ...event('visit', '', 0, 1), visitor });
    for await (const [kind, subject, other] of beginningOf(context, beacon, counted))
      events.push(event(kind, subject, other, 1));
  }
  const since = times.secondsSince(`${counted.endpoint.id} ${beacon.visit}`);
  for (const [kind, subject, other, amount] of passingOf(beacon, counted.elements, since))
    events.push(event(kind, subject, other, amount));
  const poses =
    has_statistics_poses === 0 ? [] : beacon.poses.map(([x, y, z, heading]) => ({ ...whose, x, y, z, heading }));
  writes.added(writer, visitCounting.buffer.add(events, poses, writes.rowsLeft(writer)));
}

/** Groups of figures about elements. */
const OF_ELEMENTS = ['opened', 'element', 'view_point'];

const EMPTY: Omit<StatisticsRow, 'name'> = {
  id: null,
  to_id: null,
  detail: '',
  room_id: null,
  count: 0,
  visitors: 0,
  seconds: 0,
};

/** Visits, visitors and time by structure. */
async function listStructures(
  { db, organizationId }: SignedInContext,
  range: FigureRange,
  limit: number,
): Promise<StatisticsRow[]> {
  const figures = await figuresApart(db, range, {
    kinds: ['visit', 'visitor', 'time'],
    apart: ['endpoint_id', 'kind'],
    by: 'count',
    // Each structure has three rows.
    limit: Number.MAX_SAFE_INTEGER,
  });
  const names = await namesOfEndpoints(db, organizationId);
  const rows = [...Map.groupBy(figures, ({ endpoint_id }) => endpoint_id)].map(([id, list]): StatisticsRow => {
    const of = (kind: string) => list.find((figure) => figure.kind === kind);
    const name = names.get(id) ?? '';
    const [count, visitors, seconds] = [of('visit')?.count, of('visitor')?.count, of('time')?.amount];
    return { ...EMPTY, id, name, count: count ?? 0, visitors: visitors ?? 0, seconds: seconds ?? 0 };
  });
  return rows.toSorted((a, b) => b.count - a.count || a.id! - b.id!).slice(0, limit);
}

async function namesOfEndpoints(
  db: SignedInContext['db'],
  organizationId: number,
): Promise<ReadonlyMap<number, string>> {
  return new Map((await listEndpoints(db, organizationId)).map(({ id, name }) => [id, name]));
}

/** Figures about elements, with the elements' current names. */
async function namedElements(
  { db, organizationId }: SignedInContext,
  figures: readonly GroupFigure[],
  by: StatisticsGroup,
): Promise<StatisticsRow[]> {
  const ids = [...new Set(figures.map(({ other_id }) => other_id))].filter((id) => id !== 0);
  const elements = new Map((await findElements(db, organizationId, ids)).map((row) => [row.id, row]));
  return figures.map(({ other_id, subject, amount }) => {
    const element = elements.get(other_id);
    return {
      ...EMPTY,
      id: other_id === 0 ? null : other_id,
      name: element ? element.name || element.element : '',
      detail: by === 'opened' ? subject : (element?.element ?? ''),
      room_id: element?.room_id ?? null,
      ...(by === 'opened' ? { count: amount } : { seconds: amount }),
    };
  });
}

/**
 * Figures of a range by group, largest first.
 * @throws ApiError forbidden if the groups are access tokens, and the caller may not see these
 */
export async function listGroups(
  context: SignedInContext,
  range: FigureRange,
  by: StatisticsGroup,
  limit: number,
): Promise<StatisticsRow[]> {
  const { db, organizationId, user } = context;
  if (by === 'structure') return listStructures(context, range, limit);
  if (by === 'way') {
    const names = await namesOfEndpoints(db, organizationId);
    const ways = await waysBetween(db, range, limit);
    return ways.map(({ endpoint_id: to, other_id: from, count }) => ({
      ...EMPTY,
      id: from,
      to_id: to,
      name: names.get(from) ?? '',
      detail: names.get(to) ?? '',
      count,
    }));
  }
  if (OF_ELEMENTS.includes(by)) {
    const apart = by === 'opened' ? (['other_id', 'subject'] as const) : (['other_id'] as const);
    return namedElements(context, await figuresApart(db, range, { kinds: [by], apart, by: 'amount', limit }), by);
  }
  if (by === 'token') {
    if (!user.policies.access_tokens.view_any) throw new ApiError('forbidden');
    const figures = await figuresApart(db, range, { kinds: ['token'], apart: ['other_id'], by: 'count', limit });
    const ids = figures.map(({ other_id }) => other_id);
    const names = await namesOfTokens(db, organizationId, ids);
    return figures.map(({ other_id: id, count }) => ({ ...EMPTY, id, name: names.get(id) ?? '', count }));
  }
  const figures = await figuresApart(db, range, { kinds: [by], apart: ['subject'], by: 'count', limit });
  return figures.map(({ subject, count }) => ({ ...EMPTY, name: subject, count }));
}
