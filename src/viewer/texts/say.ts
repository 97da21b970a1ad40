import type { OwnTexts } from '../../contract/entities/own-texts.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import type { ErrorTexts, OwnTextKey, TextKey, Texts } from '../../contract/viewer-texts/en.ts';
import { type EarlyTextKey, enEarly } from '../../contract/viewer-texts/en-early.ts';
import { type Forms, fillText } from '../../contract/viewer-texts/fill-text.ts';
import { directionOf, type Language, preferredLanguage } from '../../contract/viewer-texts/limits.ts';
import { lostPartTexts } from '../../ui/load-part.ts';

/** Texts loaded so far. */
let table: Partial<Texts> = enEarly;
/** The English ones loaded so far. */
let english = table;
/** Overrides from the embedding page and the organization. */
let own: OwnTexts[Language] = {};
let organization: OwnTexts[Language] = {};
let organizationTexts: OwnTexts | undefined;
/** API error messages by code; English ones come with the response. */
const ENGLISH_ERRORS: Readonly<Record<string, string | Forms>> = { not_found: 'This page is no longer here.' };
let errors = ENGLISH_ERRORS;

const { lang, dir } = document.documentElement;
const asked = new URLSearchParams(location.search).get('lang');

/** The visitor's regional variant of a language, which decides how dates are written. */
const variantOf = (spoken: Language) =>
  navigator.languages.find((tag) => tag.split('-', 1)[0]?.toLowerCase() === spoken) ?? spoken;

/**
 * The viewer's language: that of the `lang` parameter or the room, or the browser's. The server writes a direction only
 * with the language of a room.
 */
export let language = preferredLanguage([asked ?? '', dir && lang, ...navigator.languages]);
export let languageTag = variantOf(language);

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ texts: Texts; errors: ErrorTexts }>> = {
  de: () => import('../../contract/viewer-texts/de.ts'),
  fr: () => import('../../contract/viewer-texts/fr.ts'),
  nl: () => import('../../contract/viewer-texts/nl.ts'),
  es: () => import('../../contract/viewer-texts/es.ts'),
  it: () => import('../../contract/viewer-texts/it.ts'),
  pt: () => import('../../contract/viewer-texts/pt.ts'),
  pl: () => import('../../contract/viewer-texts/pl.ts'),
  ja: () => import('../../contract/viewer-texts/ja.ts'),
  ar: () => import('../../contract/viewer-texts/ar.ts'),
};

/** Re-rendered when texts change. */
const listeners = new Set<() => void>();

const update = () => {
  for (const listener of listeners) listener();
};

/** Milliseconds to wait for texts before a visit goes on in English. */
const TEXTS_TIMEOUT = 8000;

/** The language of the page when it was opened. */
const first = language;

/** Resolves to the language once its texts are loaded; English is available immediately, and stands in for texts that are late. */
export const textsReady: Promise<Language> =
  language === 'en'
    ? Promise.resolve(language)
    : Promise.race([
        LOADERS[language]().then((loaded) => {
          // Another language may have been chosen meanwhile.
          if (language !== first) return language;
          table = loaded.texts;
          errors = loaded.errors;
          update();
          return language;
        }),
        new Promise<Language>((resolve) =>
          setTimeout(() => resolve(language === first ? 'en' : language), TEXTS_TIMEOUT),
        ),
      ]);

/** Number of the last choice of a language: texts of an earlier one that arrive later are dropped. */
let lastChoice = 0;

/** Changes the viewer's language, once its texts are loaded. @param tag if it is unknown, nothing changes */
export async function speak(tag: string): Promise<void> {
  const wanted = preferredLanguage([tag, language]);
  const choice = ++lastChoice;
  if (wanted === language) return;
  const loaded = wanted === 'en' ? { texts: english, errors: ENGLISH_ERRORS } : await LOADERS[wanted]();
  if (choice !== lastChoice) return;
  ({ texts: table, errors } = loaded);
  language = wanted;
  languageTag = variantOf(wanted);
  organization = organizationTexts?.[wanted] ?? {};
  update();
}

/** Subscribes to text changes. @returns unsubscribe function */
export function onOtherWords(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The custom text of a key, if there is one. */
const customText = (key: OwnTextKey): string | undefined => own[key] ?? organization[key];

/** Any viewer text; see `say-all.ts`. */
export const sayAny = (key: TextKey, values: Record<string, string | number> = {}): string => {
  const forMinute = key === 'accessEndsIn' && values.count === 1 ? customText('accessEndsInMinute') : undefined;
  return fillText(language, forMinute ?? customText(key) ?? table[key] ?? '', values);
};

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
  english = texts;
  table = { ...texts, ...table };
}

/** The translated message of an error code. */
function knownError(body: Partial<ErrorBody> | null | undefined): string | undefined {
  const text = errors[body?.code ?? ''];
  return text && fillText(language, text, { minutes: Math.ceil((body?.retry_after ?? 60) / 60) });
}

/**
 * Message of an API error, with the minutes until a retry makes sense; a fallback if the response has none.
 * @param body response body, of any shape
 */
export const sayError = (body: Partial<ErrorBody> | null | undefined, otherwise: TextKey): string =>
  knownError(body) ?? Object.values(body?.msg ?? {}).flat()[0] ?? sayAny(otherwise);

/** Applies the organization's texts; those of the embedding page take precedence. */
export function takeOwnTexts(texts: OwnTexts): void {
  organizationTexts = texts;
  organization = texts[language];
}

/** Applies texts and updates those on screen. */
export function putWords(words: OwnTexts[Language]): void {
  own = { ...own, ...words };
  update();
}

/** The key with left and right exchanged where the interface runs from right to left, for keys that mean next and previous. */
export const inReadingDirection = (key: string): string =>
  directionOf(language) === 'rtl' ? key.replace(/Left|Right/, (side) => (side === 'Left' ? 'Right' : 'Left')) : key;
