import type { Selectable } from 'kysely';
import { CHANGED_ENTITIES, type ChangedEntity } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import { forUpdate } from '../../base/db/for-update.ts';
import { offsetOf, type Paging } from '../../base/db/paging.ts';
import { containsWords } from '../../base/db/search.ts';
import type { ChangeTable } from '../../base/db/tables.ts';

export type StoredChange = Selectable<ChangeTable>;
/** An entry as lists have it: without what brings things back, which can be large, and with its author's name. */
export type ListedChange = Omit<StoredChange, 'content' | 'author_name'> & { user_name: string | null };

/** Which entries a list is asked for. */
export interface ChangeFilter {
  /** Kinds of things whose changes the caller may see. */
  visible: readonly ChangedEntity[];
  search?: string;
  entity?: ChangedEntity;
  entity_id?: number;
  room_id?: number;
  user_id?: number;
  /** Only what can be brought back. */
  removed: boolean;
  /** Only what happened at this stamp or later. */
  since?: string;
}

/** Entries of an organization, newest first, and how many there are on all pages. */
export async function listChanges(
  db: Database,
  organizationId: number,
  query: Paging & ChangeFilter,
): Promise<{ rows: ListedChange[]; total: number }> {
  let found = db.selectFrom('changes').where('changes.organization_id', '=', organizationId);
  const { entity, entity_id, room_id, user_id, removed, search, visible, since } = query;
  if (visible.length < CHANGED_ENTITIES.length) found = found.where('entity', 'in', visible);
  if (entity) found = found.where('entity', '=', entity);
  if (entity_id !== undefined) found = found.where('entity_id', '=', entity_id);
  if (room_id !== undefined) found = found.where('room_id', '=', room_id);
  if (user_id !== undefined) found = found.where('user_id', '=', user_id);
  if (since !== undefined) found = found.where('at', '>=', since);
  if (removed) found = found.where('is_restorable', '=', 1);
  if (search) found = found.where(containsWords('changes.name', search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .leftJoin('users', 'users.id', 'changes.user_id')
    .select(['changes.id', 'changes.organization_id', 'changes.user_id', 'changes.at', 'changes.action'])
    .select(['changes.entity', 'changes.entity_id', 'changes.room_id', 'changes.name', 'changes.before'])
    .select(['changes.after', 'changes.is_restorable', 'changes.seq'])
    .select(({ fn }) => fn.coalesce('users.name', 'changes.author_name').as('user_name'))
    .orderBy('changes.id', 'desc')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

/** An entry, with what brings back what it removed. */
export async function findChange(db: Database, organizationId: number, id: number): Promise<StoredChange | undefined> {
  const query = db.selectFrom('changes').selectAll().where('organization_id', '=', organizationId);
  return query.where('id', '=', id).executeTakeFirst();
}

/** An entry, locked until the transaction ends. */
export async function lockChange(db: Database, organizationId: number, id: number): Promise<StoredChange | undefined> {
  const query = db.selectFrom('changes').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);
  return forUpdate(db, query).executeTakeFirst();
}

/** Notes that what an entry removed is there again. */
export async function spendChange(db: Database, id: number): Promise<void> {
  await db.updateTable('changes').set({ content: null, is_restorable: 0 }).where('id', '=', id).execute();
}

/**
 * Forgets what would bring removed things back.
 * @param entities kinds of things
 * @param ids entries; all where none are named
 * @returns what was forgotten
 */
export async function spendChanges(
  db: Database,
  organizationId: number,
  entities: readonly ChangedEntity[],
  ids: readonly number[] | undefined,
): Promise<{ entity: string; entity_id: number }[]> {
  let query = db
    .updateTable('changes')
    .set({ content: null, is_restorable: 0 })
    .where('organization_id', '=', organizationId)
    .where('is_restorable', '=', 1)
    .where('entity', 'in', entities);
  if (ids) query = query.where('id', 'in', ids);
  return query.returning(['entity', 'entity_id']).execute();
}

/** Notes that things of one kind are there again, whichever entries removed them. */
export async function spendChangesOf(
  db: Database,
  organizationId: number,
  entity: ChangedEntity,
  entityIds: readonly number[],
): Promise<void> {
  await db
    .updateTable('changes')
    .set({ content: null, is_restorable: 0 })
    .where('organization_id', '=', organizationId)
    .where('entity', '=', entity)
    .where('entity_id', 'in', entityIds)
    .where('is_restorable', '=', 1)
    .execute();
}
