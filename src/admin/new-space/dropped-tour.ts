import type { FileWithPath } from '@mantine/dropzone';
import { findTourConfigs, type TourFiles } from '../../contract/tour-files.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import type { DroppedTour } from './import-draft.ts';

/** Path of a dropped file in its folder. */
const pathOf = (file: FileWithPath) => (file.path ?? file.webkitRelativePath ?? file.name).replace(/^(?:\.?\/)+/, '');

function filesOfDrop(dropped: readonly FileWithPath[]): TourFiles {
  const files = new Map(dropped.map((file) => [pathOf(file) || file.name, file]));
  return { paths: [...files.keys()], read: async (paths) => paths.map((path) => files.get(path)!) };
}

async function tourOf(files: TourFiles): Promise<DroppedTour | null> {
  const configs = await findTourConfigs(files);
  return configs && { files, configs };
}

/**
 * The tour in dropped files, or in a dropped archive.
 * @returns null if there is none; a sentence if the archive can't be read
 */
export async function tourIn(dropped: readonly FileWithPath[]): Promise<DroppedTour | string | null> {
  const [only] = dropped;
  const isArchive = dropped.length === 1 && only !== undefined && /\.zip$/i.test(only.name);
  if (!isArchive) return tourOf(filesOfDrop(dropped));
  const { ArchiveError, filesOfArchive } = await import('../../contract/tour-archive.ts');
  try {
    return await tourOf(await filesOfArchive(only));
  } catch (error) {
    if (error instanceof ArchiveError) return `${only.name}: ${sayMessage(error.message)}`;
    throw error;
  }
}
