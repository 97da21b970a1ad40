import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { USER_ORDERS } from '../../../contract/calls/users.ts';
import {
  type Area,
  type entryPolicies,
  type Member,
  type Policies,
  policiesSchema,
  type User,
} from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { listInOrder } from '../../core/db/list-in-order.ts';
import type { Paging } from '../../core/db/paging.ts';
import type { CallContext, SignedIn } from '../../core/http/call-context.ts';
import { findOrganization } from '../organizations/queries.ts';
import { limitsFrom } from './limits.ts';
import type { UserTable } from './table.ts';

export type StoredUser = Selectable<UserTable>;

/** A user as shown in the settings. */
export const asMember = (row: StoredUser): Member => ({
  id: row.id,
  name: row.name,
  email: row.email,
  policies: policiesSchema.parse(JSON.parse(row.policies)),
  limits: limitsFrom(row.limits),
  is_active: row.is_active === 1,
  is_invited: row.password_hash === '',
  has_second_factor: row.has_second_factor === 1,
  last_seen_at: row.last_seen_at,
  updated_at: row.updated_at,
});

/**
 * An organization's users by name or in the given order, and the total count. Users who never signed in sort first by
 * last use.
 */
export const listUsers = (
  db: Database,
  organizationId: number,
  query: Paging & { search?: string; sort?: (typeof USER_ORDERS)[number] },
): Promise<{ rows: StoredUser[]; total: number }> =>
  listInOrder(db, 'users', organizationId, query, {
    orders: { email: sql.ref('email'), seen: sql`coalesce(last_seen_at, '')` },
    searched: ['name', 'email'],
  });

export async function findUser(db: Database, organizationId: number, id: number): Promise<StoredUser | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A user of any organization. */
export async function findUserById(db: Database, id: number): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The user with an email address, in any organization. */
export async function findUserByEmail(db: Database, email: string): Promise<StoredUser | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Like `findUser`, with the row locked until the transaction ends. */
export async function lockUser(db: Database, organizationId: number, id: number): Promise<StoredUser | undefined> {
  const query = db.selectFrom('users').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);
  return forUpdate(db, query).executeTakeFirst();
}

/** Whether another active user of the organization has certain rights. */
export async function hasOtherUser(
  db: Database,
  { organization_id: organizationId, id }: StoredUser,
  hasRights: (policies: Policies) => boolean,
): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select(['policies'])
    .where('organization_id', '=', organizationId)
    .where('id', '!=', id)
    .where('is_active', '=', 1)
    .where('password_hash', '!=', '')
    .execute();
  return rows.some(({ policies }) => hasRights(policiesSchema.parse(JSON.parse(policies))));
}

/** All users of an organization, in order of creation. */
export async function listAllUsers(db: Database, organizationId: number): Promise<StoredUser[]> {
  return db.selectFrom('users').selectAll().where('organization_id', '=', organizationId).orderBy('id').execute();
}

/** Restores a deleted user's row. */
export async function insertUserRow(db: Database, row: StoredUser): Promise<void> {
  await db.insertInto('users').values(row).execute();
}

/** A user's personal back-office preferences. */
const preferencesSchema = z.object({
  /** Whether the onboarding is hidden. */
  is_onboarding_dismissed: z.boolean().default(false),
  /** Dismissed problems, by kind: 32 bits of a hash each, in base64. */
  dismissed_problems: z.record(z.string(), z.string()).default({}),
});
type Preferences = z.output<typeof preferencesSchema>;

export async function readPreferences(db: Database, userId: number): Promise<Preferences> {
  const row = await db.selectFrom('users').select('preferences').where('id', '=', userId).executeTakeFirst();
  return preferencesSchema.parse(JSON.parse(row?.preferences ?? '{}'));
}

/** Changes preferences. They are private: the change log doesn't record them. */
export async function storePreferences(
  database: Database,
  userId: number,
  change: (before: Preferences) => Partial<Preferences>,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    await forUpdate(db, db.selectFrom('users').select('id').where('id', '=', userId)).execute();
    const before = await readPreferences(db, userId);
    const preferences = JSON.stringify({ ...before, ...change(before) });
    await db.updateTable('users').set({ preferences }).where('id', '=', userId).execute();
  });
}

/** A user as in API responses, with their organization. */
export async function readUser(
  context: Pick<CallContext, 'db' | 'shownSite'>,
  { userId, name, email, policies, limits, needsSecondFactor }: SignedIn,
  organizationId: number,
): Promise<User> {
  const organization = await findOrganization(context.db, organizationId);
  const { origin } = await context.shownSite(organizationId);
  return {
    id: userId,
    name,
    email,
    policies,
    limits,
    organization: { name: organization.name, origin, time_zone: organization.time_zone },
    ...(needsSecondFactor && { needs_second_factor: true as const }),
  };
}

/** The user's rights to the entries of an area. */
export function entryPoliciesOf({ user }: CallContext, area: Area): z.output<typeof entryPolicies> {
  const rights = user?.policies[area];
  return { update: rights?.update ?? false, delete: rights?.delete ?? false };
}
