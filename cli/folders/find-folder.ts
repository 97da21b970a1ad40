import type { Client } from '../../src/contract/client.ts';
import type { Folder, MediaFolder } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';

/** Folders for rooms, or for files of the media library. */
export type FolderArea = 'folders' | 'mediaFolders';

/** A folder with its path, such as `Museum/East wing`. */
export type PlacedFolder = (Folder | MediaFolder) & { path: string };

/** Every folder, parents before their children. */
export async function allFolders(client: Client, area: FolderArea = 'folders'): Promise<PlacedFolder[]> {
  const list: (Folder | MediaFolder)[] = await client[area].list();
  const below = Map.groupBy(list, ({ parent_id }) => parent_id);
  const placed = (parent: number | null, above: string): PlacedFolder[] =>
    (below.get(parent) ?? []).flatMap((folder) => {
      const path = above + folder.name;
      return [{ ...folder, path }, ...placed(folder.id, `${path}/`)];
    });
  return placed(null, '');
}

const clean = (path: string) => path.split('/').filter(Boolean).join('/').toLowerCase();

/** Whether a path means no folder, or the top level. */
export const isTop = (path: string): boolean => clean(path) === '';

/**
 * The folder with this path or id; case doesn't matter.
 * @throws CliError listing the existing paths
 */
export async function findFolder(client: Client, wanted: string, area: FolderArea = 'folders'): Promise<PlacedFolder> {
  const all = await allFolders(client, area);
  const found =
    all.find(({ path }) => clean(path) === clean(wanted)) ?? all.find(({ id }) => String(id) === wanted.trim());
  if (found) return found;
  const paths = all.slice(0, 10).map(({ path }) => path);
  throw wrongError(
    `Folder "${wanted}" not found.`,
    paths.length > 0 ? `Available: ${paths.join(', ')}${all.length > 10 ? ' and more' : ''}.` : 'There are no folders.',
  );
}

/** Id of the folder with this path or id; null for the top level, written as `/`. @throws CliError if there is none */
export const folderIdOf = async (
  client: Client,
  wanted: string,
  area: FolderArea = 'folders',
): Promise<number | null> => (isTop(wanted) ? null : (await findFolder(client, wanted, area)).id);
