import type { Element } from '../../../engine/document/element.ts';
import { walk } from '../../../engine/document/tree.ts';

/** Id of a room's first slider; undefined where it has none. */
export const firstSlider = (elements: readonly Element[]): number | undefined =>
  [...walk(elements)].find(({ element, config }) => element === 'group' && config.slider_enabled)?.id;
