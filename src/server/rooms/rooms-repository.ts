import type { Insertable, Selectable, Updateable } from 'kysely';
import { offsetOf, type Paging } from '../api/paging.ts';
import type { Database } from '../db/database.ts';
import { forUpdate } from '../db/for-update.ts';
import { containsWords } from '../db/search.ts';
import type { RoomTable } from '../db/tables.ts';

export type StoredRoom = Selectable<RoomTable>;

/** Spaces of an organization by name, and how many there are on all pages. */
export async function listRooms(
  db: Database,
  organizationId: number,
  query: Paging & { search?: string },
): Promise<{ rows: Pick<StoredRoom, 'id' | 'name' | 'title' | 'template_id' | 'updated_at'>[]; total: number }> {
  const { search } = query;
  let found = db.selectFrom('rooms').where('organization_id', '=', organizationId);
  if (search) found = found.where((where) => where.or([containsWords('name', search), containsWords('title', search)]));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .select(['id', 'name', 'title', 'template_id', 'updated_at'])
    .orderBy(({ fn }) => fn<string>('lower', ['name']))
    .orderBy('id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  return { rows, total: Number(total) };
}

const roomQuery = (db: Database, organizationId: number, id: number) =>
  db.selectFrom('rooms').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);

export async function findRoom(db: Database, organizationId: number, id: number): Promise<StoredRoom | undefined> {
  return roomQuery(db, organizationId, id).executeTakeFirst();
}

/** Like `findRoom`, and nobody else changes the space or its elements until the transaction ends. */
export async function lockRoom(db: Database, organizationId: number, id: number): Promise<StoredRoom | undefined> {
  return forUpdate(db, roomQuery(db, organizationId, id)).executeTakeFirst();
}

export async function insertRoom(db: Database, values: Insertable<RoomTable>): Promise<number> {
  const { id } = await db.insertInto('rooms').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateRoom(db: Database, id: number, values: Updateable<RoomTable>): Promise<void> {
  await db.updateTable('rooms').set(values).where('id', '=', id).execute();
}

export async function deleteRoom(db: Database, id: number): Promise<void> {
  await db.deleteFrom('rooms').where('id', '=', id).execute();
}
