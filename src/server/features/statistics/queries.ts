import { createHmac } from 'node:crypto';
import type { SelectQueryBuilder } from 'kysely';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { Tables } from '../../core/db/tables.ts';
import { addressSubject } from '../../core/limits/attempts.ts';
import { createToken } from '../../core/secrets/token.ts';
import type { CachedRoom } from '../rooms/room-cache.ts';

/** Kinds of visit events. */
export type EventKind =
  /** Start of a visit. */
  | 'visit'
  /** Continuation of a visit: seconds. */
  | 'time'
  /**
   * Properties of a visit's start: device class, country, embedding site, language of the room (`subject`), access token,
   * previous structure (`other_id`).
   */
  | 'device'
  | 'country'
  | 'site'
  | 'language'
  | 'token'
  | 'way'
  /** Seconds of an element on screen, or at a view point (`other_id`). */
  | 'element'
  | 'view_point'
  /** What was opened (`subject`), in which element (`other_id`), and how often. */
  | 'opened';

/**
 * Additional kinds of hourly figures: first-time visitors of the day to the structure, and those among them who had
 * visited no other structure of the organization either.
 */
export type VisitorKind = 'visitor' | 'first_visitor';

/** An event of a visit. */
export interface VisitEvent {
  organization_id: number;
  endpoint_id: number;
  kind: EventKind;
  visitor: string | null;
  visit: string | null;
  subject: string;
  other_id: number;
  amount: number;
}

/** Position of a visitor. */
export interface VisitPose {
  organization_id: number;
  endpoint_id: number;
  x: number;
  y: number;
  z: number;
  heading: number;
}

/** Name of embedding sites over the limit of distinct ones. */
export const OTHER_SITE = 'other';

type FigureKind = EventKind | VisitorKind;

/** A query range: hours from one up to but excluding another, for one structure or all. */
export interface FigureRange {
  organizationId: number;
  fromHour: string;
  tillHour: string;
  endpointId?: number | undefined;
}

function hoursOf(
  db: Database,
  { organizationId, fromHour, tillHour, endpointId }: FigureRange,
  kinds: readonly FigureKind[],
): SelectQueryBuilder<Tables, 'statistics_hours', object> {
  const found = db
    .selectFrom('statistics_hours')
    .where('organization_id', '=', organizationId)
    .where('kind', 'in', kinds)
    .where('hour', '>=', fromHour)
    .where('hour', '<', tillHour);
  return endpointId === undefined ? found : found.where('endpoint_id', '=', endpointId);
}

/** Figures of one hour and kind. */
export interface HourFigure {
  hour: string;
  kind: string;
  count: number;
  amount: number;
}

/** Visits, visitors and time by hour, in order. */
export async function figuresByHour(db: Database, range: FigureRange): Promise<HourFigure[]> {
  // A visitor of two structures counts once for the organization.
  const visitors = range.endpointId === undefined ? 'first_visitor' : 'visitor';
  const rows = await hoursOf(db, range, ['visit', 'time', visitors])
    .select(({ fn }) => ['hour', 'kind', fn.sum<number>('count').as('count'), fn.sum<number>('amount').as('amount')])
    .groupBy(['hour', 'kind'])
    .orderBy('hour')
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count), amount: Number(row.amount) }));
}

/** Figures of a group. */
export interface GroupFigure {
  kind: string;
  subject: string;
  other_id: number;
  endpoint_id: number;
  count: number;
  amount: number;
}

/**
 * Figures of some kinds, grouped by columns, largest first.
 * @param apart group columns; others are empty in the result
 * @param by sort column
 */
export async function figuresApart(
  db: Database,
  range: FigureRange,
  {
    kinds,
    apart,
    by,
    limit,
  }: {
    kinds: readonly FigureKind[];
    apart: readonly ('kind' | 'subject' | 'other_id' | 'endpoint_id')[];
    by: 'count' | 'amount';
    limit: number;
  },
): Promise<GroupFigure[]> {
  const rows = await hoursOf(db, range, kinds)
    .select([...apart])
    .select(({ fn }) => [fn.sum<number>('count').as('count'), fn.sum<number>('amount').as('amount')])
    .groupBy([...apart])
    .orderBy(by, 'desc')
    .orderBy(apart[0]!)
    .limit(limit)
    .execute();
  const nothing = { kind: '', subject: '', other_id: 0, endpoint_id: 0 };
  return rows.map((row) => ({ ...nothing, ...row, count: Number(row.count), amount: Number(row.amount) }));
}

