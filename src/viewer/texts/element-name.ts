import { alternativeOf, longTextsOf } from '../../../engine/document/alternative.ts';
import type { Element } from '../../../engine/document/element.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { ElementNaming } from '../../../engine/stage/stage-options.ts';
import type { TextKey } from '../../contract/viewer-texts/en.ts';
import { say } from './say-all.ts';

/** Text key for the kind of an element. */
function kindOf({ element }: Element): TextKey {
  const { plays, press, reads } = traitsOf(element);
  if (reads === 'picture') return 'picture';
  if (press === 'go') return 'viewPointUnnamed';
  return plays === 'film' || plays === 'live' ? 'film' : 'thing';
}

/** Name of a place, whose alternative describes its panorama; empty for other elements. */
const placeName = ({ element, name, config }: Element): string =>
  traitsOf(element).press === 'go' ? (config as { name?: string }).name || name : '';

const nameOf = (element: Element, words = ''): string =>
  placeName(element) ||
  alternativeOf(element) ||
  (traitsOf(element.element).reads === 'page_part' && words) ||
  say(kindOf(element));

/** Names hotspots: by alternative text, title, text, name or kind. */
export const elementNaming: ElementNaming = {
  name: nameOf,
  kind: (element) => say(kindOf(element)),
  details: (element) => {
    const { description, transcript } = longTextsOf(element);
    if (!description && !transcript) return '';
    return say(description ? 'descriptionOf' : 'transcriptOf', { name: nameOf(element) });
  },
};
