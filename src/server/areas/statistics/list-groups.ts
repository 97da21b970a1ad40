import type { StatisticsGroup, StatisticsRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { findElements } from '../../store/elements/elements-repository.ts';
import { listEndpoints } from '../../store/endpoints/endpoints-repository.ts';
import {
  type FigureRange,
  figuresApart,
  type GroupFigure,
  namesOfTokens,
  waysBetween,
} from '../../store/statistics/statistics-repository.ts';

/** Groups whose lines are about elements. */
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

/** Visits, visitors and time of each structure. */
async function listStructures(
  { db, organizationId }: SignedInContext,
  range: FigureRange,
  limit: number,
): Promise<StatisticsRow[]> {
  const figures = await figuresApart(db, range, {
    kinds: ['visit', 'visitor', 'time'],
    apart: ['endpoint_id', 'kind'],
    by: 'count',
    // Each structure has three lines.
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

/** The lines of figures about elements, with what these are called now. */
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
 * Figures of a range told apart by something, the largest first.
 * @throws ApiError forbidden where it names access tokens, and the caller may not see these
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