/** Moves between structures in a range; those of one structure start or end there. */
export async function waysBetween(db: Database, range: FigureRange, limit: number): Promise<GroupFigure[]> {
  const { endpointId, ...all } = range;
  let found = hoursOf(db, all, ['way']);
  if (endpointId !== undefined)
    found = found.where((where) =>
      where.or([where('endpoint_id', '=', endpointId), where('other_id', '=', endpointId)]),
    );
  const rows = await found
    .select(({ fn }) => ['endpoint_id', 'other_id', fn.sum<number>('count').as('count')])
    .groupBy(['endpoint_id', 'other_id'])
    .orderBy('count', 'desc')
    .orderBy('endpoint_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, kind: 'way', subject: '', count: Number(row.count), amount: 0 }));
}

/** Number of live visits: those with a message since a time. @param since timestamp */
export async function countLive(
  db: Database,
  organizationId: number,
  since: string,
  endpointId: number | undefined,
): Promise<number> {
  let found = db
    .selectFrom('statistics_events')
    .where('organization_id', '=', organizationId)
    .where('at', '>=', since)
    .where('kind', 'in', ['visit', 'time']);
  if (endpointId !== undefined) found = found.where('endpoint_id', '=', endpointId);
  const { count } = await found
    .select(({ fn }) => fn.count<number>('visit').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Number of access tokens first used in a range of timestamps. */
export async function countFirstUses(
  db: Database,
  organizationId: number,
  { from, till }: { from: string; till: string },
  endpointId: number | undefined,
): Promise<number> {
  let found = db
    .selectFrom('access_tokens')
    .where('organization_id', '=', organizationId)
    .where('first_used_at', '>=', from)
    .where('first_used_at', '<', till);
  if (endpointId !== undefined) found = found.where('endpoint_id', '=', endpointId);
  const { count } = await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** Number of guests checked in within a range of timestamps. */
export async function countCheckIns(
  db: Database,
  organizationId: number,
  { from, till }: { from: string; till: string },
  endpointId: number | undefined,
): Promise<number> {
  const own = db.selectFrom('endpoints').select('endpoints.id').where('organization_id', '=', organizationId);
  const { count } = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('endpoint_id', 'in', endpointId === undefined ? own : own.where('endpoints.id', '=', endpointId))
    .where('checked_in_at', '>=', from)
    .where('checked_in_at', '<', till)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Access tokens by id, with their names. */
export async function namesOfTokens(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('access_tokens')
    .select(['id', 'token'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, token }) => [id, token]));
}

/** Positions per read. */
const POSE_BATCH = 1000;

/** A stored position of a visitor. */
interface StoredPose {
  at: string;
  x: number;
  y: number;
  z: number;
  heading: number;
}

/** Positions of a structure's visitors, in order of recording. */
export async function* posesOf(db: Database, organizationId: number, endpointId: number): AsyncGenerator<StoredPose[]> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom('statistics_poses')
      .select(['id', 'at', 'x', 'y', 'z', 'heading'])
      .where('organization_id', '=', organizationId)
      .where('endpoint_id', '=', endpointId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(POSE_BATCH)
      .execute();
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)!.id;
  }
}

/** An element in a shown room that may link to a structure or show a live stream. */
export interface LinkingElement {
  id: number;
  room_id: number;
  element: string;
  name: string;
  /** Its fields as JSON, including config. */
  body: string;
}

/** Visible elements of these rooms that may link to a structure or show a live stream, up to a limit. */
export async function linkingElements(
  db: Database,
  organizationId: number,
  roomIds: readonly number[],
  limit: number,
): Promise<LinkingElement[]> {
  if (roomIds.length === 0) return [];
  return db
    .selectFrom('elements')
    .select(['id', 'room_id', 'element', 'name', 'body'])
    .where('organization_id', '=', organizationId)
    .where('room_id', 'in', roomIds)
    .where('hidden', '=', 0)
    .where((where) =>
      where.or([
        where('element', '=', 'live_stream'),
        where('body', 'like', '%"type":"space"%'),
        where('body', 'like', '%"type":"slug"%'),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The UTC date of now. */
const dayOf = (clock: Clock): string => timestampOf(clock.now()).slice(0, 10);

/** Deletes the salts of earlier days, after which their visitors can't be identified. */
export async function forgetSalts(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('statistics_salts').where('day', '<', dayOf(clock)).execute();
}

/** Today's salt: if several servers create one, the first applies to all. */
async function saltOf(db: Database, clock: Clock, day: string): Promise<string> {
  await forgetSalts(db, clock);
  await db
    .insertInto('statistics_salts')
    .values({ day, salt: createToken() })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  const { salt } = await db
    .selectFrom('statistics_salts')
    .select('salt')
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return salt;
}

/** A visitor's request data. */
interface Visitor {
  organizationId: number;
  address: string;
  userAgent: string;
}

/**
 * Distinguishes the visitors of one day by a hash (HMAC-SHA-256, RFC 2104) of organization, network and user agent. The
 * key changes daily and is deleted, so visitors can't be linked across days.
 */
export class VisitorHashes {
  readonly #db: Database;
  readonly #clock: Clock;
  #known: { day: string; salt: Promise<string> } | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async of({ organizationId, address, userAgent }: Visitor): Promise<string> {
    const day = dayOf(this.#clock);
    if (this.#known?.day !== day) {
      const known = { day, salt: saltOf(this.#db, this.#clock, day) };
      this.#known = known;
      known.salt.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return createHmac('sha256', await this.#known.salt)
      .update(JSON.stringify([organizationId, addressSubject(address), userAgent]))
      .digest('base64url')
      .slice(0, 22);
  }
}

const known = new WeakMap<object, ReadonlySet<number>>();

/** Ids of the elements in the visitors' version of a room. Cached as long as its document is. */
export function shownElements({ document }: CachedRoom): ReadonlySet<number> {
  const ids = known.get(document) ?? new Set(document.elements.map(({ id }) => id));
  known.set(document, ids);
  return ids;
}

/**
 * Records the time of the latest visit to a structure.
 * @param quietSince stamp
 * @returns whether the structure had no visit since then; of several concurrent visits, one returns true
 */
export async function recordStructureVisit(
  db: Database,
  { quietSince, ...visit }: { organization_id: number; endpoint_id: number; at: string; quietSince: string },
): Promise<boolean> {
  const updateBefore = (before: string) =>
    db
      .updateTable('structure_visits')
      .set({ at: visit.at })
      .where('endpoint_id', '=', visit.endpoint_id)
      .where('at', '<', before)
      .executeTakeFirst();
  if ((await updateBefore(quietSince)).numUpdatedRows > 0n) return true;
  const added = await db
    .insertInto('structure_visits')
    .values(visit)
    .onConflict((conflict) => conflict.column('endpoint_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return true;
  await updateBefore(visit.at);
  return false;
}
