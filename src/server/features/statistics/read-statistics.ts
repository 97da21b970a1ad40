import type { z } from 'zod';
import { isTimeZone } from '../../../../engine/document/time-zone.ts';
import type { calls } from '../../../contract/calls.ts';
import type { Statistics } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { findOrganization } from '../organizations/queries.ts';
import {
  countCheckIns,
  countFirstUses,
  countLive,
  type FigureRange,
  figuresByHour,
  type HourFigure,
} from './queries.ts';
import { hourOf, stepsOf } from './roll-up.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Default and maximum range in days: figures are retained for about as long. */
const DAYS = { usual: 7, most: 800, mostInHours: 31 };
/** Milliseconds after its last message for which a visit counts as live: messages are sent twice a minute. */
const LIVE = 75_000;

/** A range of whole hours. */
export interface WholeHours extends FigureRange {
  /** Instants in milliseconds. */
  from: number;
  till: number;
}

/**
 * Extends a range to whole hours, for the caller's organization.
 * @throws ApiError bad_request if it is too long, not_found if the structure doesn't exist
 */
export async function readRange(
  { db, clock, organizationId }: CallContext,
  given: { from?: string | undefined; till?: string | undefined; endpoint_id?: number | undefined },
): Promise<WholeHours> {
  // The current hour counts.
  const end = given.till === undefined ? clock.now() + 1 : Date.parse(given.till);
  const till = Math.ceil(end / HOUR_MS) * HOUR_MS;
  const begun = given.from === undefined ? till - DAYS.usual * DAY_MS : Date.parse(given.from);
  const from = Math.floor(begun / HOUR_MS) * HOUR_MS;
  if (from >= till) throw new ApiError('bad_request', { from: ['The start must be before the end.'] });
  if (till - from > DAYS.most * DAY_MS)
    throw new ApiError('bad_request', { from: [`Use a range of at most ${DAYS.most} days.`] });
  const { endpoint_id: endpointId } = given;
  if (endpointId !== undefined && !(await findEndpoint(db, organizationId, endpointId)))
    throw new ApiError('not_found');
  return { organizationId, endpointId, from, till, fromHour: hourOf(from), tillHour: hourOf(till) };
}

const NOTHING = { visits: 0, visitors: 0, seconds: 0 };
type Figures = typeof NOTHING;

function addTo(figures: Figures, { kind, count, amount }: HourFigure): void {
  if (kind === 'visit') figures.visits += count;
  else if (kind === 'time') figures.seconds += amount;
  else figures.visitors += count;
}

/** Visits, visitors and time by interval. */
export async function readStatistics(
  context: CallContext,
  query: z.output<typeof calls.statistics.read.query>,
): Promise<Statistics> {
  const { db, clock, organizationId, visitCounting } = context;
  const { interval, zone } = query;
  if (!isTimeZone(zone)) throw new ApiError('bad_request', { zone: ['Use a time zone such as Europe/Amsterdam.'] });
  const range = await readRange(context, query);
  if (interval === 'hour' && range.till - range.from > DAYS.mostInHours * DAY_MS)
    throw new ApiError('bad_request', { interval: [`Use hours for at most ${DAYS.mostInHours} days.`] });
  const points = stepsOf(range.from, range.till, interval, zone).map((at) => ({ at, ...NOTHING }));
  const totals = { ...NOTHING };
  let place = 0;
  for (const figure of await figuresByHour(db, range)) {
    const at = Date.parse(`${figure.hour}:00:00Z`);
    while (place + 1 < points.length && points[place + 1]!.at <= at) place++;
    addTo(points[place]!, figure);
    addTo(totals, figure);
  }
  const { has_statistics } = await findOrganization(db, organizationId);
  const stamps = { from: timestampOf(range.from), till: timestampOf(range.till) };
  return {
    ...stamps,
    interval,
    is_counting: has_statistics === 1,
    has_countries: visitCounting.hasCountries,
    live: await countLive(db, organizationId, timestampOf(clock.now() - LIVE), query.endpoint_id),
    first_uses: await countFirstUses(db, organizationId, stamps, query.endpoint_id),
    check_ins: await countCheckIns(db, organizationId, stamps, query.endpoint_id),
    totals,
    points: points.map((point) => ({ ...point, at: timestampOf(point.at) })),
  };
}
