import type { ElementType } from './element.ts';
import { TRAITS } from './element-traits.ts';
import type { ElementTraits } from './element-type.ts';

/** Traits of unknown types, which rooms of other versions and unvalidated rooms can contain. */
const UNKNOWN: ElementTraits = { hit: 'through' };

export const traitsOf = (type: ElementType): ElementTraits => TRAITS[type] ?? UNKNOWN;
