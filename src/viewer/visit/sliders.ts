import type { Element } from '../../../engine/document/element.ts';

/** Id of a room's first slider, if any. */
export const firstSlider = (elements: readonly Element[]): number | undefined =>
  elements.find(({ element, config }) => element === 'group' && config.slider_enabled)?.id;
