import { AREAS, type Area, type Policies, RIGHTS, type Right } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedIn } from '../../core/http/call-context.ts';
import { findUser, hasOtherUser, type StoredUser } from './queries.ts';
import { fieldsOfUser, type UserFields } from './write-users.ts';

/**
 * Refuses what the caller may not do.
 * @throws ApiError forbidden
 */
export function requireRight({ user }: { user: SignedIn | null }, area: Area, right: Right): void {
  if (!user?.policies[area][right])
    throw new ApiError(
      'forbidden',
      `You don't have permission to do this: it needs the right ${right} for ${area.replace('_', ' ')}.`,
    );
}

/** Rights that one set has and another lacks, such as `rooms.update`. */
const beyond = (wanted: Policies, held: Policies): string[] =>
  AREAS.flatMap((area) =>
    RIGHTS.filter((right) => wanted[area][right] && !held[area][right]).map((right) => `${area}.${right}`),
  );

/**
 * Refuses to give rights that the giver lacks.
 * @throws ApiError forbidden, naming the rights
 */
export function refuseBeyond(giver: SignedIn, wanted: Policies, field = 'policies'): void {
  const missing = beyond(wanted, giver.policies);
  if (missing.length === 0) return;
  throw new ApiError('forbidden', {
    [field]: [`You can't give rights that you do not have: ${missing.join(', ')}. Take them off and save again.`],
  });
}

/**
 * Refuses to change or remove somebody who may do more than the caller: rights that one lacks are not one's to take.
 * @throws ApiError forbidden, naming the rights
 */
export function refuseAbove(caller: SignedIn, row: StoredUser): void {
  const more = beyond(fieldsOfUser(row).policies, caller.policies);
  if (more.length === 0) return;
  const rights = more.join(', ');
  throw new ApiError(
    'forbidden',
    `You can't change ${row.name}, who has rights that you don't: ${rights}. Ask somebody who has them.`,
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
 * Refuses what concerns how everybody of the organization signs in, if one of them has a right that the caller lacks.
 * @throws ApiError forbidden, naming the rights
 */
export async function refuseOverAnybody(db: Database, caller: SignedIn, organizationId: number): Promise<void> {
  const rows = await db.selectFrom('users').selectAll().where('organization_id', '=', organizationId).execute();
  for (const row of rows) refuseAbove(caller, row);
}

/**
 * Refuses what only a person may do: a key that makes keys or users would outlive its own removal.
 * @throws ApiError forbidden
 */
export function refuseKeys({ apiKey }: SignedIn): void {
  if (apiKey !== null)
    throw new ApiError('forbidden', "An API key can't do this. Sign in with an e-mail address instead.");
}

const sameRights = (one: Policies, other: Policies) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Refuses what nobody may do to themselves: an administrator who is tricked or mistaken cannot undo it.
 * @throws ApiError forbidden
 */
export function refuseOwn({ userId }: SignedIn, row: StoredUser, { policies, isActive }: UserFields): void {
  if (userId !== row.id) return;
  if (!sameRights(policies, fieldsOfUser(row).policies))
    throw new ApiError('forbidden', { policies: ["You can't change your own rights. Ask another administrator."] });
  if (!isActive)
    throw new ApiError('forbidden', { is_active: ["You can't lock yourself out. Ask another administrator."] });
}

/** @throws ApiError forbidden when it is the caller who would be removed */
export function refuseOwnRemoval({ userId }: SignedIn, row: StoredUser): void {
  if (userId === row.id) throw new ApiError('forbidden', "You can't remove yourself. Ask another administrator.");
}

/** What at least one user who can sign in must be able to do: without them nobody could ever be let in again. */
const KEEPERS: readonly { keeps(policies: Policies): boolean; refusal: string }[] = [
  {
    keeps: (policies) => AREAS.every((area) => RIGHTS.every((right) => policies[area][right])),
    refusal: 'This is the last user who has all rights. Give all rights to another one first.',
  },
  {
    keeps: ({ settings }) => settings.update,
    refusal: 'This is the last user who may change the settings. Give that right to another one first.',
  },
];

/**
 * Refuses to take all rights, or the settings, from the last user who has them.
 * @param fields what becomes of the user; null when they go
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
