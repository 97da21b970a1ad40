import type { OwnTexts } from '../../contract/entities/own-texts.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import type { TextKey, Texts } from '../../contract/viewer-texts/en.ts';
import { type EarlyTextKey, enEarly } from '../../contract/viewer-texts/en-early.ts';
import { LANGUAGES, type Language } from '../../contract/viewer-texts/limits.ts';

/** What can be said so far. */
let table: Partial<Texts> = enEarly;
/** Words in place of the table's: the embedding page's, and the organization's. */
let own: Partial<Texts> = {};
let organization: Partial<Texts> = {};
/** Sentences for errors of the API by their codes; in English they come with the answer. */
let errors: Readonly<Record<string, string>> = { not_found: 'This page is no longer here.' };

const isLanguage = (code: string): code is Language => (LANGUAGES as readonly string[]).includes(code);
/** The first of these languages that the viewer speaks; English where it speaks none. */
const firstKnown = (codes: readonly string[]): Language =>
  codes.map((code) => code.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';

const asked = new URLSearchParams(location.search).get('lang');

/** What the viewer speaks: the language that the address asks for with `lang`, otherwise the browser's. */
export const language = firstKnown([...(asked ? [asked] : []), ...navigator.languages]);

/** Fulfilled with the language in which everything can be said from now on; English is there at once. */
export const textsReady: Promise<Language> =
  language === 'en'
    ? Promise.resolve(language)
    : import('../../contract/viewer-texts/nl.ts').then(
        ({ nl, nlErrors }) => {
          table = nl;
          errors = nlErrors;
          return language;
        },
        () => 'en',
      );

/** What says its words again where others take their place. */
const listeners = new Set<() => void>();

/** Calls back whenever other words take the place of the viewer's. @returns ends it */
export function onOtherWords(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Any words of the viewer; see `say-all.ts`. */
export const sayAny = (key: TextKey, values: Record<string, string | number> = {}): string =>
  (own[key] ?? organization[key] ?? table[key] ?? '').replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  );

/** Words that the viewer has from the beginning. */
export function say(key: EarlyTextKey): string {
  return sayAny(key);
}

/** Adds words in English, where none are known in the visitor's language. */
export function learn(texts: Texts): void {
  table = { ...texts, ...table };
}

/**
 * What an answer of the API says went wrong, and after how many minutes it is worth trying again; in other words where it says
 * nothing.
 * @param body whatever came back
 */
export const sayError = (body: Partial<ErrorBody> | null | undefined, otherwise: TextKey): string =>
  errors[body?.code ?? '']?.replace('{minutes}', `${Math.ceil((body?.retry_after ?? 60) / 60)}`) ??
  Object.values(body?.msg ?? {}).flat()[0] ??
  sayAny(otherwise);

/** Puts an organization's words in place of the viewer's own; an embedding page's still come before them. */
export function takeOwnTexts(texts: OwnTexts): void {
  organization = texts[language];
}

/** Puts other words in place of the viewer's own: what is said already is said again. */
export function putWords(words: Partial<Texts>): void {
  own = { ...own, ...words };
  for (const listener of listeners) listener();
}
