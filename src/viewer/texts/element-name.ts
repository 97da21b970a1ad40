import type { Element } from '../../../engine/document/element.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { TextKey } from '../../contract/viewer-texts/en.ts';
import { say } from './say-all.ts';

/** What an element is called that has no name, by what it is. */
function kindOf({ element }: Element): TextKey {
  const { plays, press, reads } = traitsOf(element);
  if (reads === 'picture') return 'picture';
  if (press === 'go') return 'viewPointUnnamed';
  return plays === 'film' || plays === 'live' ? 'film' : 'thing';
}

/** What an author called an element; empty where nothing was said. */
function givenName({ element, config, name }: Element, words: string): string {
  const { namedBy, reads } = traitsOf(element);
  const own = namedBy && (config as { title?: string; text?: string; name?: string })[namedBy];
  return own || name || (reads === 'page_part' ? words : '');
}

/**
 * What visitors read of an element that can be pressed: its title, its words, its name, otherwise what it is.
 * @param words what the piece of page says that it is drawn as; empty where it is none
 */
export const elementName = (element: Element, words: string): string =>
  givenName(element, words).trim() || say(kindOf(element));
