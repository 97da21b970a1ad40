import type { FileReference } from './fields.ts';

/** Width of the small copies that the server keeps of pictures, in pixels. */
const SMALL_COPY_WIDTH = 490;
/** How many times as wide a picture must be for its small copy to be worth a request of its own. */
const WORTH = 2;

/**
 * Address of the small copy that stands in for a picture while it loads.
 * @param url address of the picture
 * @param file what is known of it; undefined is answered for pictures from elsewhere, and for small ones
 */
export function smallCopy(url: string, file: FileReference | null): string | undefined {
  if (file?.url !== url || !url.startsWith('/media/') || !/\.(?:jpe?g|png|webp)$/i.test(url)) return undefined;
  return (file.width ?? 0) >= SMALL_COPY_WIDTH * WORTH ? `${url}?width=${SMALL_COPY_WIDTH}` : undefined;
}
