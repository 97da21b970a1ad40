/** Side in pixels of the windows that are compared, and their distance. */
const WINDOW = 8;
const STEP = 4;
/** Constants of the formula for 8 bits. */
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** A decoded image: 8 bits per channel, row by row. */
export interface RawImage {
  data: Uint8Array;
  width: number;
  height: number;
  channels: number;
}

/** Luma of an image on a background. @param background 0 to 255, behind transparent pixels */
function lumaOf({ data, width, height, channels }: RawImage, background: number): Uint8Array {
  const luma = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel++, at += channels) {
    const gray = channels < 3 ? data[at]! : 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
    const alpha = channels % 2 === 0 ? data[at + channels - 1]! / 255 : 1;
    luma[pixel] = Math.round(gray * alpha + background * (1 - alpha));
  }
  return luma;
}

function similarity(one: Uint8Array, other: Uint8Array, width: number, height: number): number {
  const side = Math.min(WINDOW, width, height);
  const count = side * side;
  let sum = 0;
  let windows = 0;
  for (let top = 0; top + side <= height; top += STEP)
    for (let left = 0; left + side <= width; left += STEP) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
      for (let row = top; row < top + side; row++)
        for (let at = row * width + left, end = at + side; at < end; at++) {
          const x = one[at]!;
          const y = other[at]!;
          a += x;
          b += y;
          aa += x * x;
          bb += y * y;
          ab += x * y;
        }
      const [meanA, meanB] = [a / count, b / count];
      const variances = (aa + bb) / count - meanA * meanA - meanB * meanB;
      const covariance = ab / count - meanA * meanB;
      sum +=
        ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (variances + C2));
      windows++;
    }
  return windows === 0 ? 1 : sum / windows;
}

/**
 * Mean structural similarity of the luma of two images of the same size, 1 for equal ones: Wang et al., "Image Quality
 * Assessment: From Error Visibility to Structural Similarity" (2004), with square windows. Images with transparency are
 * compared on black and on white, and the lower value counts.
 */
export function ssimOf(one: RawImage, other: RawImage): number {
  const hasAlpha = one.channels % 2 === 0 || other.channels % 2 === 0;
  const on = (background: number) =>
    similarity(lumaOf(one, background), lumaOf(other, background), one.width, one.height);
  return hasAlpha ? Math.min(on(0), on(255)) : on(0);
}
