import type { Element, ElementOf } from './element.ts';

/** The view points of a room in menu order. */
export const viewPointsOf = (elements: readonly Element[]): ElementOf<'view_point'>[] =>
  elements
    .filter((element): element is ElementOf<'view_point'> => element.element === 'view_point')
    .toSorted((a, b) => a.config.order_rank - b.config.order_rank);
