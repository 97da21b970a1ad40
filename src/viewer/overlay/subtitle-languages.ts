import type { Element } from '../../../engine/document/element.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import { walk } from '../../../engine/document/tree.ts';

/** Settings of a film's subtitles. A platform's player, which has a type, switches its own. */
interface SubtitleConfig {
  type?: string;
  text_tracks?: readonly { language: string }[];
  default_text_track?: string;
}

/** Codes of the languages in which an element has subtitles that the viewer can switch. */
export function languagesOf({ element, config }: Element): string[] {
  const { type = 'local', text_tracks = [] } = config as SubtitleConfig;
  const isSwitched = traitsOf(element).plays === 'film' && type === 'local';
  return isSwitched ? text_tracks.map(({ language }) => language).filter(Boolean) : [];
}

/** Codes of the languages in which something in a room has subtitles, in the order in which they come. */
export const subtitleLanguages = (elements: readonly Element[]): string[] => [
  ...new Set([...walk(elements)].flatMap(languagesOf)),
];

/** A language in its own words; its code where the browser knows none. */
export function nameOfLanguage(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** The language in which a room's first subtitles are shown where nobody chose another one; empty for none. */
export function shownAtFirst(elements: readonly Element[]): string {
  for (const element of walk(elements)) {
    const { default_text_track: shown } = element.config as SubtitleConfig;
    const language = languagesOf(element).find((code) => code === shown);
    if (language) return language;
  }
  return '';
}
