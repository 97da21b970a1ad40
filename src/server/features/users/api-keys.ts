import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { API_KEY_ORDERS } from '../../../contract/calls/api-keys.ts';
import { AREAS, type Policies, policiesSchema, RIGHTS, type Scope } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { orderByName } from '../../core/db/order-by-name.ts';
import { type Ascending, orderOf } from '../../core/db/order-of.ts';
import { offsetOf, type Paging } from '../../core/db/paging.ts';
import { prepared } from '../../core/db/prepared.ts';
import { containsWords } from '../../core/db/search.ts';
import type { SignedIn } from '../../core/http/call-context.ts';
import { refuseSuspended } from '../../core/organization-state.ts';
import { hashToken } from '../../core/secrets/token.ts';
import { limitsFrom } from './limits.ts';
import type { ApiKeyTable } from './table.ts';

/** A signed-in caller, with a new token if one was due. */
export interface Session {
  user: SignedIn;
  organizationId: number;
  renewed: string | null;
  /** Timestamp until which the session stays valid and unchanged: then its token must be renewed, or it ends. */
  till: string;
}

type StoredKey = Selectable<ApiKeyTable>;
/** With the name of its creator. */
export type ListedKey = StoredKey & { user_name: string };

const keysIn = (db: Database, organizationId: number) =>
  db.selectFrom('api_keys').where('api_keys.organization_id', '=', organizationId);

const withUser = (found: ReturnType<typeof keysIn>) =>
  found.innerJoin('users', 'users.id', 'api_keys.user_id').selectAll('api_keys').select('users.name as user_name');

type KeyOrder = (typeof API_KEY_ORDERS)[number];

/** Sort columns; keys without an expiry sort last. */
const columnsOf = (db: Database): Record<Exclude<Ascending<KeyOrder>, 'created'>, RawBuilder<unknown>> => ({
  name: orderByName(db, 'api_keys.name'),
  used: sql`coalesce(api_keys.last_used_at, '')`,
  expires: sql`coalesce(api_keys.expires_at, '9999')`,
});

/** An organization's API keys, newest first or in the given order, and the total count. */
export async function listKeys(
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: KeyOrder },
): Promise<{ rows: ListedKey[]; total: number }> {
  let found = keysIn(db, organizationId);
  if (query.search) found = found.where(containsWords('api_keys.name', query.search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const { by, direction } = orderOf(query.sort ?? '-created');
  const page = withUser(found);
  const rows = await (by === 'created' ? page : page.orderBy(columnsOf(db)[by], direction))
    .orderBy('api_keys.id', direction)
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

export async function insertKey(db: Database, values: Insertable<ApiKeyTable>): Promise<ListedKey> {
  const { id } = await db.insertInto('api_keys').values(values).returning('id').executeTakeFirstOrThrow();
  return withUser(keysIn(db, values.organization_id)).where('api_keys.id', '=', id).executeTakeFirstOrThrow();
}

/** Deletes a key. @returns the deleted row */
export async function deleteKey(db: Database, organizationId: number, id: number): Promise<StoredKey | undefined> {
  return db
    .deleteFrom('api_keys')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Expiry timestamp of sign-ins that never expire: the latest that sorts chronologically. */
const NEVER = '9999-12-31T23:59:59.999Z';
/** Family prefix of API keys; sign-ins of people have a random one. */
const FAMILY = 'key:';

const keyQuery = (db: Database, now: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['organizations.suspended_at', 'organizations.delete_after'])
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.policies as key_policies', 'api_keys.expires_at'])
    .select(['api_keys.name as key_name', 'api_keys.scopes', 'api_keys.last_used_at'])
    .select(['users.organization_id', 'users.name', 'users.email', 'users.policies', 'users.limits'])
    .where((where) => where.or([where('api_keys.expires_at', 'is', null), where('api_keys.expires_at', '>', now)]))
    .where('users.is_active', '=', 1);

const byHash = prepared((db, hash: string, now: string) => keyQuery(db, now).where('api_keys.key_hash', '=', hash));

type KeyRow = NonNullable<Awaited<ReturnType<ReturnType<typeof keyQuery>['executeTakeFirst']>>>;

/** The rights that both have. */
function commonRights(one: Policies, other: Policies): Policies {
  const areas = AREAS.map((area) => [
    area,
    Object.fromEntries(RIGHTS.map((right) => [right, one[area][right] && other[area][right]])),
  ]);
  return Object.fromEntries(areas) as Policies;
}

/** @throws ApiError suspended */
function asSession(row: KeyRow): Session {
  refuseSuspended(row);
  return {
    organizationId: row.organization_id,
    renewed: null,
    till: row.expires_at ?? NEVER,
    user: {
      session: `${FAMILY}${row.id}`,
      apiKey: row.key_name,
      scopes: JSON.parse(row.scopes) as Scope[],
      method: '',
      needsSecondFactor: false,
      userId: row.user_id,
      name: row.name,
      email: row.email,
      limits: limitsFrom(row.limits),
      policies: commonRights(
        policiesSchema.parse(JSON.parse(row.key_policies)),
        policiesSchema.parse(JSON.parse(row.policies)),
      ),
    },
  };
}

/** Records the hour of a key's last use, once an hour, so that reads don't cause writes. */
async function noteUse(db: Database, { id, last_used_at }: KeyRow, now: number): Promise<void> {
  const hour = `${timestampOf(now).slice(0, 13)}:00:00.000Z`;
  if (last_used_at !== hour)
    await db.updateTable('api_keys').set({ last_used_at: hour }).where('id', '=', id).execute();
}

/** The session of an API key; null if there is no such key, it has expired, or its user may no longer sign in. */
export async function findApiKey(db: Database, clock: Clock, key: string): Promise<Session | null> {
  const now = clock.now();
  const [row] = await byHash(db, hashToken(key), timestampOf(now));
  if (!row) return null;
  const session = asSession(row);
  await noteUse(db, row, now);
  return session;
}

/** The API key of a sign-in family, for work in its name without the key; null if it belongs to no key. */
export async function findKeySignIn(db: Database, clock: Clock, family: string): Promise<Session | null> {
  if (!family.startsWith(FAMILY)) return null;
  const id = Number(family.slice(FAMILY.length));
  const row = await keyQuery(db, timestampOf(clock.now())).where('api_keys.id', '=', id).executeTakeFirst();
  return row ? asSession(row) : null;
}
