import type { Element } from './element.ts';

/** Whether an element stands in the room, unlike plans and nadir patches. Images of earlier versions do. */
export const isInRoom = ({ element, config }: Element): boolean =>
  element !== 'image' || (config.appearance !== 'plan' && config.appearance !== 'nadir');
