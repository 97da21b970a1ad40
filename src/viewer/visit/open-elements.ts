import type { Element } from '../../../engine/document/element.ts';
import { isOpenAt } from '../../../engine/document/window.ts';
import type { VisitState } from './visit-store.ts';

/** The server's clock in seconds since 1970, for a visit that has a structure. */
export const serverTime = ({ endpoint, arrivedAt = 0 }: Pick<VisitState, 'endpoint' | 'arrivedAt'>): number =>
  endpoint!.current_time + (performance.now() - arrivedAt) / 1000;

/** Elements that are open at a time, as are the groups they belong to. @param now seconds since 1970 */
export function openElements(elements: readonly Element[], now: number): Element[] {
  const open = new Map<number, Element>();
  for (const element of elements) {
    const { parent_element_id: parent } = element;
    if (isOpenAt(element, now) && (parent === null || open.has(parent))) open.set(element.id, element);
  }
  return [...open.values()];
}
