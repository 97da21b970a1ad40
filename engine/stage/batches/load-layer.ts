import { requestPicture } from '../resources/resources.ts';

/**
 * Loads the copy of an image for a batch.
 * @param side of the square layer in pixels, to which the image is stretched
 * @returns with bottom-up rows
 * @throws if the image can't be loaded
 */
export async function loadLayer(url: string, side: number): Promise<ImageBitmap> {
  const response = await requestPicture(url);
  return createImageBitmap(await response.blob(), {
    resizeWidth: side,
    resizeHeight: side,
    resizeQuality: 'high',
    imageOrientation: 'flipY',
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
  });
}

let pen: CanvasRenderingContext2D | undefined;

/** Whether an image has transparent pixels. @param bitmap small: all its pixels are read */
export function hasAlpha(bitmap: ImageBitmap): boolean {
  const { width, height } = bitmap;
  pen ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  Object.assign(pen.canvas, { width, height });
  pen.drawImage(bitmap, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  for (let at = 3; at < data.length; at += 4) if (data[at]! < 255) return true;
  return false;
}
