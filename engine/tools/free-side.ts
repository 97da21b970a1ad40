/** Pixels between a label and the edge of the canvas. */
const MARGIN = 8;

/** Pixels of the canvas that an open window covers, on its right: the page says so. */
export const coveredOf = (surface: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(surface).getPropertyValue('--covered')) || 0;

/**
 * Where the middle of a label stands, in pixels from the left of the canvas: as near to `x` as it is seen whole, beside what covers
 * the canvas.
 * @param surface element that the canvas fills
 * @param half half the label's width in pixels
 */
export function middleOfLabel(surface: HTMLElement, x: number, half: number): number {
  const free = surface.clientWidth - coveredOf(surface);
  const edge = Math.min(half + MARGIN, free / 2);
  return Math.min(free - edge, Math.max(edge, x));
}
