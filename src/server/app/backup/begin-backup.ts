import { ArchiveTarget } from './archive-target.ts';
import type { BackupTarget } from './backup-target.ts';
import { FolderTarget } from './folder-target.ts';

/** Whether a backup with this name is an archive. */
export const isArchive = (name: string): boolean => /\.zip$/i.test(name);

/** Starts a backup: an archive if the name ends with .zip, otherwise a folder. */
export async function beginBackup(target: string): Promise<BackupTarget> {
  const made = isArchive(target) ? new ArchiveTarget(target) : new FolderTarget(target);
  await made.begin();
  return made;
}
