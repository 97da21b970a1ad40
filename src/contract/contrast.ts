/** Weights of the channels, per https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
const SHARES = [0.2126, 0.7152, 0.0722] as const;

/** Relative luminance of `#RGB` or `#RRGGBB`, from 0 to 1. */
export function luminanceOf(color: string): number {
  const digits = color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color;
  return SHARES.reduce((sum, share, at) => {
    const part = Number.parseInt(digits.slice(1 + at * 2, 3 + at * 2), 16) / 255;
    return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
}

/** Contrast ratio of two luminances, from 1 to 21. */
export const contrastOf = (one: number, other: number): number =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** Contrast ratio of legible text: https://www.w3.org/TR/WCAG22/#contrast-minimum. */
const LEGIBLE = 4.5;

/** Whether text of a color is legible on another; both `#RGB` or `#RRGGBB`. */
export const isLegible = (color: string, background: string): boolean =>
  contrastOf(luminanceOf(color), luminanceOf(background)) >= LEGIBLE;
