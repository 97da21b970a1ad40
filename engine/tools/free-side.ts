/** Minimum distance in pixels between a label and the edge of the canvas. */
const MARGIN = 8;

/** Width in pixels of the canvas covered by an open window on its right, as set by the page. */
export const coveredOf = (surface: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(surface).getPropertyValue('--covered')) || 0;

/**
 * Horizontal center of a label in pixels from the left of the canvas: as close to `x` as possible while fully visible
 * next to what covers the canvas.
 * @param surface element that the canvas fills
 * @param half half the label's width in pixels
 */
export function middleOfLabel(surface: HTMLElement, x: number, half: number): number {
  const free = surface.clientWidth - coveredOf(surface);
  const edge = Math.min(half + MARGIN, free / 2);
  return Math.min(free - edge, Math.max(edge, x));
}
