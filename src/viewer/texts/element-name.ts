import type { Element } from '../../../engine/document/element.ts';
import type { TextKey } from '../../contract/viewer-texts/en.ts';
import { say } from './say-all.ts';

/** What an element is called that has no name, by its type. */
const KINDS: Partial<Record<Element['element'], TextKey>> = {
  image: 'picture',
  native_video: 'film',
  video: 'film',
  live_stream: 'film',
  view_point: 'viewPointUnnamed',
};

/** What an author called an element; empty where nothing was said. */
function givenName({ element, config, name }: Element, words: string): string {
  switch (element) {
    case 'image':
    case 'button':
      return config.title || name;
    case 'text':
      return config.text || name;
    case 'view_point':
      return config.name || name;
    case 'html':
    case 'rich_text':
      return name || words;
    default:
      return name;
  }
}

/**
 * What visitors read of an element that can be pressed: its title, its words, its name, otherwise what it is.
 * @param words what the piece of page says that it is drawn as; empty where it is none
 */
export const elementName = (element: Element, words: string): string =>
  givenName(element, words).trim() || say(KINDS[element.element] ?? 'thing');
