import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { keysBetween } from '../../../../engine/document/sibling-keys.ts';
import { normalizeSlug } from '../../../contract/slug.ts';
import { markOfRow, type NewRecord } from '../../core/changes/records.ts';
import { type Clock, nextTimestamp } from '../../core/clock.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Database } from '../../core/db/database.ts';
import { everywhere, limitsOf } from '../../core/db/limited.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { PosterOwner } from '../posters/service.ts';
import type { EndpointAddressTable, EndpointTable } from './table.ts';

/** A stored structure with the name and title of its space. */
export type StoredEndpoint = Selectable<EndpointTable> & { room_name: string | null; room_title: string | null };

/** The fields that determine a structure's position. */
export type Placed = Pick<StoredEndpoint, 'id' | 'slug' | 'parent_endpoint_id'>;

const endpointQuery = (db: Database, organizationId: number) =>
  db
    .selectFrom('endpoints')
    .selectAll('endpoints')
    // Users who see a structure see the name of its space, even if they can't open the space.
    .select([
      sql<string | null>`(select rooms.name from rooms where rooms.id = endpoints.room_id)`.as('room_name'),
      sql<string | null>`(select rooms.title from rooms where rooms.id = endpoints.room_id)`.as('room_title'),
    ])
    .where('endpoints.organization_id', '=', organizationId);

/** The structures that show a space. */
export const listEndpointsOf = (db: Database, organizationId: number, roomId: number): Promise<StoredEndpoint[]> =>
  endpointQuery(db, organizationId).where('endpoints.room_id', '=', roomId).orderBy('endpoints.id').execute();

/** Every structure of an organization; siblings are in order. */
export async function listEndpoints(db: Database, organizationId: number): Promise<StoredEndpoint[]> {
  return endpointQuery(db, organizationId).orderBy('endpoints.index').orderBy('endpoints.id').execute();
}

/** All structures of an organization for changes of the tree, and ids of those that the caller sees. */
export async function wholeTree(
  db: Database,
  organizationId: number,
): Promise<{ all: StoredEndpoint[]; own: StoredEndpoint[] }> {
  const own = await listEndpoints(db, organizationId);
  return { own, all: limitsOf(db) ? await listEndpoints(everywhere(db), organizationId) : own };
}

/** Slugs of parents, by id, that are not among some structures because the caller doesn't see them. */
export async function unseenParents(
  db: Database,
  rows: readonly Pick<StoredEndpoint, 'id' | 'parent_endpoint_id'>[],
): Promise<ReadonlyMap<number, string>> {
  if (!limitsOf(db)) return new Map();
  const seen = new Set(rows.map(({ id }) => id));
  const above = rows.flatMap(({ parent_endpoint_id: id }) => (id === null || seen.has(id) ? [] : [id]));
  const parents = everywhere(db)
    .selectFrom('endpoints')
    .select(['id', 'slug'])
    .where('id', 'in', [0, ...above]);
  return new Map((await parents.execute()).map(({ id, slug }) => [Number(id), slug]));
}

/** The fields of a structure by which lists are ordered and filtered. */
export type OutlinedEndpoint = Pick<
  StoredEndpoint,
  | 'id'
  | 'name'
  | 'slug'
  | 'parent_endpoint_id'
  | 'room_id'
  | 'shows'
  | 'is_visible'
  | 'is_protected'
  | 'is_timed'
  | 'show_countdown'
  | 'start_date'
  | 'start_time'
  | 'updated_at'
>;

