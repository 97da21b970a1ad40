import type { FastifyRequest } from 'fastify';
import type { OwnTexts } from '../../../contract/entities.ts';
import { ALL_TEXTS } from '../../../contract/viewer-texts/all.ts';
import type { TextKey, Texts } from '../../../contract/viewer-texts/en.ts';
import { type Language, preferredLanguage } from '../../../contract/viewer-texts/limits.ts';
import { acceptedLanguages, wantedLanguages } from '../../features/visits/shown-language.ts';

/** Texts of text pages, some replaced by the organization's own; for `fillText`. */
export type TwinTexts = { [Key in TextKey]: Texts[Key] | string };

/** The query of a page's URL. */
export const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.split('?').slice(1).join('?'));

/** The language in a page's URL; null for none. It may be malformed. */
export const askedLanguage = (request: FastifyRequest): string | null => queryOf(request).get('lang');

/** Languages that the visitor of a page wants, in order of preference. */
export const wantedOf = (request: FastifyRequest): string[] =>
  wantedLanguages(askedLanguage(request), request.headers['accept-language']);

/**
 * The language of a text page.
 * @param asked the language in the URL
 * @param accepted the browser's Accept-Language header
 * @param shown the language of the room on the page
 */
export function twinLanguage(asked: string | null, accepted: string | undefined, shown?: string): Language {
  return preferredLanguage([asked ?? '', shown ?? '', ...acceptedLanguages(accepted)]);
}

/** Texts in a language, overridden by the organization's own. */
export const twinTexts = (language: Language, own?: OwnTexts): TwinTexts => ({
  ...ALL_TEXTS[language],
  ...own?.[language],
});
