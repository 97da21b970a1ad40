import { IMAGE_SIDE } from './constants.ts';

/** Size in units as set; null for sides that follow the content. */
interface SetSize {
  width: number | null;
  height: number | null;
}

/**
 * Size of an image in units: a missing side follows the aspect ratio; if both are missing, the height is 200.
 * @param picture size in pixels
 */
export function imageSize(
  element: SetSize,
  picture: { width: number; height: number },
): { width: number; height: number } {
  const ratio = picture.width / picture.height;
  if (element.width !== null && element.height !== null) return { width: element.width, height: element.height };
  if (element.width !== null) return { width: element.width, height: element.width / ratio };
  const height = element.height ?? IMAGE_SIDE;
  return { width: height * ratio, height };
}

/** Size of an element in units before it is drawn, from its fields and its file, without its scale. */
export function fileSize(
  element: SetSize & { file: { width?: number | null | undefined; height?: number | null | undefined } | null },
): { width: number; height: number } {
  const { width, height } = element.file ?? {};
  return imageSize(element, width && height ? { width, height } : { width: 1, height: 1 });
}
