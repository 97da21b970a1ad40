import type { FileReference } from './fields.ts';

/** Widths of the copies that the server makes of images for rooms, in pixels. */
export const COPY_WIDTHS = [490, 980, 1960] as const;
const SMALLEST = COPY_WIDTHS[0];
/** How many times as wide an image must be for a copy to be worth a request of its own. */
const WORTH = 2;

/** An image at one of its sizes. */
export interface ImageSize {
  /** Pixels. */
  width: number;
  url: string;
}

const hasCopies = (url: string, file: FileReference | null): file is FileReference =>
  file?.url === url && url.startsWith('/media/') && /\.(?:jpe?g|png|webp)$/i.test(url);

/**
 * The URL of the small copy that stands in for an image while it loads.
 * @param url of the image
 * @param file what is known of it
 * @returns undefined for images from elsewhere, and for small ones
 */
export function smallCopy(url: string, file: FileReference | null): string | undefined {
  if (!hasCopies(url, file)) return undefined;
  return (file.width ?? 0) >= SMALLEST * WORTH ? `${url}?width=${SMALLEST}` : undefined;
}

/**
 * The sizes in which an image can be loaded, smallest first; the image itself is the last one, and the only one of images
 * from elsewhere and of small ones.
 */
export function imageSizes(url: string, file: FileReference | null): ImageSize[] {
  const width = (hasCopies(url, file) && file.width) || 0;
  const copies = COPY_WIDTHS.filter((copy) => copy * WORTH <= width).map((copy) => ({
    width: copy,
    url: `${url}?width=${copy}`,
  }));
  return [...copies, { width: width || Number.MAX_SAFE_INTEGER, url }];
}
