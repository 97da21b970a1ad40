import { unzipSync } from 'fflate';
import type { TourFiles } from './tour-files.ts';

/** Maximum bytes of an archive, and of the files that are unpacked at once. */
const MAX_ARCHIVE = 1024 * 1024 * 1024;
const MAX_UNPACKED = 600 * 1024 * 1024;

/** An archive that can't be read. */
export class ArchiveError extends Error {}

/** The files of a ZIP archive. Only those that are asked for are unpacked. @throws ArchiveError */
export async function filesOfArchive(archive: Blob): Promise<TourFiles> {
  if (archive.size > MAX_ARCHIVE)
    throw new ArchiveError('The archive is larger than 1 GB. Unpack it, and use the folder.');
  const content = await archive.arrayBuffer().catch(() => {
    throw new ArchiveError("The archive can't be read. It may have been moved or changed.");
  });
  const bytes = new Uint8Array(content);
  const unpacked = (wanted: ReadonlySet<string> | null, seen: string[]) => {
    let total = 0;
    try {
      return unzipSync(bytes, {
        filter: ({ name, originalSize }) => {
          seen.push(name);
          if (!wanted?.has(name)) return false;
          total += originalSize;
          if (total > MAX_UNPACKED) throw new ArchiveError('The images of a place are larger than 600 MB.');
          return true;
        },
      });
    } catch (error) {
      if (error instanceof ArchiveError) throw error;
      throw new ArchiveError('The archive is damaged, or not a ZIP archive.');
    }
  };
  const paths: string[] = [];
  unpacked(null, paths);
  return {
    paths: paths.filter((path) => !path.endsWith('/') && !/(?:^|\/)(?:__MACOSX|\.[^/]+)(?:\/|$)/.test(path)),
    read: async (wanted) => {
      const found = unpacked(new Set(wanted), []);
      return wanted.map((path) => new Blob([new Uint8Array(found[path] ?? [])]));
    },
  };
}
