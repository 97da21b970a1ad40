import { descriptors, type ElementType } from './element.ts';
import type { ElementTraits } from './element-type.ts';

/** What a visit asks of each element type. Pages carry the finished table without the schemas: `vite.element-traits.ts`. */
export const TRAITS = Object.fromEntries(
  Object.entries(descriptors).map(([type, { traits }]) => [type, traits]),
) as Record<ElementType, ElementTraits>;
