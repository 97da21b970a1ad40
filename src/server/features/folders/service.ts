import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { MAX_FOLDER_LEVELS, MAX_FOLDERS } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordedRows } from '../../core/changes/recorded-rows.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { everywhere, limitsOf } from '../../core/db/limited.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { emptyFolder, type FolderRow, listFolderRows, lockFolder, withSubfolders } from './queries.ts';
import { type FolderKind, SPACE_FOLDERS } from './table.ts';

/** The rows of a kind: all kinds have the same columns. */
const rowsOf = ({ table, entity }: FolderKind) => recordedRows(table as 'folders', { entity });

/** The limits of the caller; null if folders of this kind aren't limited. */
const limitsIn = ({ isLimited }: FolderKind, db: Database) => (isLimited ? limitsOf(db) : null);

/** The place of a folder: its parent and its name. */
type Place = Pick<FolderRow, 'parent_id' | 'name'>;

const MISSING = 'Folder not found; it may have been deleted. Choose another one.';

const nameKey = (name: string) => name.normalize('NFC').toLowerCase();

/** Parents of a folder, nearest first. */
function parentsOf(rows: readonly FolderRow[], parent: number | null): FolderRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const parents: FolderRow[] = [];
  for (let row = byId.get(parent ?? 0); row && parents.length < rows.length; row = byId.get(row.parent_id ?? 0))
    parents.push(row);
  return parents;
}

/** Number of levels of a folder with its subfolders. */
function levelsOf(rows: readonly FolderRow[], id: number): number {
  const below = rows.filter(({ parent_id }) => parent_id === id);
  return 1 + Math.max(0, ...below.map((row) => levelsOf(rows, row.id)));
}

/**
 * Checks the place of a folder.
 * @param rows all folders, locked
 * @param own the folder; null for a new one
 * @throws ApiError invalid with the field
 */
function checkPlace(rows: readonly FolderRow[], own: number | null, { parent_id, name }: Place): void {
  const parents = parentsOf(rows, parent_id);
  if (parent_id !== null && parents.length === 0) throw new ApiError('invalid', { parent_id: [MISSING] });
  if (parents.some(({ id }) => id === own))
    throw new ApiError('invalid', { parent_id: ["A folder can't be moved into itself or one of its subfolders."] });
  if (parents.length + (own === null ? 1 : levelsOf(rows, own)) > MAX_FOLDER_LEVELS)
    throw new ApiError('invalid', { parent_id: [`Use at most ${MAX_FOLDER_LEVELS} levels of folders.`] });
  const isTaken = rows.some(
    (row) => row.id !== own && row.parent_id === parent_id && nameKey(row.name) === nameKey(name),
  );
  if (isTaken) throw new ApiError('invalid', { name: ['A folder with this name already exists here.'] });
}

/** A change of the folder tree. */
interface TreeChange {
  db: Database;
  kind: FolderKind;
  /** All folders of the organization. */
  rows: FolderRow[];
  /** Ids of the folders that the caller sees. */
  seen: ReadonlySet<number>;
}

/** Runs a change of the folder tree; changes of an organization's tree run one at a time. */
const changeTree = <T>(
  kind: FolderKind,
  { db: database, organizationId }: CallContext,
  work: (change: TreeChange) => Promise<T>,
): Promise<T> =>
  database.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const rows = await listFolderRows(everywhere(db), kind, organizationId);
    const seen = limitsIn(kind, db) ? await listFolderRows(db, kind, organizationId) : rows;
    return work({ db, kind, rows, seen: new Set(seen.map(({ id }) => id)) });
  });

/** Rejects a parent that the caller doesn't see; users with limits can't use the top level. @throws ApiError invalid */
function checkParent({ db, kind, seen }: TreeChange, parent: number | null): void {
  if (parent === null && limitsIn(kind, db))
    throw new ApiError('invalid', { parent_id: ['Choose one of your folders.'] });
  if (parent !== null && !seen.has(parent)) throw new ApiError('invalid', { parent_id: [MISSING] });
}

/** Finds a folder to change. Users with limits can't change the folders to which they are limited. @throws ApiError not_found or forbidden */
function folderToChange({ db, kind, rows, seen }: TreeChange, id: number): FolderRow {
  const row = orNotFound(rows.find((each) => each.id === id && seen.has(id)));
  if (limitsIn(kind, db) && !seen.has(row.parent_id ?? 0))
    throw new ApiError('forbidden', 'Only users with access to the whole organization can change this folder.');
  return row;
}

