import interExtended from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** Font family registered for text on canvases; the page's styles aren't required. */
const FAMILY = 'Enfilade Text';

/** CSS font families of text on a canvas. */
export const TEXT_FAMILY = `"${FAMILY}", system-ui, sans-serif`;

let fonts: Promise<unknown> | undefined;

/** Loads the font subsets a text needs. If they can't be loaded, the text uses the system font. */
export function loadTextFont(text: string): Promise<unknown> {
  fonts ??= Promise.resolve().then(() => {
    const range = 'U+0100-02BA,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+2C60-2C7F,U+A720-A7FF';
    document.fonts.add(new FontFace(FAMILY, `url(${inter})`, { weight: '100 900' }));
    document.fonts.add(new FontFace(FAMILY, `url(${interExtended})`, { weight: '100 900', unicodeRange: range }));
  });
  return fonts.then(() => document.fonts.load(`600 24px "${FAMILY}"`, text)).catch(() => undefined);
}

/** Direction of a text, by its first letter, as `dir="auto"` decides. */
export const directionOf = (text: string): CanvasDirection =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? 'rtl'
    : 'ltr';
