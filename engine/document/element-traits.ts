import { descriptors, type ElementType } from './element.ts';
import type { ElementTraits } from './element-type.ts';

/** Traits by element type. Pages contain this table without the schemas: `vite.element-traits.ts`. */
export const TRAITS = Object.fromEntries(
  Object.entries(descriptors).map(([type, { traits }]) => [type, traits]),
) as Record<ElementType, ElementTraits>;
