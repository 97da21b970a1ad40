import { alternativeOf } from '../../../engine/document/alternative.ts';
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

/**
 * Accessible name of a hotspot: alternative text, title, text, name or type.
 * @param words text content of its HTML, or empty
 */
export const elementName = (element: Element, words: string): string =>
  alternativeOf(element) || (traitsOf(element.element).reads === 'page_part' && words.trim()) || say(kindOf(element));
