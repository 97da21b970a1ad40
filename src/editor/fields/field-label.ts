import { labelOf } from '../../../engine/document/field-labels.ts';
import { say } from '../../ui/language/say.ts';

/** Label of a field in the page's language. */
export const labelAt = (path: string): string => labelOf(path, say);

/** Value of an enum in words of the page's language. */
export const valueLabel = (value: string): string =>
  say(value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' '));
