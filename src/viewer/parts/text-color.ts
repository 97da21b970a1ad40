/** Backgrounds for text over a room. */
type Glass = 'dark' | 'light';

/** Relative luminance of ink and paper, the colors of the two glass backgrounds. */
const LUMINANCE: Record<Glass, number> = { dark: 0.009, light: 0.922 };

/** Luminance of a channel, per https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
const SHARES = [0.2126, 0.7152, 0.0722] as const;

/** Relative luminance of `#RGB` or `#RRGGBB`, from 0 to 1. */
function luminanceOf(color: string): number {
  const digits = color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color;
  return SHARES.reduce((sum, share, at) => {
    const part = Number.parseInt(digits.slice(1 + at * 2, 3 + at * 2), 16) / 255;
    return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
}

/** Contrast ratio of two luminances, from 1 to 21. */
const contrast = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** Background with the better contrast for a text color. @param color `#RGB` or `#RRGGBB` */
export function glassFor(color: string): Glass {
  const luminance = luminanceOf(color);
  return contrast(luminance, LUMINANCE.dark) >= contrast(luminance, LUMINANCE.light) ? 'dark' : 'light';
}
