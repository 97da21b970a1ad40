import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { keysBetween } from '../../../../engine/document/sibling-keys.ts';
import { normalizeSlug } from '../../../contract/slug.ts';
import { markOfRow, type NewRecord } from '../../core/changes/records.ts';
import { type Clock, nextTimestamp } from '../../core/clock.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { PosterOwner } from '../posters/service.ts';
import type { EndpointAddressTable, EndpointTable } from './table.ts';

/** A stored structure with what lists show of its space. */
export type StoredEndpoint = Selectable<EndpointTable> & { room_name: string | null; room_title: string | null };

/** The fields that decide where a structure can be placed. */
export type Placed = Pick<StoredEndpoint, 'id' | 'slug' | 'parent_endpoint_id'>;

const endpointQuery = (db: Database, organizationId: number) =>
  db
    .selectFrom('endpoints')
    .leftJoin('rooms', 'rooms.id', 'endpoints.room_id')
    .selectAll('endpoints')
    .select(['rooms.name as room_name', 'rooms.title as room_title'])
    .where('endpoints.organization_id', '=', organizationId);

/** Every structure of an organization; siblings stand in their order. */
export async function listEndpoints(db: Database, organizationId: number): Promise<StoredEndpoint[]> {
  return endpointQuery(db, organizationId).orderBy('endpoints.index').orderBy('endpoints.id').execute();
}

/** A structure with its parent and its children, siblings in order: all that its place in the tree depends on. */
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

/** Slug of the structure that the home page shows: the first visible one; undefined where there is none. */
export const findHomeSlug = async (db: Database, organizationId: number): Promise<string | undefined> =>
  (await firstVisible(db, organizationId))[0]?.slug;

/** The key behind all structures below a parent. @param all structures, siblings in their order */
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

/** The number of access tokens of each of these structures. */
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

/** The structure at a public address, with the one that it stands below. */
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

/** Place of a structure in the tree. */
export interface EndpointPlace {
  id: number;
  parent: number | null;
  index: string;
}

/** Puts structures into their places, in any order: slugs that trade places do not meet on the way. */
export async function placeEndpoints(db: Database, places: readonly EndpointPlace[]): Promise<void> {
  if (places.length === 0) return;
  const ids = places.map(({ id }) => id);
  const slugs = await db.selectFrom('endpoints').select(['id', 'slug']).where('id', 'in', ids).execute();
  const slugOf = new Map(slugs.map(({ id, slug }) => [id, slug]));
  // No slug has a space, so these are free.
  await db.updateTable('endpoints').set({ slug: sql<string>`' ' || id` }).where('id', 'in', ids).execute();
  for (const { id, parent, index } of places)
    await updateEndpoint(db, id, { parent_endpoint_id: parent, index, slug: slugOf.get(id)! });
}

/** Paths of structures by their ids, such as /museum/east-wing. */
function pathsOf(all: readonly Placed[]): Map<number, string> {
  const slugs = new Map(all.map(({ id, slug }) => [id, slug]));
  return new Map(
    all.map(({ id, slug, parent_endpoint_id: parent }) => [
      id,
      parent === null ? `/${slug}` : `/${slugs.get(parent)}/${slug}`,
    ]),
  );
}

/** Old addresses of a structure that are named by one query. */
const ID_BATCH = 500;

/**
 * Notes the addresses that structures had before a change of the tree: from then on they lead to where these are now. An
 * address that is in use again leads nowhere else.
 * @param before every structure of the organization as it was
 * @param after the same ones as they are
 * @returns what reverts it
 */
export async function keepOldAddresses(
  db: Database,
  { clock, organizationId }: { clock: Clock; organizationId: number },
  before: readonly Placed[],
  after: readonly Placed[],
): Promise<NewRecord[]> {
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

/** Addresses that a structure had, newest first. */
export async function listOldAddresses(db: Database, endpointId: number): Promise<{ path: string; at: string }[]> {
  return db
    .selectFrom('endpoint_addresses')
    .select(['path', 'created_at as at'])
    .where('endpoint_id', '=', endpointId)
    .orderBy('id', 'desc')
    .execute();
}

/** Forgets an address that a structure had. @returns whether it had it */
export async function deleteOldAddress(db: Database, endpointId: number, path: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('endpoint_addresses')
    .where('endpoint_id', '=', endpointId)
    .where('path', '=', path)
    .returning('id')
    .execute();
  return gone.length > 0;
}

const addressQuery = prepared((db, organizationId: number, path: string) =>
  db
    .selectFrom('endpoint_addresses')
    .select('endpoint_id')
    .where('organization_id', '=', organizationId)
    .where('path', '=', path),
);

/**
 * Where the structure is that had an address.
 * @returns parts of its address now; null where no structure had it
 */
export async function findMoved(
  db: Database,
  organizationId: number,
  slugs: readonly string[],
): Promise<string[] | null> {
  // What is no slug stands in no row; some of it, such as a NUL, not every database can even look for.
  if (slugs.some((slug) => slug === '' || normalizeSlug(slug) !== slug)) return null;
  const [row] = await addressQuery(db, organizationId, `/${slugs.join('/')}`);
  const endpoint = row && (await findEndpoint(db, organizationId, Number(row.endpoint_id)));
  if (!endpoint) return null;
  if (endpoint.parent_endpoint_id === null) return [endpoint.slug];
  const parent = await findEndpoint(db, organizationId, endpoint.parent_endpoint_id);
  return parent ? [parent.slug, endpoint.slug] : null;
}

/** Structures have the image of their space, unless one is chosen for them. */
export const STRUCTURE: PosterOwner = {
  subject: 'endpoint_id',
  entity: 'endpoint',
  find: findEndpoint,
  lock: findEndpoint,
};
