import { alternativeOf, type LongTexts, longTextsOf } from '../../../engine/document/alternative.ts';
import type { Element } from '../../../engine/document/element.ts';
import { placePanorama } from '../../../engine/document/places.ts';
import { ancestorsOf } from '../../../engine/document/tree.ts';
import { openElements } from '../visit/open-elements.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';

/** Something with a detailed description or a transcript. */
export interface Described extends LongTexts {
  /** Element ID; 0 for the panorama of the template. */
  id: number;
  /** May be empty. */
  name: string;
}

const isDescribed = ({ description, transcript }: LongTexts) => description !== '' || transcript !== '';

/** An element with its longer texts; undefined if it has none. */
export function describedOf(element: Element): Described | undefined {
  const texts = longTextsOf(element);
  return isDescribed(texts) ? { ...texts, id: element.id, name: alternativeOf(element) } : undefined;
}

/**
 * Longer texts at a place: those of its panorama first, then the elements that are visible there, in reading
 * order.
 * @param place ID of the current view point; null for none
 * @param now seconds since 1970
 */
export function describedAt(
  { elements, template, title }: VisitedRoom,
  place: number | null,
  now: number,
): Described[] {
  const isHere = ({ hidden, visible_at }: Element) =>
    !hidden && (visible_at.length === 0 || (place !== null && visible_at.includes(place)));
  const found = openElements(elements, now).flatMap((element) => {
    const described = describedOf(element);
    if (!described) return [];
    if (element.element === 'view_point') return element.id === place ? [described] : [];
    return [element, ...ancestorsOf(elements, element.id)].every(isHere) ? [described] : [];
  });
  const description = template?.config?.long_description?.trim() ?? '';
  const isShown = description !== '' && placePanorama({ elements, template }, place ?? 0)?.position === null;
  const panorama = isShown ? [{ id: 0, name: title, description, transcript: '' }] : [];
  return [...panorama, ...found.toSorted((a, b) => Number(b.id === place) - Number(a.id === place))];
}
