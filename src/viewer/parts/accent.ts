/** Lightness of the accent color and its light variant at least, so that dark text on it is legible. */
const LIGHTNESS = { '--brass': 0.65, '--brass-light': 0.75 };

/** Applies the organization's accent color to a page. Browsers without relative colors keep the built-in one. */
export function applyAccent(color: string | null): void {
  if (color === null || !CSS.supports('color', 'oklch(from red l c h)')) return;
  for (const [name, lightness] of Object.entries(LIGHTNESS))
    document.documentElement.style.setProperty(name, `oklch(from ${color} max(l, ${lightness}) c h)`);
}
