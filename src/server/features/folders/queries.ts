import type { Selectable } from 'kysely';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { orderByName } from '../../core/db/order-by-name.ts';
import type { FolderKind, FolderTable } from './table.ts';

export type FolderRow = Selectable<FolderTable>;

/** The tables of a kind: all kinds have the same columns. */
const tablesOf = ({ table, items }: FolderKind) => ({ table: table as 'folders', items: items as 'rooms' });

/** An organization's folders by name. */
export const listFolderRows = (db: Database, kind: FolderKind, organizationId: number): Promise<FolderRow[]> =>
  db
    .selectFrom(tablesOf(kind).table)
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy(orderByName(db, 'name'))
    .orderBy('id')
    .execute();

/** A folder in a list. */
export type ListedFolder = Omit<FolderRow, 'organization_id' | 'created_at'> & { items: number };

/** An organization's folders by name, with the number of their items. */
export async function listFolders(db: Database, kind: FolderKind, organizationId: number): Promise<ListedFolder[]> {
  const rows = await listFolderRows(db, kind, organizationId);
  const counts = await db
    .selectFrom(tablesOf(kind).items)
    .select(({ fn }) => ['folder_id', fn.countAll<number>().as('items')])
    .where('organization_id', '=', organizationId)
    .where('folder_id', 'is not', null)
    .groupBy('folder_id')
    .execute();
  const itemsIn = new Map(counts.map(({ folder_id, items }) => [Number(folder_id), Number(items)]));
  // A parent that the caller can't see is no parent to them.
  const ids = new Set(rows.map(({ id }) => id));
  return rows.map(({ id, parent_id, name, updated_at }) => ({
    id,
    parent_id: parent_id !== null && ids.has(parent_id) ? parent_id : null,
    name,
    items: itemsIn.get(id) ?? 0,
    updated_at,
  }));
}

/** Finds a folder and locks it until the transaction ends, so that items can be put into it. */
export const lockFolder = (
  db: Database,
  kind: FolderKind,
  organizationId: number,
  id: number,
): Promise<FolderRow | undefined> =>
  forUpdate(
    db,
    db.selectFrom(tablesOf(kind).table).selectAll().where('organization_id', '=', organizationId).where('id', '=', id),
  ).executeTakeFirst();

type Placed = Pick<FolderRow, 'id' | 'parent_id'>;

/** Ids of folders with all their subfolders. @param rows all folders */
export function withSubfolders(rows: readonly Placed[], ids: readonly number[]): number[] {
  const below = Map.groupBy(rows, ({ parent_id }) => parent_id);
  const found = new Set<number>();
  const visit = (id: number) => {
    if (found.has(id)) return;
    found.add(id);
    for (const child of below.get(id) ?? []) visit(child.id);
  };
  const known = new Set(rows.map(({ id }) => id));
  for (const id of ids) if (known.has(id)) visit(id);
  return [...found];
}

/** Moves the items and subfolders of a folder to its parent. */
export async function emptyFolder(db: Database, kind: FolderKind, { id, parent_id }: Placed): Promise<void> {
  const { table, items } = tablesOf(kind);
  await db.updateTable(items).set({ folder_id: parent_id }).where('folder_id', '=', id).execute();
  await db.updateTable(table).set({ parent_id }).where('parent_id', '=', id).execute();
}
