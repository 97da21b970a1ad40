import type { Element, ElementOf } from './element.ts';
import { walk } from './tree.ts';

/** The view points of a room in the order of its menu. */
export const viewPointsOf = (elements: readonly Element[]): ElementOf<'view_point'>[] =>
  [...walk(elements)]
    .filter((element): element is ElementOf<'view_point'> => element.element === 'view_point')
    .sort((a, b) => a.config.order_rank - b.config.order_rank);
