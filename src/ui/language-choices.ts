import { languageName } from '../../engine/document/languages.ts';
import { locale } from './language/language.ts';

/** Languages to choose from. Any other BCP 47 tag that is in use stays. */
const TAGS =
  `ar bg bn ca cs cy da de de-CH el en en-GB en-US es es-419 et eu fa fi fr fr-CA fy ga gl he hi hr hu hy id is it
  ja ka ko lb lt lv mk ms mt nb nl nl-BE nn pl pt pt-BR pt-PT rm ro ru sk sl sq sr sv sw ta th tr uk ur vi zh-Hans
  zh-Hant`.split(/\s+/);

/** Languages for a select, by name. @param own tags in use */
export const languageChoices = (own: readonly string[]): { value: string; label: string }[] =>
  [...new Set([...own, ...TAGS])]
    .map((value) => ({ value, label: languageName(value, locale) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale));
