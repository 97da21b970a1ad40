import { ArchiveTarget, fileSink, streamSink } from './archive-target.ts';
import type { BackupTarget } from './backup-target.ts';
import { FolderTarget } from './folder-target.ts';

/** Whether a backup with this name is an archive. */
export const isArchive = (name: string): boolean => /\.zip$/i.test(name);

/** Starts a backup: an archive in a stream or in a file whose name ends with .zip, otherwise a folder. */
export async function beginBackup(target: string | NodeJS.WritableStream): Promise<BackupTarget> {
  const made =
    typeof target !== 'string'
      ? new ArchiveTarget(streamSink(target))
      : isArchive(target)
        ? new ArchiveTarget(fileSink(target))
        : new FolderTarget(target);
  await made.begin();
  return made;
}
