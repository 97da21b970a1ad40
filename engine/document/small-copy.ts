import type { FileReference } from './fields.ts';

/** Widths in pixels of the copies that the server makes of a room's images. */
export const COPY_WIDTHS = [490, 980, 1960] as const;
const SMALLEST = COPY_WIDTHS[0];
/** Minimum ratio of an image's width to a copy's: below it, the extra request doesn't pay off. */
const MIN_WIDTH_RATIO = 2;

/** An image at one of its sizes. */
export interface ImageSize {
  /** In pixels. */
  width: number;
  url: string;
}

const hasCopies = (url: string, file: FileReference | null): file is FileReference =>
  file?.url === url && url.startsWith('/media/') && /\.(?:jpe?g|png|webp)$/i.test(url);

/**
 * The URL of the small copy shown while an image loads.
 * @param url of the image
 * @param file its file, if known
 * @returns undefined for external and small images
 */
export function smallCopy(url: string, file: FileReference | null): string | undefined {
  if (!hasCopies(url, file)) return undefined;
  return (file.width ?? 0) >= SMALLEST * MIN_WIDTH_RATIO ? `${url}?width=${SMALLEST}` : undefined;
}

/**
 * The available sizes of an image, smallest first. The original is last, and the only one for external and small images.
 */
export function imageSizes(url: string, file: FileReference | null): ImageSize[] {
  const width = (hasCopies(url, file) && file.width) || 0;
  const copies = COPY_WIDTHS.filter((copy) => copy * MIN_WIDTH_RATIO <= width).map((copy) => ({
    width: copy,
    url: `${url}?width=${copy}`,
  }));
  return [...copies, { width: width || Number.MAX_SAFE_INTEGER, url }];
}
