import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../base/clock.ts';
import { deviceClassOf, isProgram } from '../../base/device-class.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findEndpoint, type StoredEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import { findOrganization } from '../../store/organizations/organizations-repository.ts';
import { findShownRoom } from '../../store/publications/published-rooms.ts';
import { shownStateOf } from '../../store/publications/shown-state.ts';
import type { EventKind, VisitEvent } from '../../store/statistics/event-kinds.ts';
import { shownElements } from '../../store/statistics/shown-elements.ts';
import { embargoOf } from '../../store/visits/embargo.ts';
import { previewCookie } from '../../store/visits/preview-links.ts';
import { findVisit } from '../../store/visits/visitor-sessions.ts';
import { tellWebhooks } from '../../store/webhooks/tell-webhooks.ts';
import { noteStructureVisit } from '../../store/webhooks/webhooks-repository.ts';

type Beacon = z.output<typeof calls.statistics.count.body>;

/** A visit that may be counted. */
interface Counted {
  endpoint: StoredEndpoint;
  /** Access token that opened it; null where none is asked for. */
  accessTokenId: number | null;
  /** Elements that it may name. */
  elements: ReadonlySet<number>;
}

/** The visit that a message tells of; null where the caller could not be there. */
async function findCounted(context: CallContext, endpointId: number): Promise<Counted | null> {
  const { db, clock, token, organizationId } = context;
  const endpoint = await findEndpoint(db, organizationId, endpointId);
  if (endpoint?.is_visible !== 1) return null;
  const { parent_endpoint_id: parentId } = endpoint;
  if (parentId !== null && (await findEndpoint(db, organizationId, parentId))?.is_visible !== 1) return null;
  // Who looks at a preview is no visitor.
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
  return room ? { endpoint, accessTokenId, elements: shownElements(room) } : null;
}

/** What a message brings besides the beginning of a visit. */
function* passingOf(beacon: Beacon, elements: ReadonlySet<number>): Generator<[EventKind, string, number, number]> {
  const seconds = Math.round(beacon.seconds);
  if (seconds > 0) yield ['time', '', 0, seconds];
  for (const [id, time] of beacon.seen)
    if (elements.has(id) && Math.round(time) > 0) yield ['element', '', id, Math.round(time)];
  for (const [id, time] of beacon.stood)
    if (elements.has(id) && Math.round(time) > 0) yield ['view_point', '', id, Math.round(time)];
  for (const [kind, id, times] of beacon.opened) if (id === 0 || elements.has(id)) yield ['opened', kind, id, times];
}

/** What the beginning of a visit brings. */
async function* beginningOf(
  context: CallContext,
  beacon: Beacon,
  visit: Counted,
): AsyncGenerator<[EventKind, string, number]> {
  const { db, organizationId, address, userAgent, visitCounting } = context;
  yield ['device', deviceClassOf(userAgent), 0];
  const country = visitCounting.countryOf(address);
  if (country) yield ['country', country, 0];
  if (beacon.site) yield ['site', beacon.site, 0];
  if (visit.accessTokenId !== null) yield ['token', '', visit.accessTokenId];
  const { from_id } = beacon;
  if (from_id !== null && from_id !== visit.endpoint.id && (await findEndpoint(db, organizationId, from_id)))
    yield ['way', '', from_id];
}

/** Milliseconds without a visit after which the next one is the first again. */
const QUIET = 30 * 60 * 1000;

/** Tells webhooks of the first visitor of a structure where nobody came for a while. */
async function tellOfVisit(
  { db: database, clock, organizationId }: CallContext,
  endpoint: StoredEndpoint,
): Promise<void> {
  const now = clock.now();
  const stamps = { at: timestampOf(now), quietSince: timestampOf(now - QUIET) };
  await database.transaction().execute(async (db) => {
    const about = { organization_id: organizationId, endpoint_id: endpoint.id, ...stamps };
    if (await noteStructureVisit(db, about))
      await tellWebhooks(db, { clock, organizationId }, 'structure.opened', {
        structure: { id: endpoint.id, name: endpoint.name },
      });
  });
}

/**
 * Counts what a page tells of a visit. What is not to be counted is left out without a word, so that nobody learns from the
 * answer what there is.
 * @throws ApiError too_many
 */
export async function countVisit(context: CallContext, beacon: Beacon): Promise<void> {
  const { db, organizationId, address, userAgent, visitCounting } = context;
  visitCounting.limit.take(address);
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
    await tellOfVisit(context, counted.endpoint);
    const visitor = await visitCounting.hashes.of({ organizationId, address, userAgent });
    events.push({ ...event('visit', '', 0, 1), visitor });
    for await (const [kind, subject, other] of beginningOf(context, beacon, counted))
      events.push(event(kind, subject, other, 1));
  }
  for (const [kind, subject, other, amount] of passingOf(beacon, counted.elements))
    events.push(event(kind, subject, other, amount));
  const poses =
    has_statistics_poses === 0 ? [] : beacon.poses.map(([x, y, z, heading]) => ({ ...whose, x, y, z, heading }));
  visitCounting.buffer.add(events, poses);
}
