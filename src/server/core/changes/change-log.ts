import type { Selectable } from 'kysely';
import { type Author, CHANGED_ENTITIES, type ChangedEntity } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../clock.ts';
import { chunksOf } from '../db/chunks-of.ts';
import type { Database } from '../db/database.ts';
import { forUpdate } from '../db/for-update.ts';
import { offsetOf, type Paging } from '../db/paging.ts';
import { containsWords } from '../db/search.ts';
import type { ChangeTable } from '../db/tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Retention of entries in milliseconds. */
const ENTRIES_MS = 365 * DAY_MS;
/** Milliseconds during which changes can be reverted. */
export const RESTORABLE_FOR = 30 * DAY_MS;

export type StoredChange = Selectable<ChangeTable>;
/** A list entry with its author's name. */
export type ListedChange = Omit<StoredChange, 'batch' | 'author_name'> & { user_name: string | null };

/** The author of a row; null for the server itself. A deleted user has a name and no id. */
export const authorOf = (row: { user_id: number | null; user_name: string | null }): Author | null =>
  row.user_name === null ? null : { id: row.user_id, name: row.user_name };

/** Filter of a change list. */
export interface ChangeFilter {
  /** Entity types whose changes the caller may see. */
  visible: readonly ChangedEntity[];
  search?: string;
  entity?: ChangedEntity;
  entity_id?: number;
  room_id?: number;
  user_id?: number;
  /** Only restorable deletions. */
  removed: boolean;
  /** Only entries at or after this timestamp. */
  since?: string;
}

/** Entries of an organization, newest first, and the total count. */
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

/** Names of the last editors by entity id, as far as the change log reaches. */
export async function lastEditors(
  db: Database,
  organizationId: number,
  entity: ChangedEntity,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('changes')
    .leftJoin('users', 'users.id', 'changes.user_id')
    .select('changes.entity_id')
    .select(({ fn }) => fn.coalesce('users.name', 'changes.author_name').as('by'))
    .where('changes.id', 'in', (query) =>
      query
        .selectFrom('changes as own')
        .select(({ fn }) => fn.max('own.id').as('last'))
        .where('own.organization_id', '=', organizationId)
        .where('own.entity', '=', entity)
        .where('own.entity_id', 'in', ids)
        .groupBy('own.entity_id'),
    )
    .execute();
  return new Map(rows.flatMap(({ entity_id, by }) => (by === null ? [] : [[Number(entity_id), by]])));
}

const entriesOf = (db: Database, organizationId: number, entity: ChangedEntity) =>
  db
    .selectFrom('changes')
    .select(({ fn }) => fn.max('id').as('last'))
    .where('organization_id', '=', organizationId)
    .where('entity', '=', entity)
    .groupBy('entity_id');

/** The latest of some entries, for each of the entities that has one. */
async function latestOf(entries: ReturnType<typeof entriesOf>, ids: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const chunk of chunksOf(ids)) {
    const rows = await entries.where('entity_id', 'in', chunk).execute();
    found.push(...rows.map(({ last }) => Number(last)));
  }
  return found;
}

/** The latest bin entries of entities that were removed. */
export const restorableOf = (
  db: Database,
  organizationId: number,
  entity: ChangedEntity,
  ids: readonly number[],
): Promise<number[]> => latestOf(entriesOf(db, organizationId, entity).where('is_restorable', '=', 1), ids);

/**
 * The latest updates of entities by a user within a period.
 * @param fact name of a fact that they must have
 */
export const updatesOf = (
  db: Database,
  organizationId: number,
  entity: ChangedEntity,
  ids: readonly number[],
  { userId, from, till, fact }: { userId: number; from: string; till: string; fact?: string | undefined },
): Promise<number[]> => {
  const found = entriesOf(db, organizationId, entity)
    .where('action', '=', 'update')
    .where('user_id', '=', userId)
    .where('at', '>=', from)
    .where('at', '<=', till);
  return latestOf(fact === undefined ? found : found.where('after', 'like', `%"${fact}":%`), ids);
};

export async function findChange(db: Database, organizationId: number, id: number): Promise<StoredChange | undefined> {
  const query = db.selectFrom('changes').selectAll().where('organization_id', '=', organizationId);
  return query.where('id', '=', id).executeTakeFirst();
}

/** An entry, locked until the transaction ends. */
export async function lockChange(db: Database, organizationId: number, id: number): Promise<StoredChange | undefined> {
  const query = db.selectFrom('changes').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);
  return forUpdate(db, query).executeTakeFirst();
}

/**
 * Empties the bin: the entries can no longer be restored.
 * @param which entity types, and either entries or entities; without either, everything of these types
 * @returns the entries
 */
export async function emptyBin(
  db: Database,
  organizationId: number,
  which: { entities: readonly ChangedEntity[]; ids?: readonly number[] | undefined; entityIds?: readonly number[] },
): Promise<{ id: number; entity: string; entity_id: number }[]> {
  let query = db
    .updateTable('changes')
    .set({ is_restorable: 0 })
    .where('organization_id', '=', organizationId)
    .where('is_restorable', '=', 1)
    .where('entity', 'in', which.entities);
  if (which.ids) query = query.where('id', 'in', which.ids);
  if (which.entityIds) query = query.where('entity_id', 'in', which.entityIds);
  const emptied = await query.returning(['id', 'entity', 'entity_id']).execute();
  for (const { id } of emptied) await db.deleteFrom('change_rows').where('change_id', '=', id).execute();
  return emptied;
}

/** Deletes expired entries, imports and records. */
export async function sweepChanges({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = (age: number) => timestampOf(clock.now() - age);
  for (const table of ['changes', 'imports'] as const)
    await db.deleteFrom(table).where('at', '<', before(ENTRIES_MS)).execute();
  await db.deleteFrom('change_rows').where('at', '<', before(RESTORABLE_FOR)).execute();
  await db
    .updateTable('changes')
    .set({ is_restorable: 0 })
    .where('is_restorable', '=', 1)
    .where('at', '<', before(RESTORABLE_FOR))
    .execute();
  await db.updateTable('imports').set({ idempotency_key: null }).where('at', '<', before(RESTORABLE_FOR)).execute();
}
