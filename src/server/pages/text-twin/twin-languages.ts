import { languageName } from '../../../../engine/document/languages.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import type { CachedRoom } from '../../features/rooms/room-cache.ts';
import { languageAttributes } from '../../features/visits/shown-language.ts';
import { textUrl } from './twin-links.ts';

/**
 * Attributes for texts that stay in the main language of a translated room, with a leading space; empty for others.
 * @param id element ID; null for the room itself, `template` for its template
 * @param paths paths of the texts, such as `config.title`
 */
export type LanguageMarks = (id: number | 'template' | null, ...paths: string[]) => string;

export function languageMarks({ document, untranslated }: CachedRoom): LanguageMarks {
  const { language } = document.config;
  const marks = language === undefined ? ' lang="" dir="auto"' : ` ${languageAttributes(language)}`;
  const kept = new Set(untranslated.map(({ id, path }) => `${id} ${path}`));
  return (id, ...paths) => (paths.some((path) => kept.has(`${id} ${path}`)) ? marks : '');
}

/**
 * Links to a text page in its languages; empty if there is only one.
 * @param queryIn query of the page in a language
 */
export function languageLinks(
  languages: readonly string[],
  shown: string | undefined,
  queryIn: (language: string) => string,
): string[] {
  return languages.map((tag) => {
    const current = tag === shown ? ' aria-current="true"' : '';
    const attributes = `hreflang="${escapeHtml(tag)}" ${languageAttributes(tag)}${current}`;
    return `<a href="${textUrl(queryIn(tag))}" ${attributes}>${escapeHtml(languageName(tag, tag))}</a>`;
  });
}
