import { type UserItem, userItem } from '../../../contract/calls/imports.ts';
import { email } from '../../../contract/calls/users.ts';
import { AREAS, type Policies, policiesSchema } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { findUserByEmail, listAllUsers, lockUser, type StoredUser } from '../users/queries.ts';
import { refuseAbove, refuseBeyond, refuseLast, refuseOwn, refuseOwnRemoval, requireRight } from '../users/rights.ts';
import { deleteUser, fieldsOfUser, insertUser, refuseTaken, storeUser, type UserFields } from '../users/write-users.ts';
import {
  type About,
  attempt,
  fieldsBetween,
  type Importing,
  type Items,
  note,
  once,
  refuseExisting,
} from './importing.ts';

/** No rights in any area. */
const noRights = (): Policies => policiesSchema.parse(Object.fromEntries(AREAS.map((area) => [area, {}])));

/** Reports a missing permission as a problem of its item, so that the import continues with the others. */
async function asProblem(check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'forbidden') throw new ApiError('invalid', error.msg);
    throw error;
  }
}

async function userAt({ db, context }: Importing, email: string): Promise<StoredUser | undefined> {
  const found = await findUserByEmail(db, email);
  return found && lockUser(db, context.organizationId, found.id);
}

async function addUser(importing: Importing, about: About, fields: UserFields): Promise<StoredUser> {
  const { db, context, job } = importing;
  await asProblem(() => refuseBeyond(context.user, fields.policies));
  await refuseTaken(db, about.key);
  const row = await insertUser(
    db,
    context,
    { ...fields, email: about.key },
    { action: 'import', key: about.key, facts: { import: job } },
  );
  note(importing, about, 'create', { id: row.id });
  return row;
}

async function changeUser(importing: Importing, about: About, row: StoredUser, fields: UserFields): Promise<void> {
  const { db, context, job } = importing;
  refuseExisting(importing, 'email');
  const had = fieldsOfUser(row);
  const names = fieldsBetween(had, fields).map((name) => (name === 'isActive' ? 'is_active' : name));
  if (names.length === 0) return note(importing, about, 'unchanged', { id: row.id });
  requireRight(context, 'settings', 'update');
  await asProblem(async () => {
    refuseOwn(context.user, row, fields);
    refuseAbove(context.user, row);
    refuseBeyond(context.user, fields.policies);
    await refuseLast(db, row, fields);
  });
  await storeUser(db, context, row, fields, { action: 'import', key: about.key, facts: { import: job } });
  note(importing, about, 'update', { id: row.id, fields: names });
}

/** Adds or updates one user. Returns an added user. */
async function importUser(importing: Importing, about: About, given: UserItem): Promise<StoredUser | undefined> {
  const row = await userAt(importing, given.email);
  const had = row && fieldsOfUser(row);
  const kept = importing.switches.mode === 'replace' ? undefined : had;
  const name = given.name ?? had?.name;
  if (name === undefined) throw new ApiError('invalid', { name: ['Enter a name.'] });
  const fields = {
    name,
    policies: policiesSchema.parse({ ...(kept?.policies ?? noRights()), ...given.policies }),
    // Files contain no limits.
    limits: had?.limits ?? null,
    isActive: given.is_active ?? kept?.isActive ?? true,
  };
  if (!row) return addUser(importing, about, fields);
  await changeUser(importing, about, row, fields);
  return undefined;
}

/** Removes a user, if the caller may remove them. */
export async function removeUser(importing: Importing, about: About, row: StoredUser): Promise<void> {
  const { db, context, job } = importing;
  await asProblem(async () => {
    refuseOwnRemoval(context.user, row);
    refuseAbove(context.user, row);
    await refuseLast(db, row, null);
  });
  await deleteUser(db, context, row, { import: job });
  note(importing, about, 'remove', { id: row.id });
}

async function removeOthers(importing: Importing, seen: ReadonlySet<string>): Promise<void> {
  const { db, context } = importing;
  requireRight(context, 'settings', 'delete');
  const rows = await listAllUsers(db, context.organizationId);
  for (const row of rows.filter(({ email }) => !seen.has(email))) {
    const about: About = { index: null, kind: 'users', key: row.email };
    await attempt(importing, about, () => removeUser(importing, about, row));
  }
}

/**
 * Adds and updates users by e-mail address; with `prune`, missing users are removed.
 * @returns added active users, to invite after the import
 */
export async function importUsers(importing: Importing, items: Items<Record<string, unknown>>): Promise<StoredUser[]> {
  const seen = new Set<string>();
  const invited: StoredUser[] = [];
  let index = -1;
  for await (const given of items) {
    const about: About = { index: ++index, kind: 'users', key: email.safeParse(given.email).data ?? '' };
    await attempt(importing, about, async () => {
      const item = userItem.parse(given);
      once(seen, item.email, 'email');
      const added = await importUser(importing, about, item);
      if (added?.is_active === 1) invited.push(added);
    });
  }
  if (importing.switches.prune) await removeOthers(importing, seen);
  return invited;
}
