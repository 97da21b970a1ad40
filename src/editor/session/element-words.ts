import type { Element } from '../../../engine/document/element.ts';
import { byPath } from '../../../engine/document/field-paths.ts';
import { kindOfText } from '../../../engine/document/texts.ts';
import { titleOf } from './element-names.ts';

/** Whether people read the text of a field. */
export const isProse = (path: string): boolean => kindOfText(path.split('.')) !== undefined;

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Converts text or HTML to plain text. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/<br[^>]*>|<\/(?:p|li|h\d|blockquote)>/gi, '\n')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_, sign: string) => SIGNS[sign]!)
    .trim();

/** Elements are replaced when they change, never changed. */
const found = new WeakMap<Element, string>();

/** Name and all texts of an element, in lower case. */
export function searchTextOf(element: Element): string {
  const known = found.get(element);
  if (known !== undefined) return known;
  const texts = Object.entries(byPath(element)).flatMap(([path, value]) =>
    typeof value === 'string' && value !== '' && isProse(path) ? plainText(value) : [],
  );
  const all = [titleOf(element), ...texts].join('\n').toLowerCase();
  found.set(element, all);
  return all;
}
