import type { OwnTexts } from '../../contract/entities/own-texts.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import type { TextKey, Texts } from '../../contract/viewer-texts/en.ts';
import { type EarlyTextKey, enEarly } from '../../contract/viewer-texts/en-early.ts';
import { LANGUAGES, type Language } from '../../contract/viewer-texts/limits.ts';
import { lostPartTexts } from '../../ui/load-part.ts';

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

/** Re-rendered when texts change. */
const listeners = new Set<() => void>();

const update = () => {
  for (const listener of listeners) listener();
};

/** Milliseconds to wait for texts before a visit goes on in English. */
const TEXTS_TIMEOUT = 8000;

/** Resolves to the language once its texts are loaded; English is available immediately, and stands in for texts that are late. */
export const textsReady: Promise<Language> =
  language === 'en'
    ? Promise.resolve(language)
    : Promise.race([
        LOADERS[language]().then((loaded) => {
          table = loaded.texts;
          errors = loaded.errors;
          update();
          return language;
        }),
        new Promise<Language>((resolve) => setTimeout(() => resolve('en'), TEXTS_TIMEOUT)),
      ]);

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

Object.assign(lostPartTexts, {
  message: () => say('partLost'),
  retry: () => say('retry'),
  reload: () => say('reloadPage'),
});

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
  update();
}
