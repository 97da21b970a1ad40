import type { Element } from './element.ts';
import { traitsOf } from './traits-of.ts';

/** Settings that describe an element; each type has some of them. */
interface DescribedConfig {
  alt?: string;
  decorative?: boolean;
  title?: string;
  text?: string;
  name?: string;
  author?: string;
  date?: string;
}

type Described = Pick<Element, 'element' | 'name' | 'config'>;

/** Whether screen readers skip an element that can't be pressed. */
export const isDecorative = ({ config }: Described): boolean => (config as DescribedConfig).decorative === true;

/** Text alternative of an element: its own, otherwise its title, text or name. Empty for decoration. */
export function alternativeOf(element: Described): string {
  if (isDecorative(element)) return '';
  const { namedBy } = traitsOf(element.element);
  const config = element.config as DescribedConfig;
  return (config.alt || (namedBy && config[namedBy]) || element.name).trim();
}

/** Author and date of an image, for its caption. */
export function creditOf({ config }: Described): string {
  const { author, date } = config as DescribedConfig;
  return [author, date].filter(Boolean).join(', ');
}
