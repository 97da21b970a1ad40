import { en, type TextKey, type Texts } from './en.ts';

/** Longest text that may stand in place of one of ours, in characters. */
const LONGEST = 500;

let table: Texts = en;
let own: Partial<Texts> = {};

/** Languages of the viewer, by their codes. */
type Language = 'en' | 'nl';
const isLanguage = (code: string): code is Language => code === 'en' || code === 'nl';
/** The first of these languages that the viewer speaks; English where it speaks none. */
const firstKnown = (codes: readonly string[]): Language =>
  codes.map((code) => code.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';

const asked = new URLSearchParams(location.search).get('lang');

/** What the viewer speaks: the language that the address asks for with `lang`, otherwise the browser's. */
export const language = firstKnown([...(asked ? [asked] : []), ...navigator.languages]);

/** Fulfilled when everything can be said in that language; English is there at once. */
export const textsReady: Promise<void> =
  language === 'en'
    ? Promise.resolve()
    : import('./nl.ts').then(
        ({ nl }) => {
          table = nl;
          document.documentElement.lang = language;
        },
        () => undefined,
      );

/**
 * Words of the viewer.
 * @param values what is filled in for each `{name}`
 */
export const say = (key: TextKey, values: Record<string, string | number> = {}): string =>
  (own[key] ?? table[key]).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Puts other words in place of the viewer's own, by their keys; what is no key of ours is left out. */
export function replaceTexts(texts: Record<string, unknown>): void {
  const known = Object.entries(texts).filter(
    ([key, value]) => Object.hasOwn(en, key) && typeof value === 'string' && value.length <= LONGEST,
  );
  own = { ...own, ...(Object.fromEntries(known) as Partial<Texts>) };
}
