import type { OwnTexts } from '../../contract/entities/own-texts.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import type { TextKey, Texts } from '../../contract/viewer-texts/en.ts';
import { type EarlyTextKey, enEarly } from '../../contract/viewer-texts/en-early.ts';
import { LANGUAGES, type Language } from '../../contract/viewer-texts/limits.ts';

/** Texts loaded so far. */
let table: Partial<Texts> = enEarly;
/** Overrides from the embedding page and the organization. */
let own: Partial<Texts> = {};
let organization: Partial<Texts> = {};
/** API error messages by code; English ones come with the response. */
let errors: Readonly<Record<string, string>> = { not_found: 'This page is no longer here.' };

const isLanguage = (code: string): code is Language => (LANGUAGES as readonly string[]).includes(code);
/** The first supported language; English if none. */
const firstKnown = (codes: readonly string[]): Language =>
  codes.map((code) => code.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';

const asked = new URLSearchParams(location.search).get('lang');

/** The viewer's language: the `lang` parameter, or the browser's. */
export const language = firstKnown([...(asked ? [asked] : []), ...navigator.languages]);

const LOADERS = {
  de: () => import('../../contract/viewer-texts/de.ts'),
  fr: () => import('../../contract/viewer-texts/fr.ts'),
  nl: () => import('../../contract/viewer-texts/nl.ts'),
};

/** Resolves to the language once its texts are loaded; English is available immediately. */
export const textsReady: Promise<Language> =
  language === 'en'
    ? Promise.resolve(language)
    : LOADERS[language]().then(
        (loaded) => {
          table = loaded.texts;
          errors = loaded.errors;
          return language;
        },
        () => 'en',
      );

/** Re-rendered when texts change. */
const listeners = new Set<() => void>();

/** Subscribes to text changes. @returns unsubscribe function */
export function onOtherWords(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Any viewer text; see `say-all.ts`. */
export const sayAny = (key: TextKey, values: Record<string, string | number> = {}): string =>
  (own[key] ?? organization[key] ?? table[key] ?? '').replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  );

/** A text available from the start. */
export function say(key: EarlyTextKey): string {
  return sayAny(key);
}

/** Adds English texts where no translation is loaded. */
export function learn(texts: Texts): void {
  table = { ...texts, ...table };
}

/**
 * Message of an API error, with the minutes until a retry makes sense; a fallback if the response has none.
 * @param body response body, of any shape
 */
export const sayError = (body: Partial<ErrorBody> | null | undefined, otherwise: TextKey): string =>
  errors[body?.code ?? '']?.replace('{minutes}', `${Math.ceil((body?.retry_after ?? 60) / 60)}`) ??
  Object.values(body?.msg ?? {}).flat()[0] ??
  sayAny(otherwise);

/** Applies the organization's texts; those of the embedding page take precedence. */
export function takeOwnTexts(texts: OwnTexts): void {
  organization = texts[language];
}

/** Applies texts and updates those on screen. */
export function putWords(words: Partial<Texts>): void {
  own = { ...own, ...words };
  for (const listener of listeners) listener();
}
