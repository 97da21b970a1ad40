import type { Element } from './element.ts';
import { traitsOf } from './traits-of.ts';

/** Settings that describe an element; each type has some of them. */
interface DescribedConfig {
  alt?: string;
  decorative?: boolean;
  long_description?: string;
  transcript?: string;
  title?: string;
  text?: string;
  name?: string;
  author?: string;
  date?: string;
}

type Described = Pick<Element, 'element' | 'name' | 'config'>;

/** Whether screen readers skip an element that can't be pressed. */
export const isDecorative = ({ config }: Described): boolean => (config as DescribedConfig).decorative === true;

/** Field of the text alternative of an element: its own, otherwise its title, text or name. */
function alternativeField({ element, config }: Described): keyof DescribedConfig | undefined {
  const { alt } = config as DescribedConfig;
  const { namedBy } = traitsOf(element);
  return alt ? 'alt' : namedBy && (config as DescribedConfig)[namedBy] ? namedBy : undefined;
}

/** Path of the text alternative of an element, such as `config.alt`. */
export function alternativePath(element: Described): string {
  const field = alternativeField(element);
  return field ? `config.${field}` : 'name';
}

/** Text alternative of an element: its own, otherwise its title, text or name. Empty for decoration. */
export function alternativeOf(element: Described): string {
  if (isDecorative(element)) return '';
  const field = alternativeField(element);
  return String(field ? (element.config as DescribedConfig)[field] : element.name).trim();
}

/** Longer texts of an element, shown on request; each can be empty. */
export interface LongTexts {
  description: string;
  transcript: string;
}

/** The detailed description and the transcript of an element. Empty for decoration. */
export function longTextsOf(element: Pick<Element, 'config'>): LongTexts {
  const { decorative, long_description = '', transcript = '' } = element.config as DescribedConfig;
  return decorative
    ? { description: '', transcript: '' }
    : { description: long_description.trim(), transcript: transcript.trim() };
}

/** Author and date of an image, for its caption. */
export function creditOf({ config }: Described): string {
  const { author, date } = config as DescribedConfig;
  return [author, date].filter(Boolean).join(', ');
}
