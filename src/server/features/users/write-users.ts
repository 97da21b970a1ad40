import { type MemberLimits, type Policies, policiesSchema } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type EventSource, recordEvent } from '../../core/audit/record-event.ts';
import { type NewChange, recordChange } from '../../core/changes/record-change.ts';
import { type Clock, nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { noteMails } from '../../core/limits/quotas.ts';
import { limitsFrom, refuseSettings } from './limits.ts';
import { forgetPasswordTokens } from './passwords.ts';
import { findUserByEmail, type StoredUser } from './queries.ts';
import { endSessionsOf } from './sessions.ts';
import { forgetSteps } from './sign-in-steps.ts';

/** Editable fields of a user. */
export interface UserFields {
  name: string;
  policies: Policies;
  limits: MemberLimits;
  isActive: boolean;
}

/** Fields of the change log entry. */
type Said = Pick<NewChange, 'action' | 'facts' | 'key'>;

/** Options for adding a user: whether they get a password link, unless they sign in with an identity provider. */
type ComingIn = Said & { isInvited?: boolean };

export const fieldsOfUser = ({ name, policies, limits, is_active }: StoredUser): UserFields => ({
  name,
  policies: policiesSchema.parse(JSON.parse(policies)),
  limits: limitsFrom(limits),
  isActive: is_active === 1,
});

const userColumnsOf = ({ name, policies, limits, isActive }: UserFields) => ({
  name,
  policies: JSON.stringify(policies),
  limits: limits && JSON.stringify(limits),
  is_active: Number(isActive),
});

/** A user's rights, as the audit log records them. */
const detailsOf = ({ policies, limits }: UserFields) => ({ rights: policies, ...(limits && { limits }) });

/** @throws ApiError invalid if a user of any organization has the email address */
export async function refuseTaken(db: Database, email: string): Promise<void> {
  if (await findUserByEmail(db, email))
    throw new ApiError('invalid', { email: ['A user with this e-mail address already exists. Use another one.'] });
}

/** Adds a user without a password, within a transaction. */
export async function insertUser(
  db: Database,
  context: EventSource,
  { email, ...fields }: UserFields & { email: string },
  { isInvited = true, ...said }: ComingIn,
): Promise<StoredUser> {
  refuseSettings(fields.policies, fields.limits);
  const at = nextTimestamp(context.clock);
  const owned = { organization_id: context.organizationId, created_at: at, updated_at: at };
  const row = await db
    .insertInto('users')
    .values({ ...userColumnsOf(fields), email, password_hash: '', last_seen_at: null, ...owned })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (isInvited) await noteMails(db, context.clock, context.organizationId);
  await recordChange(db, context, { ...said, entity: 'user', entity_id: row.id, name: row.name, after: row });
  await recordEvent(db, context, { event: 'user_invited', subject: email, details: detailsOf(fields) });
  return row;
}

/** Changes a user within a transaction. Users who may no longer sign in are signed out immediately. */
export async function storeUser(
  db: Database,
  context: EventSource,
  row: StoredUser,
  fields: UserFields,
  said: Said,
): Promise<void> {
  refuseSettings(fields.policies, fields.limits);
  const columns = userColumnsOf(fields);
  await db
    .updateTable('users')
    .set({ ...columns, updated_at: nextTimestamp(context.clock, row.updated_at) })
    .where('id', '=', row.id)
    .execute();
  if (!fields.isActive) {
    await endSessionsOf(db, row.id);
    await forgetPasswordTokens(db, row.id);
  }
  const about = { entity_id: row.id, name: columns.name, before: row, after: { ...row, ...columns } };
  await recordChange(db, context, { ...said, entity: 'user', ...about });
  if (columns.policies === row.policies && columns.limits === row.limits && columns.is_active === row.is_active) return;
  const details = { ...detailsOf(fields), may_sign_in: fields.isActive };
  await recordEvent(db, context, { event: 'user_changed', subject: row.email, details });
}

/** Deletes a user's API keys within a transaction; they stop working immediately. */
export async function removeKeysOf(db: Database, author: EventSource, userId: number): Promise<void> {
  const keys = await db.selectFrom('api_keys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
  for (const key of keys) {
    const about = { entity_id: key.id, name: key.name, before: key };
    await recordChange(db, author, { action: 'delete', entity: 'api_key', ...about });
    await recordEvent(db, author, { event: 'key_revoked', subject: key.name });
  }
  if (keys.length > 0) await db.deleteFrom('api_keys').where('user_id', '=', userId).execute();
}

/**
 * Deletes a user within a transaction: their sessions, links and API keys end immediately. Records of their actions
 * remain, with their name.
 */
export async function deleteUser(db: Database, context: EventSource, row: StoredUser, facts?: object): Promise<void> {
  await removeKeysOf(db, context, row.id);
  await endSessionsOf(db, row.id);
  await forgetPasswordTokens(db, row.id);
  for (const table of ['changes', 'imports', 'revisions', 'publications', 'room_commands'] as const)
    await db.updateTable(table).set({ author_name: row.name }).where('user_id', '=', row.id).execute();
  await db.deleteFrom('users').where('id', '=', row.id).execute();
  const about = { entity_id: row.id, name: row.name, before: row, ...(facts && { facts }) };
  await recordChange(db, context, { action: 'delete', entity: 'user', ...about });
  await recordEvent(db, context, { event: 'user_removed', subject: row.email });
}

/**
 * Replaces a user's password; ends password links and sign-ins in progress. @param password_hash result of
 * `hashPassword`
 */
export async function storePassword(db: Database, clock: Clock, row: StoredUser, password_hash: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash, updated_at: nextTimestamp(clock, row.updated_at) })
    .where('id', '=', row.id)
    .execute();
  await forgetPasswordTokens(db, row.id);
  await forgetSteps(db, row.id);
}

/**
 * Changes a user's email address within a transaction; ends links sent to the old one, and sign-ins in progress.
 * @throws ApiError invalid if a user has the address
 */
export async function storeEmail(db: Database, context: EventSource, row: StoredUser, email: string): Promise<void> {
  await refuseTaken(db, email);
  await db
    .updateTable('users')
    .set({ email, updated_at: nextTimestamp(context.clock, row.updated_at) })
    .where('id', '=', row.id)
    .execute();
  await forgetPasswordTokens(db, row.id);
  await forgetSteps(db, row.id);
  const about = { entity_id: row.id, name: row.name, before: row, after: { ...row, email } };
  // An email address determines who may sign in: only its owner changes it.
  await recordChange(db, context, { action: 'update', entity: 'user', ...about, row: null });
  await recordEvent(db, context, { event: 'email_changed', subject: email, details: { before: row.email } });
}
