import { DAY } from './constants.ts';
import type { FlatElement } from './element.ts';
import type { VisibleBetween } from './element-base.ts';

const secondsOf = (time: string) => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60;

/**
 * The window that an element's times of day describe.
 * @returns seconds of the local day, open ends reaching to the day's edge; the element's own window without times
 */
export function windowOf(
  element: Pick<FlatElement, 'start_time' | 'end_time' | 'visible_between'>,
): VisibleBetween | null {
  if (element.start_time === null && element.end_time === null) return element.visible_between;
  return {
    from: element.start_time === null ? 0 : secondsOf(element.start_time),
    till: element.end_time === null ? DAY : secondsOf(element.end_time),
  };
}
