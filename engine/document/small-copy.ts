import { copyUrl } from './copy-url.ts';
import type { FileReference } from './fields.ts';

/** Widths in pixels of the copies that the server makes of a room's images. */
export const COPY_WIDTHS = [490, 980, 1960] as const;
/** Type in an `Accept` header by which the server may send a model's lighter version: meshopt and KTX2 in a GLB. */
export const LIGHT_MODEL = 'model/x-enfilade-light';
/** Type in an `Accept` header by which the server may send a smaller version of an environment, in the same format. */
export const LIGHT_ENVIRONMENT = 'image/x-enfilade-light';
/** A coarser level of detail of a model. */
export interface ModelLevel {
  /**
   * Pixels on screen of the diagonal of the model's bounds up to which it looks like the model: its error is below a pixel,
   * and its textures are as sharp as the screen.
   */
  pixels: number;
}
/** Maximum sides in pixels of the textures in a model's coarser levels of detail, finest level first. */
export const LEVEL_SIDES = [512, 256] as const;
/** Widths in pixels of the copies for batches of images: of images seen from afar, and of larger ones. */
export const LAYER_WIDTHS = { small: 128, middle: 245 } as const;
const SMALLEST = COPY_WIDTHS[0];
/** Minimum ratio of an image's width to a copy's: below it, the extra request doesn't pay off. */
export const MIN_WIDTH_RATIO = 2;

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
  return (file.width ?? 0) >= SMALLEST * MIN_WIDTH_RATIO ? copyUrl(url, 'width', SMALLEST) : undefined;
}

/**
 * The available sizes of an image, smallest first. The original is last, and the only one for external and small images.
 */
export function imageSizes(url: string, file: FileReference | null): ImageSize[] {
  const width = (hasCopies(url, file) && file.width) || 0;
  const copies = COPY_WIDTHS.filter((copy) => copy * MIN_WIDTH_RATIO <= width).map((copy) => ({
    width: copy,
    url: copyUrl(url, 'width', copy),
  }));
  return [...copies, { width: width || Number.MAX_SAFE_INTEGER, url }];
}

/** The URL of the copy of an image that a batch shows; the image itself if it is external or small. */
export const layerCopy = (url: string, file: FileReference | null, layer: keyof typeof LAYER_WIDTHS): string =>
  smallCopy(url, file) === undefined ? url : copyUrl(url, 'width', LAYER_WIDTHS[layer]);

/** Whether a model may have levels of detail: an external one has none. */
export const mayHaveLevels = (url: string): boolean => url.startsWith('/media/') && /\.(?:glb|gltf)$/i.test(url);

/**
 * The URL of a level of detail of a model. If there is no such level, the server redirects to the model.
 * @param level from 1, the finest coarser one; 0 for the model itself
 */
export const levelUrl = (url: string, level: number): string => (level > 0 ? copyUrl(url, 'level', level) : url);
