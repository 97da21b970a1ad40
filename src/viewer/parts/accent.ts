/** Lightness of the accent color and its light variant at least, so that dark text on it is legible. */
const LIGHTNESS = { '--brass': 0.65, '--brass-light': 0.75 };

/** The color last applied. */
let applied: string | null = null;

/**
 * Applies an accent color to a page. Browsers without relative colors keep the built-in one.
 * @param color null for the built-in one
 */
export function applyAccent(color: string | null): void {
  if (color === applied || !CSS.supports('color', 'oklch(from red l c h)')) return;
  applied = color;
  const { style } = document.documentElement;
  for (const [name, lightness] of Object.entries(LIGHTNESS))
    if (color === null) style.removeProperty(name);
    else style.setProperty(name, `oklch(from ${color} max(l, ${lightness}) c h)`);
}
