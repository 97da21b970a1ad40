import { ArchiveTarget } from './archive-target.ts';
import type { BackupTarget } from './backup-target.ts';
import { FolderTarget } from './folder-target.ts';

/** Whether a backup of this name is one file. */
export const isArchive = (name: string): boolean => /\.zip$/i.test(name);

/** Begins a backup: an archive where its name says so, otherwise a folder. */
export async function beginBackup(target: string): Promise<BackupTarget> {
  const made = isArchive(target) ? new ArchiveTarget(target) : new FolderTarget(target);
  await made.begin();
  return made;
}
