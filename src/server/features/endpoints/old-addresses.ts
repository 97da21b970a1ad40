import type { Selectable } from 'kysely';
import { normalizeSlug } from '../../../contract/slug.ts';
import { markOfRow, type NewRecord } from '../../core/changes/records.ts';
import { type Clock, nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { Placed } from './check-endpoint.ts';
import { findEndpoint } from './endpoints-repository.ts';
import type { EndpointAddressTable } from './table.ts';

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
