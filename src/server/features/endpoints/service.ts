import type { z } from 'zod';
import { hasOffset } from '../../../../engine/document/time-zone.ts';
import type { calls } from '../../../contract/calls.ts';
import { type ChangeAction, endpointInput } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type StartTime, startOffset } from '../../../contract/opening.ts';
import { normalizeSlug, RESERVED_SLUGS } from '../../../contract/slug.ts';
import { type Author, type NewChange, recordChange } from '../../core/changes/record-change.ts';
import { markOfRow, type NewRecord } from '../../core/changes/records.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { limitsOf } from '../../core/db/limited.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { findOrganization } from '../organizations/queries.ts';
import { findRoom } from '../rooms/queries.ts';
import {
  type EndpointPlace,
  insertEndpoint,
  lastIndex,
  type Placed,
  type StoredEndpoint,
  wholeTree,
} from './queries.ts';

function refuseField(field: string, text: string): never {
  throw new ApiError('invalid', { [field]: [text] });
}

/** Normalizes a slug; rejects text without any valid character. */
export const readSlug = (text: string): string =>
  normalizeSlug(text) || refuseField('slug', 'Enter a slug with letters from a to z or digits.');

/**
 * Rejects a slug that is used by a sibling or reserved. A structure keeps a path that was reserved later.
 * @param others every structure of the organization, this one as it was before
 */
export function checkSlug(others: readonly Placed[], { id, slug, parent_endpoint_id }: Placed): void {
  const isKept = others.some(
    (other) => other.id === id && other.slug === slug && other.parent_endpoint_id === parent_endpoint_id,
  );
  if (parent_endpoint_id === null && RESERVED_SLUGS.includes(slug) && !isKept)
    refuseField('slug', `The path /${slug} is reserved. Choose another slug.`);
  const twin = others.some(
    (other) => other.id !== id && other.slug === slug && other.parent_endpoint_id === parent_endpoint_id,
  );
  if (twin) refuseField('slug', 'Another structure on this level has this slug. Choose another one.');
}

/** Rejects a tree in which a slug is reserved or used by two siblings. @param before the tree as it was */
export function checkSlugs(all: readonly Placed[], before: readonly Placed[]): void {
  const known = new Map(before.map((endpoint) => [endpoint.id, endpoint]));
  for (const siblings of Map.groupBy(all, ({ parent_endpoint_id }) => parent_endpoint_id).values()) {
    const taken = new Map<string, Placed>();
    for (const endpoint of siblings) {
      const twin = taken.get(endpoint.slug);
      checkSlug(
        [twin, known.get(endpoint.id)].filter((other) => other !== undefined),
        endpoint,
      );
      taken.set(endpoint.slug, endpoint);
    }
  }
}

/**
 * Rejects a missing parent, and one that would create a third level.
 * @param all every structure of the organization
 * @param id the moved structure; undefined for a new one
 */
export function checkParentEndpoint(all: readonly Placed[], parent: number | null, id?: number): void {
  if (parent === null) return;
  const found = all.find((endpoint) => endpoint.id === parent);
  if (!found) refuseField('parent_endpoint_id', 'Structure not found.');
  if (found.id === id) refuseField('parent_endpoint_id', "A structure can't be its own parent.");
  if (
    found.parent_endpoint_id !== null ||
    all.some((endpoint) => endpoint.parent_endpoint_id === id && id !== undefined)
  )
    refuseField('parent_endpoint_id', 'Structures can have at most two levels.');
}

/** Rejects a structure at the top level from users who are limited to some structures. @throws ApiError invalid */
export function refuseTopLevel(db: Database, parent: number | null, field = 'parent_endpoint_id'): void {
  if (parent === null && limitsOf(db)) refuseField(field, 'Choose one of your structures as its parent.');
}

