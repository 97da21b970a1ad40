import { smallPicture } from '../../core/files/copies/thumbnails.ts';
import { cutWhereWide } from '../../core/files/copies/tiles.ts';
import { readMediaUrl } from '../../core/files/media-url.ts';
import type { Services } from '../../core/services.ts';
import { PAGE_COPY } from './preview.ts';

/**
 * Makes what visitors of a panorama are sent first, so that not even the first of them waits for it: the small copy that
 * pages carry, and the tiles of a wide picture.
 * @param url address of the stored picture; nothing is done for what is no picture
 */
export async function preparePanorama({ media, workers }: Services, url: string): Promise<void> {
  const stored = readMediaUrl(url);
  if (!stored) return;
  await media.fileOf(stored.hash, stored.entry);
  const folder = media.folderOf(stored.hash);
  await smallPicture(workers, folder, stored.entry, PAGE_COPY);
  await cutWhereWide(workers, folder, stored.entry);
}
