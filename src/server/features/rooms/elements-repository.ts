import { type Insertable, sql } from 'kysely';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared, preparedForRow } from '../../core/db/prepared.ts';
import type { WorkInPieces } from '../../core/work-in-pieces.ts';
import type { StoredElement } from './rows.ts';
import type { ElementTable } from './table.ts';
import { inTreeOrder } from './tree.ts';

/** A room's elements in tree order. */
export async function listElements(db: Database, roomId: number): Promise<StoredElement[]> {
  const rows = await db
    .selectFrom('elements')
    .selectAll()
    .where('room_id', '=', roomId)
    .orderBy('index')
    .orderBy('id')
    .execute();
  return inTreeOrder(rows);
}

/** A page of the elements of all rooms, in order of creation. */
export async function listAllElements(
  db: Database,
  organizationId: number,
  { page, per_page }: { page: number; per_page: number },
): Promise<StoredElement[]> {
  return db
    .selectFrom('elements')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
}

const elementById = prepared((db, organizationId: number, id: number) =>
  db.selectFrom('elements').selectAll().where('organization_id', '=', organizationId).where('id', '=', id),
);

export async function findElement(
  db: Database,
  organizationId: number,
  id: number,
): Promise<StoredElement | undefined> {
  const [row] = await elementById(db, organizationId, id);
  return row;
}

/** Elements by id, in any room. */
export async function findElements(
  db: Database,
  organizationId: number,
  ids: readonly number[],
): Promise<StoredElement[]> {
  if (ids.length === 1) return elementById(db, organizationId, ids[0]!);
  const found: StoredElement[] = [];
  for (const chunk of chunksOf(ids)) {
    const rows = await db
      .selectFrom('elements')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', 'in', chunk)
      .execute();
    found.push(...rows);
  }
  return found;
}

/** Existing element ids among these, in any organization. */
export async function findElementIds(db: Database, ids: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const chunk of chunksOf(ids)) {
    const rows = await db.selectFrom('elements').select('id').where('id', 'in', chunk).execute();
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

/** Inserts elements, parents before their children. */
export async function insertElements(db: Database, rows: readonly Insertable<ElementTable>[]): Promise<void> {
  for (const chunk of chunksOf(rows)) await db.insertInto('elements').values(chunk).execute();
}

/** Columns of an element apart from its body; most of them are indexed. */
const OTHER_COLUMNS = [
  ...(['element', 'name', 'hidden', 'file_id', 'parent_element_id', 'index'] as const),
  ...(['block_id', 'block_version'] as const),
] as const;

type ElementValues = Pick<StoredElement, (typeof OTHER_COLUMNS)[number] | 'body' | 'updated_at'>;

const bodyUpdate = prepared((db, id: number, body: string, at: string) =>
  db.updateTable('elements').set({ body, updated_at: at }).where('id', '=', id),
);
const elementUpdate = preparedForRow<ElementValues & { id: number }, unknown>(
  [...OTHER_COLUMNS, 'body', 'updated_at', 'id'],
  (db, { id, ...values }) => db.updateTable('elements').set(values).where('id', '=', id),
);

/** Writes a changed element. @param row its row before the change */
export async function updateElement(db: Database, row: StoredElement, values: ElementValues): Promise<void> {
  // Setting an indexed column writes its indexes, even to the same value.
  if (OTHER_COLUMNS.every((name) => row[name] === values[name]))
    await bodyUpdate(db, row.id, values.body, values.updated_at);
  else await elementUpdate(db, { ...values, id: row.id });
}

/** Deletes elements with their descendants. */
export async function deleteElements(db: Database, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids)) await db.deleteFrom('elements').where('id', 'in', chunk).execute();
}

/** Moves elements to the top level of their room. */
export async function detachElements(db: Database, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids))
    await db.updateTable('elements').set({ parent_element_id: null }).where('id', 'in', chunk).execute();
}

const indexUpdate = prepared((db, id: number, index: string) =>
  db.updateTable('elements').set({ index }).where('id', '=', id),
);

/** Sibling keys per statement: each row is compared with all of them. */
const KEYS_PER_STATEMENT = 50;

/** Stores elements' sibling keys, by id. */
export async function storeIndexes(
  db: Database,
  indexes: ReadonlyMap<number, string>,
  work: WorkInPieces,
): Promise<void> {
  if (indexes.size === 1) for (const [id, index] of indexes) await indexUpdate(db, id, index);
  const all = indexes.size === 1 ? [] : [...indexes];
  for (let start = 0; start < all.length; start += KEYS_PER_STATEMENT) {
    await work.pause();
    const chunk = all.slice(start, start + KEYS_PER_STATEMENT);
    const cases = chunk.map(([id, index]) => sql`when ${sql.lit(id)} then ${sql.lit(index)}`);
    await db
      .updateTable('elements')
      .set({ index: sql<string>`case id ${sql.join(cases, sql` `)} end` })
      .where(
        'id',
        'in',
        chunk.map(([id]) => id),
      )
      .execute();
  }
}
