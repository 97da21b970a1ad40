import { contrastOf, luminanceOf } from '../../contract/contrast.ts';

/** Backgrounds for text over a room. */
type Glass = 'dark' | 'light';

/** Relative luminance of ink and paper, the colors of the two glass backgrounds. */
const LUMINANCE: Record<Glass, number> = { dark: 0.009, light: 0.922 };

/** Background with the better contrast for a text color. @param color `#RGB` or `#RRGGBB` */
export function glassFor(color: string): Glass {
  const luminance = luminanceOf(color);
  return contrastOf(luminance, LUMINANCE.dark) >= contrastOf(luminance, LUMINANCE.light) ? 'dark' : 'light';
}
