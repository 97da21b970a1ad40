import type { ElementType } from './element.ts';
import { TRAITS } from './element-traits.ts';
import type { ElementTraits } from './element-type.ts';

/** Of what is no element type: rooms of another version, or that nobody checked, may hold one. */
const UNKNOWN: ElementTraits = { hit: 'through' };

/** What a visit asks of an element type. */
export const traitsOf = (type: ElementType): ElementTraits => TRAITS[type] ?? UNKNOWN;
