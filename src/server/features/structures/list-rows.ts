import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { EndpointListRow } from '../../../contract/entities.ts';
import { lastEditors } from '../../core/changes/change-log.ts';
import { everywhere } from '../../core/db/limited.ts';
import { offsetOf, type PageMeta, pageMeta } from '../../core/db/paging.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import {
  findEndpoints,
  type OutlinedEndpoint,
  outlineEndpoints,
  type StoredEndpoint,
  unseenParents,
} from '../endpoints/queries.ts';
import { shownStates } from '../publications/published.ts';
import { asListRow, type TreeFacts } from './tree.ts';

type RowsQuery = z.output<typeof calls.endpoints.rows.query>;

/** An outlined structure with its place in the tree. */
interface Line extends OutlinedEndpoint {
  path: string;
  parent: Line | null;
  children: Line[];
}

/** The top-level lines of an outline. @param above slugs of parents that the caller doesn't see, by id */
function linesOf(outline: readonly OutlinedEndpoint[], above: ReadonlyMap<number, string>): Line[] {
  const below = Map.groupBy(outline, ({ parent_endpoint_id }) => parent_endpoint_id);
  const visit = (parent: Line | null, rows: readonly OutlinedEndpoint[], path: string): Line[] =>
    rows.map((row) => {
      const line: Line = { ...row, path: `${path}/${row.slug}`, parent, children: [] };
      line.children = visit(line, below.get(row.id) ?? [], line.path);
      return line;
    });
  const tops = visit(null, below.get(null) ?? [], '');
  return [...tops, ...[...above].flatMap(([id, slug]) => visit(null, below.get(id) ?? [], `/${slug}`))];
}

const flat = (lines: readonly Line[]): Line[] => lines.flatMap((line) => [line, ...flat(line.children)]);

/** Whether a structure's name or slug contains all words. */
function matcherOf(search: string): (line: Line) => boolean {
  const words = search.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
  return ({ name, slug }) => {
    const text = `${name} ${slug}`.normalize('NFC').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Whether a structure is in the state of the filter. */
async function stateOf(
  context: CallContext,
  lines: readonly Line[],
  state: RowsQuery['state'],
): Promise<(line: Line) => boolean> {
  switch (state) {
    case undefined:
      return () => true;
    case 'visible':
      return ({ is_visible }) => is_visible === 1;
    case 'hidden':
      return ({ is_visible }) => is_visible === 0;
    case 'protected':
      return ({ is_protected }) => is_protected === 1;
    case 'empty':
      return ({ room_id }) => room_id === null;
    case 'closed': {
      const shownBy = await shownStates(
        { ...context, db: everywhere(context.db) },
        lines as readonly (Line & Pick<StoredEndpoint, 'shows'>)[],
      );
      return (line) => line.room_id !== null && shownBy(line) === null;
    }
  }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sort key of a schedule: dates in order, then daily starts by time; null if the structure has none that applies. */
const scheduleOf = ({ is_timed, show_countdown, start_date, start_time }: Line): string | null =>
  start_time === null || (is_timed === 0 && show_countdown === 0) ? null : `${start_date ?? 'daily'} ${start_time}`;

/** Compares lines by their schedules. Those without one are last in both directions. */
function compareSchedules(one: Line, other: Line, sign: number): number {
  const [first, second] = [scheduleOf(one), scheduleOf(other)];
  if (first === null || second === null) return Number(first === null) - Number(second === null) || one.id - other.id;
  return sign * (Number(first > second) - Number(first < second) || one.id - other.id);
}

/** Compares lines by a sort order. */
function comparerOf(sort: Exclude<RowsQuery['sort'], 'tree'>): (one: Line, other: Line) => number {
  const sign = sort.startsWith('-') ? -1 : 1;
  if (sort.endsWith('schedule')) return (one, other) => compareSchedules(one, other, sign);
  const compare = (one: Line, other: Line): number => {
    if (sort.endsWith('updated'))
      return Number(one.updated_at > other.updated_at) - Number(one.updated_at < other.updated_at);
    return sort.endsWith('path') ? collator.compare(one.path, other.path) : collator.compare(one.name, other.name);
  };
  return (one, other) => sign * (compare(one, other) || one.id - other.id);
}

/** The lines of a list, in order. */
async function chosenLines(context: CallContext, tops: readonly Line[], query: RowsQuery): Promise<Line[]> {
  const { search, sort, state, parent_id, room_id, level } = query;
  const all = flat(tops);
  const hasState = await stateOf(context, all, state);
  const matches = matcherOf(search ?? '');
  const isWithin = (line: Line) =>
    hasState(line) &&
    (room_id === undefined || line.room_id === room_id) &&
    (parent_id === undefined || line.parent_endpoint_id === parent_id) &&
    (level === undefined || line.parent === null);
  const isWanted = (line: Line) => matches(line) && isWithin(line);
  const isNarrowed = Boolean(search) || state !== undefined || room_id !== undefined;
  if (sort !== 'tree') return all.filter(isWanted).sort(comparerOf(sort));
  if (parent_id !== undefined || level !== undefined) return all.filter(isWanted);
  if (!isNarrowed) return all;
  // A match brings its parent; a match by search brings its children, too.
  return tops.flatMap((top) => {
    const below = top.children.filter((line) => isWanted(line) || (search && matches(top) && isWithin(line)));
    return below.length > 0 || isWanted(top) ? [top, ...below] : [];
  });
}

/**
 * A page of the list of structures.
 * @param factsOf derives the fields that are not stored
 */
export async function listRows(
  context: CallContext,
  query: RowsQuery,
  factsOf: (rows: readonly StoredEndpoint[]) => Promise<TreeFacts>,
): Promise<{ data: EndpointListRow[]; meta: PageMeta }> {
  const { db, organizationId } = context;
  const outline = await outlineEndpoints(db, organizationId);
  const tops = linesOf(outline, await unseenParents(db, outline));
  const lines = await chosenLines(context, tops, query);
  const start = offsetOf(query);
  const page = lines.slice(start, start + query.per_page);
  const [first] = page;
  if (query.sort === 'tree' && query.parent_id === undefined && first?.parent) page.unshift(first.parent);
  const stored = await findEndpoints(
    db,
    organizationId,
    page.map(({ id }) => id),
  );
  const facts = await factsOf([...stored.values()]);
  const editors = await lastEditors(db, organizationId, 'endpoint', [...stored.keys()]);
  const data = page.flatMap(({ id, path, parent, children }) => {
    const row = stored.get(id);
    if (!row) return [];
    const place = { path, parent_name: parent?.name ?? null, children_count: children.length };
    return [asListRow(row, { ...place, edited_by: editors.get(id) ?? null }, facts)];
  });
  return { data, meta: pageMeta(lines.length, query) };
}
