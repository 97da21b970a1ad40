import { type NewEvent, recordEvent } from '../../core/audit/record-event.ts';
import { type Clock, nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { isSuspended, type OrganizationState } from '../../core/organization-state.ts';
import type { Services } from '../../core/services.ts';
import { LifeCycleError } from './life-cycle-error.ts';
import { type StoredOrganization, updateOrganization } from './queries.ts';

/** Where operations work. */
export type Shared = Pick<Services, 'db' | 'clock'>;

/** Limits of the period in days after which a deleted organization's data is deleted. */
const GRACE_DAYS = { least: 1, most: 3650 } as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_NAME_LENGTH = 255;

/** State of an organization in words. */
export const stateName = ({ suspended_at, delete_after }: OrganizationState): 'active' | 'suspended' | 'deleted' =>
  delete_after !== null ? 'deleted' : suspended_at !== null ? 'suspended' : 'active';

/** Writes an operator's action to the audit log of the organization. */
export async function recordOperation(
  { db, clock }: { db: Database; clock: Clock },
  organizationId: number,
  event: NewEvent,
): Promise<void> {
  const operator = { clock, organizationId, user: null, address: '', userAgent: '' };
  await recordEvent(db, operator, { ...event, details: { ...event.details, by: 'operator' } });
}

/**
 * Changes an organization in a transaction, with its row locked.
 * @param work returns the changed columns and the audit event
 * @throws LifeCycleError if it doesn't exist, or the change doesn't fit its state
 */
async function change(
  { db: database, clock }: Shared,
  id: number,
  work: (row: StoredOrganization, db: Database) => Promise<{ values: Partial<StoredOrganization>; event: NewEvent }>,
): Promise<StoredOrganization> {
  return database.transaction().execute(async (db) => {
    const row = await findToOperate(db, id);
    const { values, event } = await work(row, db);
    await updateOrganization(db, id, values);
    await recordOperation({ db, clock }, id, event);
    return { ...row, ...values };
  });
}

/** An organization, in a transaction with its row locked. @throws LifeCycleError if it doesn't exist */
export async function findToOperate(db: Database, id: number): Promise<StoredOrganization> {
  const query = db.selectFrom('organizations').selectAll().where('id', '=', id);
  const row = await (db.isTransaction ? forUpdate(db, query) : query).executeTakeFirst();
  if (!row) throw new LifeCycleError(`Organization ${id} not found.`, 'Run enfilade org list.');
  return row;
}

/** A valid name without surrounding spaces. @throws LifeCycleError */
export function nameOf(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH)
    throw new LifeCycleError(`The name must have 1 to ${MAX_NAME_LENGTH} characters.`, 'Use another name.');
  return name;
}

/** Renames an organization. @throws LifeCycleError */
export const renameOrganization = (at: Shared, id: number, text: string): Promise<StoredOrganization> =>
  change(at, id, async ({ name: before }) => {
    const name = nameOf(text);
    const event = { event: 'organization_renamed', subject: name, details: { before } } as const;
    return { values: { name, updated_at: nextTimestamp(at.clock) }, event };
  });

const deletedError = ({ id }: StoredOrganization) =>
  new LifeCycleError(`Organization ${id} has been deleted.`, `Run enfilade org restore ${id} to cancel the deletion.`);

/** Takes an organization out of operation; its data stays. @throws LifeCycleError */
export const suspendOrganization = (at: Shared, id: number): Promise<StoredOrganization> =>
  change(at, id, async (row) => {
    if (row.delete_after !== null) throw deletedError(row);
    if (isSuspended(row))
      throw new LifeCycleError(`Organization ${id} is suspended already.`, 'Resume it to put it back into operation.');
    const event = { event: 'organization_suspended', subject: row.name } as const;
    return { values: { suspended_at: timestampOf(at.clock.now()) }, event };
  });

/** Puts a suspended organization back into operation. @throws LifeCycleError */
export const resumeOrganization = (at: Shared, id: number): Promise<StoredOrganization> =>
  change(at, id, async (row) => {
    if (row.delete_after !== null) throw deletedError(row);
    if (!isSuspended(row)) throw new LifeCycleError(`Organization ${id} isn't suspended.`, 'Run enfilade org list.');
    return { values: { suspended_at: null }, event: { event: 'organization_resumed', subject: row.name } };
  });

/**
 * Checks that an organization may be deleted.
 * @throws LifeCycleError for the only organization, an invalid period, or one that has been deleted before
 */
export async function refuseDeletion(db: Database, row: StoredOrganization, days: number | null): Promise<void> {
  const { id } = row;
  if (days !== null && !(Number.isInteger(days) && days >= GRACE_DAYS.least && days <= GRACE_DAYS.most))
    throw new LifeCycleError(
      `Invalid period: ${days} days.`,
      `Use ${GRACE_DAYS.least} to ${GRACE_DAYS.most} days, or --now.`,
      { isMalformed: true },
    );
  if (row.delete_after !== null && days !== null) throw deletedError(row);
  const others = db.selectFrom('organizations').select('id').where('id', '!=', id).where('delete_after', 'is', null);
  if (!(await others.executeTakeFirst()))
    throw new LifeCycleError(`Organization ${id} is the only one.`, 'Create another one first, or remove the server.');
}

/**
 * Suspends an organization, and has its data deleted after a period.
 * @param days length of the period; null to delete its data now
 * @throws LifeCycleError as `refuseDeletion` does
 */
export const deleteOrganization = (at: Shared, id: number, days: number | null): Promise<StoredOrganization> =>
  change(at, id, async (row, db) => {
    await refuseDeletion(db, row, days);
    const delete_after = timestampOf(at.clock.now() + (days ?? 0) * DAY_MS);
    const event = { event: 'organization_deleted', subject: row.name, details: { delete_after } } as const;
    return { values: { delete_after }, event };
  });

/** Cancels the deletion of an organization. One that was suspended before stays so. @throws LifeCycleError */
export const restoreOrganization = (at: Shared, id: number): Promise<StoredOrganization> =>
  change(at, id, async (row) => {
    if (row.delete_after === null)
      throw new LifeCycleError(`Organization ${id} hasn't been deleted.`, 'Run enfilade org list.');
    if (row.delete_after <= timestampOf(at.clock.now()))
      throw new LifeCycleError(
        `The period of organization ${id} ended on ${row.delete_after}.`,
        'Its data is being deleted. Restore a backup to get it back.',
      );
    return { values: { delete_after: null }, event: { event: 'organization_restored', subject: row.name } };
  });
