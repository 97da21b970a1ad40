import { scopeOfAccess } from '../../../contract/call.ts';
import { AREAS, type Area, type Policies, RIGHTS, type Right, type Scope } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedIn } from '../../core/http/call-context.ts';
import { findUser, hasOtherUser, type StoredUser } from './queries.ts';
import { fieldsOfUser, type UserFields } from './write-users.ts';

/**
 * Rejects calls beyond the scopes of the caller's API key.
 * @throws ApiError forbidden
 */
export function requireScope({ scopes }: Pick<SignedIn, 'scopes'>, scope: Scope | null): void {
  if (scope && scopes?.includes(scope) === false)
    throw new ApiError('forbidden', `This API key doesn't have the scope “${scope}”.`);
}

/**
 * Rejects calls beyond the caller's rights, and the scopes of their API key.
 * @throws ApiError forbidden
 */
export function requireRight({ user }: { user: SignedIn | null }, area: Area, right: Right): void {
  if (!user?.policies[area][right])
    throw new ApiError(
      'forbidden',
      `You don't have permission to do this. It requires the right ${right} for ${area.replace('_', ' ')}.`,
    );
  requireScope(user, scopeOfAccess(`${area}.${right}`));
}

/** Rights in one set that are missing from another, such as `rooms.update`. */
const beyond = (wanted: Policies, held: Policies): string[] =>
  AREAS.flatMap((area) =>
    RIGHTS.filter((right) => wanted[area][right] && !held[area][right]).map((right) => `${area}.${right}`),
  );

/**
 * Rejects granting rights that the caller lacks.
 * @throws ApiError forbidden, naming the rights
 */
export function refuseBeyond(giver: SignedIn, wanted: Policies, field = 'policies'): void {
  const missing = beyond(wanted, giver.policies);
  if (missing.length === 0) return;
  throw new ApiError('forbidden', {
    [field]: [`You can't grant rights that you don't have: ${missing.join(', ')}. Remove them and save again.`],
  });
}

/**
 * Rejects changing or deleting a user with more rights than the caller.
 * @throws ApiError forbidden, naming the rights
 */
export function refuseAbove(caller: SignedIn, row: StoredUser): void {
  const more = beyond(fieldsOfUser(row).policies, caller.policies);
  if (more.length === 0) return;
  const rights = more.join(', ');
  throw new ApiError(
    'forbidden',
    `You can't change ${row.name}, who has rights that you don't: ${rights}. Ask a user who has them.`,
  );
}

/**
 * The same for a user by id, such as the owner of an API key.
 * @throws ApiError forbidden, naming the rights
 */
export async function refuseAboveId(
  db: Database,
  caller: SignedIn,
  organizationId: number,
  userId: number,
): Promise<void> {
  if (caller.userId === userId && caller.apiKey === null) return;
  const row = await findUser(db, organizationId, userId);
  if (row) refuseAbove(caller, row);
}

/**
 * Rejects changes of how the organization's users sign in, if one of them has a right that the caller lacks.
 * @throws ApiError forbidden, naming the rights
 */
export async function refuseOverAnybody(db: Database, caller: SignedIn, organizationId: number): Promise<void> {
  const rows = await db.selectFrom('users').selectAll().where('organization_id', '=', organizationId).execute();
  for (const row of rows) refuseAbove(caller, row);
}

/**
 * Rejects API keys where a person is required: a key that creates keys or users would survive its own deletion.
 * @throws ApiError forbidden
 */
export function refuseKeys({ apiKey }: SignedIn): void {
  if (apiKey !== null)
    throw new ApiError('forbidden', "API keys can't do this. Sign in with an e-mail address instead.");
}

const sameRights = (one: Policies, other: Policies) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Rejects changes that users must not make to themselves: an administrator could not undo a mistake.
 * @throws ApiError forbidden
 */
export function refuseOwn({ userId }: SignedIn, row: StoredUser, { policies, isActive }: UserFields): void {
  if (userId !== row.id) return;
  if (!sameRights(policies, fieldsOfUser(row).policies))
    throw new ApiError('forbidden', { policies: ["You can't change your own rights. Ask another administrator."] });
  if (!isActive)
    throw new ApiError('forbidden', {
      is_active: ["You can't deactivate your own account. Ask another administrator."],
    });
}

/** @throws ApiError forbidden if callers would delete themselves */
export function refuseOwnRemoval({ userId }: SignedIn, row: StoredUser): void {
  if (userId === row.id)
    throw new ApiError('forbidden', "You can't remove your own account. Ask another administrator.");
}

/** Rights that at least one active user must keep: otherwise no one could ever be let in again. */
const KEEPERS: readonly { keeps(policies: Policies): boolean; refusal: string }[] = [
  {
    keeps: (policies) => AREAS.every((area) => RIGHTS.every((right) => policies[area][right])),
    refusal: 'This is the last user with all rights. Grant all rights to another user first.',
  },
  {
    keeps: ({ settings }) => settings.update,
    refusal: 'This is the last user with the right to change the settings. Grant it to another user first.',
  },
];

/**
 * Rejects removing all rights, or the settings right, from the last user who has them.
 * @param fields the user's new fields; null if they are deleted
 * @throws ApiError forbidden
 */
export async function refuseLast(db: Database, row: StoredUser, fields: UserFields | null): Promise<void> {
  const had = fieldsOfUser(row);
  for (const { keeps, refusal } of KEEPERS) {
    const isKeeper = ({ isActive, policies }: UserFields) => isActive && keeps(policies);
    if (!isKeeper(had) || (fields && isKeeper(fields))) continue;
    if (!(await hasOtherUser(db, row, keeps))) throw new ApiError('forbidden', refusal);
  }
}