/** The outline of an organization's structures; siblings are in order. */
export async function outlineEndpoints(db: Database, organizationId: number): Promise<OutlinedEndpoint[]> {
  return db
    .selectFrom('endpoints')
    .select(['id', 'name', 'slug', 'parent_endpoint_id', 'room_id', 'shows'])
    .select(['is_visible', 'is_protected', 'is_timed', 'show_countdown', 'start_date', 'start_time', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('index')
    .orderBy('id')
    .execute();
}

/** Structures by id. */
export async function findEndpoints(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredEndpoint>> {
  if (ids.length === 0) return new Map();
  const rows = await endpointQuery(db, organizationId).where('endpoints.id', 'in', ids).execute();
  return new Map(rows.map((row) => [Number(row.id), row]));
}

/** A structure with its parent and its children, siblings in order: everything that its path depends on. */
export async function listFamily(db: Database, organizationId: number, id: number): Promise<StoredEndpoint[]> {
  return endpointQuery(db, organizationId)
    .where((where) =>
      where.or([
        where('endpoints.id', '=', id),
        where('endpoints.parent_endpoint_id', '=', id),
        where('endpoints.id', '=', ({ selectFrom }) =>
          selectFrom('endpoints as own').select('own.parent_endpoint_id').where('own.id', '=', id),
        ),
      ]),
    )
    .orderBy('endpoints.index')
    .orderBy('endpoints.id')
    .execute();
}

const firstVisible = prepared((db, organizationId: number) =>
  db
    .selectFrom('endpoints')
    .select('slug')
    .where('organization_id', '=', organizationId)
    .where('parent_endpoint_id', 'is', null)
    .where('is_visible', '=', 1)
    .orderBy('index')
    .orderBy('id')
    .limit(1),
);

/** Slug of the structure on the home page: the first visible one; undefined if there is none. */
export const findHomeSlug = async (db: Database, organizationId: number): Promise<string | undefined> =>
  (await firstVisible(db, organizationId))[0]?.slug;

/** A sort key after the last child of a parent. @param all structures, siblings in order */
export const lastIndex = (
  all: readonly Pick<StoredEndpoint, 'parent_endpoint_id' | 'index'>[],
  parent: number | null,
): string => keysBetween(all.findLast((row) => row.parent_endpoint_id === parent)?.index ?? null, null, 1)[0]!;

export async function findEndpoint(
  db: Database,
  organizationId: number,
  id: number,
): Promise<StoredEndpoint | undefined> {
  return endpointQuery(db, organizationId).where('endpoints.id', '=', id).executeTakeFirst();
}
export async function countTokens(
  db: Database,
  endpoints: readonly Pick<StoredEndpoint, 'id'>[],
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const chunk of chunksOf(endpoints.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('access_tokens')
      .select(({ fn }) => ['endpoint_id', fn.countAll<number>().as('count')])
      .where('endpoint_id', 'in', chunk)
      .groupBy('endpoint_id')
      .execute();
    for (const { endpoint_id, count } of rows) counts.set(Number(endpoint_id), Number(count));
  }
  return counts;
}

const topBySlug = prepared((db, organizationId: number, slug: string) =>
  endpointQuery(db, organizationId)
    .where('endpoints.slug', '=', slug)
    .where('endpoints.parent_endpoint_id', 'is', null),
);

const belowBySlug = prepared((db, organizationId: number, parent: number, slug: string) =>
  endpointQuery(db, organizationId)
    .where('endpoints.slug', '=', slug)
    .where('endpoints.parent_endpoint_id', '=', parent),
);

/** The structure at a public path, with its parent. */
export async function findEndpointByPath(
  db: Database,
  organizationId: number,
  [first = '', second]: readonly string[],
): Promise<{ endpoint: StoredEndpoint; parent: StoredEndpoint | null } | undefined> {
  const [top] = await topBySlug(db, organizationId, first);
  if (!top || second === undefined) return top && { endpoint: top, parent: null };
  const [below] = await belowBySlug(db, organizationId, top.id, second);
  return below && { endpoint: below, parent: top };
}

export async function insertEndpoint(db: Database, values: Insertable<EndpointTable>): Promise<number> {
  const { id } = await db.insertInto('endpoints').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateEndpoint(db: Database, id: number, values: Updateable<EndpointTable>): Promise<void> {
  await db.updateTable('endpoints').set(values).where('id', '=', id).execute();
}

export async function deleteEndpoint(db: Database, id: number): Promise<void> {
  await db.deleteFrom('endpoints').where('id', '=', id).execute();
}

/** Position of a structure in the tree. */
export interface EndpointPlace {
  id: number;
  parent: number | null;
  index: string;
}

/** Moves structures in any order: swapped slugs don't collide. */
export async function placeEndpoints(db: Database, places: readonly EndpointPlace[]): Promise<void> {
  if (places.length === 0) return;
  const ids = places.map(({ id }) => id);
  const slugs = await db.selectFrom('endpoints').select(['id', 'slug']).where('id', 'in', ids).execute();
  const slugOf = new Map(slugs.map(({ id, slug }) => [id, slug]));
  // Slugs never contain spaces, so these are free.
  await db.updateTable('endpoints').set({ slug: sql<string>`' ' || id` }).where('id', 'in', ids).execute();
  for (const { id, parent, index } of places)
    await updateEndpoint(db, id, { parent_endpoint_id: parent, index, slug: slugOf.get(id)! });
}

/** Paths of structures by their ids, such as /museum/east-wing. @param above slugs of further parents */
export function pathsOf(all: readonly Placed[], above: ReadonlyMap<number, string> = new Map()): Map<number, string> {
  const slugs = new Map([...above, ...all.map(({ id, slug }) => [id, slug] as const)]);
  return new Map(
    all.map(({ id, slug, parent_endpoint_id: parent }) => [
      id,
      parent === null ? `/${slug}` : `/${slugs.get(parent)}/${slug}`,
    ]),
  );
}

/** Old addresses per query. */
const ID_BATCH = 500;

/**
 * Stores the addresses that structures had before a change of the tree, as redirects. An address that is in
 * use again no longer redirects.
 * @param before every structure of the organization before the change
 * @param after the same structures after the change
 * @returns the undo records
 */
export async function keepOldAddresses(
  limited: Database,
  { clock, organizationId }: { clock: Clock; organizationId: number },
  before: readonly Placed[],
  after: readonly Placed[],
): Promise<NewRecord[]> {
  // An address can have led to any structure.
  const db = everywhere(limited);
  const [was, is] = [pathsOf(before), pathsOf(after)];
  const moved = [...was].filter(([id, path]) => is.has(id) && is.get(id) !== path);
  if (moved.length === 0) return [];
  const gone: Selectable<EndpointAddressTable>[] = [];
  const made: typeof gone = [];
  const at = nextTimestamp(clock);
  const touched = [...moved.map(([, path]) => path), ...moved.map(([id]) => is.get(id)!)];
  for (let from = 0; from < touched.length; from += ID_BATCH)
    gone.push(
      ...(await db
        .deleteFrom('endpoint_addresses')
        .where('organization_id', '=', organizationId)
        .where('path', 'in', touched.slice(from, from + ID_BATCH))
        .returningAll()
        .execute()),
    );
  const taken = new Set(is.values());
  const rows = moved
    .filter(([, path]) => !taken.has(path))
    .map(([endpoint_id, path]) => ({
      organization_id: organizationId,
      endpoint_id,
      path,
      created_at: at,
      updated_at: at,
    }));
  for (let from = 0; from < rows.length; from += ID_BATCH)
    made.push(
      ...(await db
        .insertInto('endpoint_addresses')
        .values(rows.slice(from, from + ID_BATCH))
        .returningAll()
        .execute()),
    );
  const kind = 'endpoint_addresses';
  return [
    ...gone.map(
      (row) => ({ kind, action: 'delete', entity_id: row.id, name: row.path, content: { rows: [row] } }) as const,
    ),
    ...made.map(
      (row) => ({ kind, action: 'create', entity_id: row.id, name: row.path, mark: markOfRow(row) }) as const,
    ),
  ];
}

/** Previous addresses of a structure, newest first. */
export async function listOldAddresses(db: Database, endpointId: number): Promise<{ path: string; at: string }[]> {
  return db
    .selectFrom('endpoint_addresses')
    .select(['path', 'created_at as at'])
    .where('endpoint_id', '=', endpointId)
    .orderBy('id', 'desc')
    .execute();
}

/** Removes a previous address of a structure. @returns whether it existed */
export async function deleteOldAddress(db: Database, endpointId: number, path: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('endpoint_addresses')
    .where('endpoint_id', '=', endpointId)
    .where('path', '=', path)
    .returning('id')
    .execute();
  return gone.length > 0;
}

/** Previous addresses of an organization's structures, and the places of tours that they lead to. */
export const listMoved = (db: Database, organizationId: number) =>
  db
    .selectFrom('endpoint_addresses')
    .select(['path', 'endpoint_id', 'view_point_id'])
    .where('organization_id', '=', organizationId)
    .execute();

const addressQuery = prepared((db, organizationId: number, path: string) =>
  db
    .selectFrom('endpoint_addresses')
    .select(['endpoint_id', 'view_point_id'])
    .where('organization_id', '=', organizationId)
    .where('path', '=', path),
);

/** Where a previous address leads. */
interface Moved {
  /** Current path segments of the structure. */
  slugs: string[];
  /** Place of its tour; null for the start. */
  viewPointId: number | null;
}

/**
 * Finds the structure at a previous address.
 * @returns null if there is no such address
 */
export async function findMoved(db: Database, organizationId: number, slugs: readonly string[]): Promise<Moved | null> {
  // Invalid slugs match no row, and some databases reject certain values, such as NUL.
  if (slugs.some((slug) => slug === '' || normalizeSlug(slug) !== slug)) return null;
  const [row] = await addressQuery(db, organizationId, `/${slugs.join('/')}`);
  const endpoint = row && (await findEndpoint(db, organizationId, Number(row.endpoint_id)));
  if (!endpoint) return null;
  const viewPointId = row.view_point_id === null ? null : Number(row.view_point_id);
  if (endpoint.parent_endpoint_id === null) return { slugs: [endpoint.slug], viewPointId };
  const parent = await findEndpoint(db, organizationId, endpoint.parent_endpoint_id);
  return parent ? { slugs: [parent.slug, endpoint.slug], viewPointId } : null;
}

/**
 * Makes addresses lead to places of a structure's tour, wherever they led before.
 * @param addresses different paths that no structure has
 * @returns the undo records
 */
export async function leadToPlaces(
  db: Database,
  { clock, organizationId }: { clock: Clock; organizationId: number },
  endpointId: number,
  addresses: readonly { path: string; viewPointId: number }[],
): Promise<NewRecord[]> {
  const at = nextTimestamp(clock);
  const records: NewRecord[] = [];
  const kind = 'endpoint_addresses';
  for (const { path, viewPointId } of addresses) {
    const gone = await db
      .deleteFrom('endpoint_addresses')
      .where('organization_id', '=', organizationId)
      .where('path', '=', path)
      .returningAll()
      .execute();
    for (const old of gone)
      records.push({ kind, action: 'delete', entity_id: old.id, name: path, content: { rows: [old] } });
    const owned = { organization_id: organizationId, created_at: at, updated_at: at };
    const row = await db
      .insertInto('endpoint_addresses')
      .values({ ...owned, endpoint_id: endpointId, path, view_point_id: viewPointId })
      .returningAll()
      .executeTakeFirstOrThrow();
    records.push({ kind, action: 'create', entity_id: row.id, name: row.path, mark: markOfRow(row) });
  }
  return records;
}

/** The poster of a structure: its space's poster, unless it has its own image. */
export const STRUCTURE: PosterOwner = {
  subject: 'endpoint_id',
  entity: 'endpoint',
  find: findEndpoint,
  lock: findEndpoint,
};