/** Rejects a space that is not in the organization. */
export async function checkRoom(db: Database, organizationId: number, roomId: number | null): Promise<void> {
  const room = roomId === null ? null : await findRoom(db, organizationId, roomId);
  if (room?.branch_of != null)
    refuseField('room_id', 'This is the content of a proposal. Merge the proposal, or choose a space.');
  if (room === undefined) refuseField('room_id', 'Space not found; it may have been deleted. Choose another one.');
}

/** Placeholder id of a new structure. */
const NEW_ID = 0;

/** Additions in the same transaction as a structure. */
interface AddedTogether {
  /** Adds the structure's space. @returns its id */
  room?(db: Database): Promise<number>;
  /** Adds data that belongs to the structure. @returns its fields for the change log */
  belongings?(db: Database, id: number): Promise<object>;
}

type NewEndpoint = Omit<z.output<typeof calls.endpoints.create.body>, 'new_room_title' | 'new_room_template_id'>;

/**
 * Adds a structure as the last child of its parent. The slug defaults to the name.
 * @returns its id
 * @throws ApiError with the invalid fields
 */
export async function createEndpoint(
  author: Author & { db: Database },
  input: NewEndpoint,
  { room, belongings = async () => ({}) }: AddedTogether = {},
): Promise<number> {
  const { organizationId, clock } = author;
  const given = endpointInput.parse({ ...input, slug: input.slug ?? '' });
  if (given.room_id === null && !room) throw new ApiError('invalid', { room_id: ['Select a space.'] });
  const slug = readSlug(given.slug || given.name);
  const parent = given.parent_endpoint_id;
  return withinQuotas(author, ['spaces', 'structures', 'tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    const fields = room ? { ...given, room_id: await room(db) } : given;
    const { all, own } = await wholeTree(db, organizationId);
    refuseTopLevel(db, parent);
    checkParentEndpoint(own, parent);
    checkSlug(all, { id: NEW_ID, slug, parent_endpoint_id: parent });
    await checkRoom(db, organizationId, fields.room_id);
    const now = nextTimestamp(clock);
    const { time_zone } = await findOrganization(db, organizationId);
    const columns = {
      ...fields,
      slug,
      index: lastIndex(all, parent),
      is_visible: Number(fields.is_visible),
      is_timed: Number(fields.is_timed),
      show_countdown: Number(fields.show_countdown),
      is_protected: Number(fields.is_protected),
      ...startClock(null, input, { standard: time_zone, now: clock.now() / 1000 }),
    };
    const owned = { organization_id: organizationId, created_at: now, updated_at: now };
    const id = await insertEndpoint(db, { ...columns, ...owned });
    const facts = await belongings(db, id);
    const about = { entity_id: id, room_id: fields.room_id, name: fields.name };
    await recordChange(db, author, { action: 'create', entity: 'endpoint', ...about, after: columns, facts });
    return id;
  });
}

/** The columns of a structure, without joined columns of its space. */
function ownColumns({ room_name, room_title, ...columns }: StoredEndpoint & { below?: string[] }) {
  return columns;
}

/**
 * Records a change of a structure.
 * @param more additional fields, and records for restoring it
 */
export async function recordEndpoint(
  db: Database,
  author: Author,
  action: ChangeAction,
  before: StoredEndpoint & { below?: string[] },
  after?: StoredEndpoint,
  more: Pick<NewChange, 'records' | 'isRestorable'> & { facts?: object | undefined } = {},
): Promise<void> {
  const { id, room_id, name } = after ?? before;
  const { below: _below, ...row } = ownColumns(before);
  const rows = { row, before: ownColumns(before), after: after && ownColumns(after) };
  await recordChange(db, author, { action, entity: 'endpoint', entity_id: id, room_id, name, ...rows, ...more });
}

/** Positions among siblings, from 0. @param list ids and parents, siblings in order */
function ranksOf(list: readonly (readonly [id: number, parent: number | null])[]): Map<number, number> {
  const counts = new Map<number | null, number>();
  return new Map(
    list.map(([id, parent]) => {
      const rank = counts.get(parent) ?? 0;
      counts.set(parent, rank + 1);
      return [id, rank];
    }),
  );
}

