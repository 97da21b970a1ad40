import type { Element } from '../../../engine/document/element.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { TextKey } from '../../contract/viewer-texts/en.ts';
import { say } from './say-all.ts';

/** Text key for an unnamed element. */
function kindOf({ element }: Element): TextKey {
  const { plays, press, reads } = traitsOf(element);
  if (reads === 'picture') return 'picture';
  if (press === 'go') return 'viewPointUnnamed';
  return plays === 'film' || plays === 'live' ? 'film' : 'thing';
}

/** The author's name for an element; empty if none. */
function givenName({ element, config, name }: Element, words: string): string {
  const { namedBy, reads } = traitsOf(element);
  const own = namedBy && (config as { title?: string; text?: string; name?: string })[namedBy];
  return own || name || (reads === 'page_part' ? words : '');
}

/**
 * Accessible name of a hotspot: title, text, name or type.
 * @param words text content of its HTML, or empty
 */
export const elementName = (element: Element, words: string): string =>
  givenName(element, words).trim() || say(kindOf(element));