/** Adds a folder. @returns its id @throws ApiError invalid with the field */
export const createFolder = (
  kind: FolderKind,
  context: CallContext,
  place: z.output<typeof calls.folders.create.body>,
) =>
  changeTree(kind, context, async (change) => {
    const { db, rows } = change;
    checkParent(change, place.parent_id);
    if (rows.length >= MAX_FOLDERS)
      throw new ApiError('invalid', `There are already ${MAX_FOLDERS} folders. Remove one first.`);
    checkPlace(rows, null, place);
    return (await rowsOf(kind).create(db, context, place)).id;
  });

/** Renames or moves a folder. @throws ApiError not_found, stale, or invalid with the field */
export const updateFolder = (
  kind: FolderKind,
  context: CallContext,
  id: number,
  { updated_at: seen, ...fields }: z.output<typeof calls.folders.update.body>,
) =>
  changeTree(kind, context, async (change) => {
    const { db, rows } = change;
    folderToChange(change, id);
    if (fields.parent_id !== undefined) checkParent(change, fields.parent_id);
    const values = ({ parent_id, name }: Place) => {
      const place = { parent_id, name, ...fields };
      checkPlace(rows, id, place);
      return place;
    };
    await rowsOf(kind).update(db, context, id, { seen, values });
  });

/**
 * Removes a folder; its items and subfolders move to its parent.
 * @throws ApiError not_found, or invalid if a subfolder's name is taken there
 */
export const removeFolder = (kind: FolderKind, context: CallContext, id: number) =>
  changeTree(kind, context, async (change) => {
    const { db, rows } = change;
    const row = folderToChange(change, id);
    const others = rows.filter((each) => each.id !== id);
    for (const { parent_id, id: child, name } of rows)
      if (parent_id === id) {
        const isTaken = others.some(
          (each) => each.id !== child && each.parent_id === row.parent_id && nameKey(each.name) === nameKey(name),
        );
        if (isTaken)
          throw new ApiError('invalid', `The parent folder already has a folder “${name}”. Rename one of them first.`);
      }
    await rowsOf(kind).remove(db, context, id, async () => {
      await emptyFolder(db, kind, row);
      return [];
    });
  });

/**
 * Checks the folder into which an item is put, and locks it until the transaction ends.
 * @throws ApiError invalid if it doesn't exist
 */
export async function checkFolder(
  db: Database,
  organizationId: number,
  id: number | null,
  kind: FolderKind = SPACE_FOLDERS,
): Promise<void> {
  if (id === null && limitsIn(kind, db)) throw new ApiError('invalid', { folder_id: ['Choose one of your folders.'] });
  if (id !== null && !(await lockFolder(db, kind, organizationId, id)))
    throw new ApiError('invalid', { folder_id: [MISSING] });
}

/**
 * The folder of a new space: the given one, or none. Without one, spaces of users with limits get into the first folder to
 * which they are limited.
 * @throws ApiError invalid if it doesn't exist, or users with limits have no folder
 */
export async function folderForNew(db: Database, organizationId: number, given: number | null): Promise<number | null> {
  const limits = limitsOf(db);
  const seen = given === null && limits ? await listFolderRows(db, SPACE_FOLDERS, organizationId) : [];
  const id = given ?? seen.find((row) => limits?.folder_ids.includes(row.id))?.id ?? null;
  await checkFolder(db, organizationId, id);
  return id;
}

/**
 * The folder for spaces at a path such as `Museum/East`.
 * @param path empty for none
 * @returns its id; null for none
 * @throws ApiError invalid, naming `folder`, if it doesn't exist
 */
export async function folderAtPath(db: Database, organizationId: number, path: string): Promise<number | null> {
  const rows = path === '' ? [] : await listFolderRows(db, SPACE_FOLDERS, organizationId);
  let id: number | null = null;
  for (const name of path.split('/').filter(Boolean)) {
    const found = rows.find((row) => row.parent_id === id && nameKey(row.name) === nameKey(name));
    if (!found) throw new ApiError('invalid', { folder: [`There is no folder "${path}". Add it first.`] });
    id = found.id;
  }
  return id;
}

/** Ids of a folder and its subfolders; empty if it doesn't exist. */
export const folderBranch = async (
  db: Database,
  organizationId: number,
  id: number,
  kind: FolderKind = SPACE_FOLDERS,
): Promise<number[]> => withSubfolders(await listFolderRows(db, kind, organizationId), [id]);