/**
 * Records a reordering of the tree: the moved structures with their positions.
 * @param addresses records that revert changes of old addresses
 */
export async function recordOrder(
  db: Database,
  author: Author,
  {
    all,
    places,
    addresses,
  }: { all: readonly StoredEndpoint[]; places: readonly EndpointPlace[]; addresses: readonly NewRecord[] },
): Promise<void> {
  const [ranks, newRanks] = [
    ranksOf(all.map(({ id, parent_endpoint_id }) => [id, parent_endpoint_id])),
    ranksOf(places.map(({ id, parent }) => [id, parent])),
  ];
  const was = new Map(all.map((row) => [row.id, row]));
  const moved = places.flatMap(({ id, parent }) => {
    const row = was.get(id);
    const [before, rank] = [ranks.get(id), newRanks.get(id)];
    return row && (row.parent_endpoint_id !== parent || before !== rank) ? [{ id, parent, before, rank, row }] : [];
  });
  const [first] = moved;
  if (!first) return;
  const placed = places.flatMap(({ id, parent: parent_endpoint_id, index }): NewRecord[] => {
    const row = was.get(id);
    if (!row || (row.parent_endpoint_id === parent_endpoint_id && row.index === index)) return [];
    const mark = markOfRow(ownColumns({ ...row, parent_endpoint_id, index }));
    const rows = [{ parent_endpoint_id: row.parent_endpoint_id, index: row.index }];
    return [{ kind: 'endpoints', action: 'update', entity_id: id, name: row.name, mark, content: { rows } }];
  });
  const before = moved.map(({ before: order_rank, row: { slug, parent_endpoint_id } }) => [
    slug,
    { parent_endpoint_id, order_rank },
  ]);
  const after = moved.map(({ parent, rank, row }) => [row.slug, { parent_endpoint_id: parent, order_rank: rank }]);
  await recordChange(db, author, {
    action: 'update',
    entity: 'endpoint',
    entity_id: first.id,
    name: 'Order of structures',
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
    records: [...addresses, ...placed],
  });
}

/** The stored reference of a start time: a zone without an offset, or a fixed offset. */
type StartClock = Pick<StartTime, 'time_zone' | 'start_time_utc_offset'> & {
  /** Null without a start time; otherwise as written. */
  start_date?: null;
};

/** Fields of a write; absent fields stay unchanged. */
type WrittenStart = { [K in 'start_time' | 'time_zone' | 'start_time_utc_offset']?: StartTime[K] | undefined };

/**
 * The zone or offset of a start time after a write. A zone takes precedence over an offset. An offset alone keeps the zone
 * if it is one of the zone's, and otherwise replaces it.
 * @param before stored value; null for a new structure
 * @param standard default zone of times without zone and offset; null for UTC
 * @param now seconds since 1970
 */
export function startClock(
  before: Omit<StartTime, 'is_timed'> | null,
  { start_time = before?.start_time ?? null, time_zone, start_time_utc_offset: offset }: WrittenStart,
  { standard, now }: { standard: string | null; now: number },
): StartClock {
  const fixed = (start_time_utc_offset: number | null): StartClock => ({ time_zone: null, start_time_utc_offset });
  const inZone = (zone: string): StartClock => ({ time_zone: zone, start_time_utc_offset: null });
  if (start_time === null) return { ...fixed(null), start_date: null };
  if (time_zone) return inZone(time_zone);
  const zone = before?.time_zone ?? null;
  if (time_zone === null) return fixed(offset === undefined && before ? startOffset(before, now) : (offset ?? null));
  if (zone !== null) return offset == null || hasOffset(zone, offset, now) ? inZone(zone) : fixed(offset);
  if (offset !== undefined) return fixed(offset);
  if (before?.start_time != null) return fixed(before.start_time_utc_offset);
  return standard === null ? fixed(null) : inZone(standard);
}
