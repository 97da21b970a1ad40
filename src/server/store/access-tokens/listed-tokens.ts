import { sql } from 'kysely';
import type { TOKEN_ORDERS } from '../../../contract/calls/access-tokens.ts';
import type { TOKEN_STATES } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import { orderOf } from '../../base/db/order-of.ts';
import { offsetOf, type Paging } from '../../base/db/paging.ts';
import { containsWords } from '../../base/db/search.ts';
import { findEndpoint } from '../endpoints/endpoints-repository.ts';
import { codeColumn, type StoredToken } from './access-tokens-repository.ts';

/** With what lists show of its structure. */
export type ListedToken = StoredToken & {
  endpoint_name: string;
  endpoint_slug: string;
  parent_slug: string | null;
};

const withEndpoint = (db: Database, organizationId: number) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('endpoints', 'endpoints.id', 'access_tokens.endpoint_id')
    .leftJoin('endpoints as parents', 'parents.id', 'endpoints.parent_endpoint_id')
    .selectAll('access_tokens')
    .select(['endpoints.name as endpoint_name', 'endpoints.slug as endpoint_slug', 'parents.slug as parent_slug'])
    .where('access_tokens.organization_id', '=', organizationId);

/** Which tokens a list is asked for. */
export interface TokenFilter {
  search?: string;
  before_id?: number;
  endpoint_id?: number;
  state?: (typeof TOKEN_STATES)[number];
  /** 1 for only those that were used, 0 for only the others. */
  used?: '0' | '1';
  sort?: (typeof TOKEN_ORDERS)[number];
}

/** The tokens that a list is asked for; the structure that it names must be one of the organization. */
function tokensFound(db: Database, organizationId: number, filter: TokenFilter, now: string) {
  const { search, before_id, endpoint_id, state, used } = filter;
  // The structure's own index has them in their order; the organization's would be searched through.
  let found =
    endpoint_id === undefined
      ? db.selectFrom('access_tokens').where('organization_id', '=', organizationId)
      : db.selectFrom('access_tokens').where('endpoint_id', '=', endpoint_id);
  if (before_id !== undefined) found = found.where('access_tokens.id', '<', before_id);
  if (used !== undefined) found = found.where('first_used_at', used === '1' ? 'is not' : 'is', null);
  // No reason to leave the index that has them in their order.
  if (state === 'expired') found = found.where(sql`coalesce(valid_till, '9999')`, '<=', now);
  else if (state)
    found = found
      .where('first_used_at', state === 'unused' ? 'is' : 'is not', null)
      .where((where) => where.or([where('valid_till', 'is', null), where('valid_till', '>', now)]));
  if (search)
    found = found.where((where) =>
      where.or([
        containsWords('access_tokens.token', search),
        where('endpoint_id', 'in', (query) =>
          query
            .selectFrom('endpoints')
            .select('endpoints.id')
            .where('endpoints.organization_id', '=', organizationId)
            .where(containsWords('endpoints.name', search)),
        ),
      ]),
    );
  return found;
}

type Found = ReturnType<typeof tokensFound>;

/** The part of a list that is asked for, and which way it goes. */
interface Part {
  limit: number;
  offset: number;
  direction: 'asc' | 'desc';
}

/** Ids of tokens by a moment that some of them do not have. @param without whether those come before or behind the others */
async function idsByMoment(
  found: Found,
  moment: 'first_used_at' | 'valid_till',
  without: 'first' | 'last',
  { limit, offset, direction }: Part,
): Promise<number[]> {
  // Two readings, each along its index: those without the moment are not in the one of the moments.
  const having = found.where(moment, 'is not', null);
  const lacking = found.where(moment, 'is', null);
  const byMoment = having.select('id').orderBy(moment, direction).orderBy('id', direction);
  const byId = lacking.select('id').orderBy('id', direction);
  const beginsLacking = (without === 'first') === (direction === 'asc');
  const [query, next] = beginsLacking ? [byId, byMoment] : [byMoment, byId];
  const rows = await query.limit(limit).offset(offset).execute();
  if (rows.length < limit) {
    const before = rows.length > 0 || offset === 0 ? offset : await countOf(beginsLacking ? lacking : having);
    rows.push(
      ...(await next
        .limit(limit - rows.length)
        .offset(Math.max(0, offset - before))
        .execute()),
    );
  }
  return rows.map(({ id }) => id);
}

async function countOf(found: Found): Promise<number> {
  const { count } = await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** Ids of a page of tokens in their order. */
async function idsInOrder(db: Database, found: Found, query: Paging & TokenFilter): Promise<number[]> {
  const { by, direction } = orderOf(query.sort ?? '-created');
  const part: Part = { limit: query.per_page, offset: offsetOf(query), direction };
  if (by === 'used') return idsByMoment(found, 'first_used_at', 'first', part);
  if (by === 'valid_till') return idsByMoment(found, 'valid_till', 'last', part);
  // Those of one structure, which has each token once: its index needs nothing more to have them in order.
  const ordered = found.select('id').orderBy(by === 'token' ? codeColumn(db) : 'id', direction);
  return (await ordered.limit(part.limit).offset(part.offset).execute()).map(({ id }) => id);
}

/**
 * Access tokens of an organization, newest first unless another order is asked for, and how many there are on all pages.
 * @param now stamp by which their state is told
 */
export async function listTokens(
  db: Database,
  organizationId: number,
  query: Paging & TokenFilter,
  now: string,
): Promise<{ rows: ListedToken[]; total: number }> {
  if (query.endpoint_id !== undefined && !(await findEndpoint(db, organizationId, query.endpoint_id)))
    return { rows: [], total: 0 };
  const found = tokensFound(db, organizationId, query, now);
  const total = await countOf(found);
  const ids = await idsInOrder(db, found, query);
  if (ids.length === 0) return { rows: [], total };
  const rows = await withEndpoint(db, organizationId).where('access_tokens.id', 'in', ids).execute();
  const places = new Map(ids.map((id, place) => [Number(id), place]));
  return { rows: rows.toSorted((a, b) => places.get(Number(a.id))! - places.get(Number(b.id))!), total };
}

export async function findToken(db: Database, organizationId: number, id: number): Promise<ListedToken | undefined> {
  return withEndpoint(db, organizationId).where('access_tokens.id', '=', id).executeTakeFirst();
}
