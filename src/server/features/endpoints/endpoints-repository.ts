import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { keysBetween } from '../../../../engine/document/sibling-keys.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { EndpointTable } from './table.ts';

/** A stored structure with what lists show of its space. */
export type StoredEndpoint = Selectable<EndpointTable> & { room_name: string | null; room_title: string | null };

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

/** How many access tokens each structure of an organization has. */
export async function countTokens(db: Database, organizationId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('endpoints')
    .select(({ selectFrom, fn }) => [
      'id',
      selectFrom('access_tokens')
        .select(fn.countAll<number>().as('count'))
        .whereRef('access_tokens.endpoint_id', '=', 'endpoints.id')
        .as('count'),
    ])
    .where('organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
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
