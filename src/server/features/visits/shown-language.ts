import { chosenLanguage, directionOfTag, offeredLanguages } from '../../../../engine/document/languages.ts';
import type { PublicEndpoint } from '../../../contract/entities.ts';
import type { Variants } from '../../core/db/last-answers.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import type { CachedRoom } from '../rooms/room-cache.ts';

/** Maximum number of characters read of an `Accept-Language` header. */
const MAX_HEADER = 500;

/** Language tags of an `Accept-Language` header in order of preference (RFC 9110, 12.5.4). Tags may be malformed. */
export function acceptedLanguages(header: string | undefined): string[] {
  const ranges = (header ?? '').slice(0, MAX_HEADER).split(',');
  return ranges
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

/**
 * Languages that a visitor wants, in order of preference: the one in the URL, otherwise those of the browser.
 * @param asked value of the `lang` parameter; may be malformed
 * @param accepted `Accept-Language` header
 */
export const wantedLanguages = (asked: string | null | undefined, accepted: string | undefined): string[] =>
  asked ? [asked] : acceptedLanguages(accepted);

/** Fields of a structure about the language of its room. */
export function languageFields(
  room: CachedRoom | undefined,
): Pick<PublicEndpoint, 'language' | 'languages' | 'untranslated'> {
  if (!room) return {};
  const { language, untranslated } = room;
  const languages = offeredLanguages(room.document.config);
  return {
    ...(language !== undefined && { language }),
    ...(languages.length > 1 && { languages }),
    ...(untranslated.length > 0 && { untranslated: untranslated.length }),
  };
}

/** A structure, as far as its languages are concerned. */
interface Shown {
  fields: Pick<PublicEndpoint, 'language' | 'languages'>;
  room: Pick<CachedRoom, 'version'> | undefined;
}

/** Answers about a structure in several languages, for a visitor: in the best one, otherwise in the space's main language. */
export function byLanguage<T>(wanted: readonly string[], shownIn: (answer: T) => Shown | null): Variants<T> {
  const of = (answer: T) => shownIn(answer)?.fields.language ?? '';
  return {
    of,
    contentOf: (answer) => shownIn(answer)?.room?.version,
    choose: (answers) => {
      const cached = answers.map(of);
      const first = answers[0]!;
      // All show the same content. A space that states no main language has its own texts in none.
      const main = cached.includes('') ? '' : (shownIn(first)?.fields.languages?.[0] ?? of(first));
      return chosenLanguage(wanted, cached) ?? main;
    },
  };
}

/** Attributes of text in a language. @param tag BCP 47 tag */
export const languageAttributes = (tag: string): string => `lang="${escapeHtml(tag)}" dir="${directionOfTag(tag)}"`;

/** Query of a public page in a language. @param main language of the page without a query */
export const languageQuery = (language: string | undefined, main: string | undefined): string =>
  language === undefined || language === main ? '' : `?lang=${encodeURIComponent(language)}`;

/**
 * Title of a structure's page: the structure's name, or that of the space in another than its main language if the name
 * is not translated.
 */
export function titleOf(endpoint: {
  fields: Pick<PublicEndpoint, 'language' | 'name' | 'name_language'>;
  room: CachedRoom | undefined;
}): string {
  const { fields, room } = endpoint;
  const { config, title } = room?.document ?? {};
  const isUntranslated = fields.language !== config?.language && fields.name_language === undefined;
  return (isUntranslated && title) || fields.name;
}
