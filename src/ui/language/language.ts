import { storedText } from '../storage.ts';

/** Languages of the back-office with their own names. English is the language of the sources. */
export const LANGUAGES = { en: 'English', nl: 'Nederlands', de: 'Deutsch', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

/** Whether a code is a language of the back-office. */
export const isLanguage = (code: string | null): code is Language => code !== null && Object.hasOwn(LANGUAGES, code);

const stored = storedText('enfilade.language');

/** The language chosen in this browser; null for the browser's own. */
export const chosenLanguage = (): Language | null => {
  const code = stored.get();
  return isLanguage(code) ? code : null;
};

/**
 * Chooses a language and loads the page in it.
 * @param code null for the browser's own
 * @returns false if the browser denies storage: the page stays as it is
 */
export function chooseLanguage(code: Language | null): boolean {
  if (!stored.set(code)) return false;
  location.reload();
  return true;
}

const baseOf = (tag: string) => tag.slice(0, 2).toLowerCase();

/** Language of the page: the chosen one, otherwise the browser's first one with a table, otherwise English. */
export const language: Language = chosenLanguage() ?? navigator.languages.map(baseOf).find(isLanguage) ?? 'en';

/** Locale of dates and numbers: the browser's variant of the language, such as `de-AT`. */
export const locale: string = navigator.languages.find((tag) => baseOf(tag) === language) ?? language;

/** Translations by English text; `1 spaces` holds the singular of the translated noun "spaces". */
type Table = Readonly<Record<string, string>>;

const TABLES = import.meta.glob<Table>('./tables/*.json', { import: 'default' });
const MESSAGES = import.meta.glob<Table>('./messages/*.json', { import: 'default' });
let table: Table = {};
/** Translations of messages of the server, with the placeholders of their templates. */
export let messages: Table = {};

/** Loads the page's language. Texts are read while modules load, so it must be called before they are imported. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language;
  const file = `${language}.json`;
  [table, messages] = await Promise.all([
    TABLES[`./tables/${file}`]?.() ?? {},
    MESSAGES[`./messages/${file}`]?.() ?? {},
  ]);
}

/** The translation of an English text, or the text itself. */
export const translationOf = (text: string): string => table[text] ?? text;

/** The singular of a noun in the page's language. */
export const singularOf = (nouns: string): string =>
  language === 'en' ? nouns.replace(/ies$/, 'y').replace(/s$/, '') : translationOf(`1 ${nouns}`).replace(/^1 /, '');
