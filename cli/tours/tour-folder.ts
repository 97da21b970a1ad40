import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ArchiveError, filesOfArchive } from '../../src/contract/tour-archive.ts';
import type { TourFiles } from '../../src/contract/tour-files.ts';
import { usageError } from '../failure.ts';

/** Maximum files of a folder. */
const MAX_FILES = 300_000;

/** The files below a folder; hidden files and symbolic links are skipped. */
async function filesOfFolder(folder: string): Promise<TourFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const root = resolve(folder);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(resolve(entry.parentPath), entry.name)
        .slice(root.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'));
  if (paths.length > MAX_FILES)
    throw usageError(`${folder} contains ${paths.length} files.`, 'Specify the folder of the tour.');
  return { paths, read: (wanted) => Promise.all(wanted.map((path) => openAsBlob(join(root, path)))) };
}

/**
 * The files of a tour, and its configuration file if that was specified.
 * @param path folder, ZIP archive or configuration file
 */
export async function tourFiles(path: string): Promise<{ files: TourFiles; main?: string }> {
  const found = await stat(path).catch(() => {
    throw usageError(
      `File or folder not found: ${path}.`,
      'Specify the folder, archive or configuration file of a tour.',
    );
  });
  if (found.isDirectory()) return { files: await filesOfFolder(path) };
  if (!/\.zip$/i.test(path)) return { files: await filesOfFolder(dirname(path)), main: basename(path) };
  try {
    return { files: await filesOfArchive(await openAsBlob(path)) };
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw usageError(error.message, 'Use another archive, or a folder.');
  }
}
