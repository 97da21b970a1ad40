import type { Element } from '../../../engine/document/element.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';

/** Subtitle settings of a video. Platform players (with a type) switch their own. */
interface SubtitleConfig {
  type?: string;
  text_tracks?: readonly { language: string }[];
  default_text_track?: string;
}

/** Language codes of an element's switchable subtitles. */
export function languagesOf({ element, config }: Element): string[] {
  const { type = 'local', text_tracks = [] } = config as SubtitleConfig;
  const isSwitched = traitsOf(element).plays === 'film' && type === 'local';
  return isSwitched ? text_tracks.map(({ language }) => language).filter(Boolean) : [];
}

/** Language codes of all subtitles in a room, in order. */
export const subtitleLanguages = (elements: readonly Element[]): string[] => [
  ...new Set(elements.flatMap(languagesOf)),
];

/** Name of a language in that language; the code if unknown. */
export function nameOfLanguage(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Default subtitle language of a room; empty for none. */
export function shownAtFirst(elements: readonly Element[]): string {
  for (const element of elements) {
    const { default_text_track: shown } = element.config as SubtitleConfig;
    const language = languagesOf(element).find((code) => code === shown);
    if (language) return language;
  }
  return '';
}
