import { useEffect, useState } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import type { VisitActions } from '../visit/visit-store.ts';

/** Time in milliseconds at each view point, once the camera rests. */
export const TOUR_DWELL = 6000;

const INPUTS = ['pointerdown', 'keydown', 'wheel'] as const;

/** Whether an event is a press on the tour button itself. */
const isPress = (event: Event) => {
  const isOnButton = event.target instanceof Element && event.target.closest('[data-tour]') !== null;
  return (
    isOnButton && (event instanceof PointerEvent || (event instanceof KeyboardEvent && /^(?:Enter| )$/.test(event.key)))
  );
};

/**
 * Guided tour through the view points in order, from the current to the last. Any input pauses it, except on elements with
 * `data-tour`.
 * @returns whether it is running, and a toggle
 */
export function useTour(
  viewPoints: readonly ElementOf<'view_point'>[],
  current: number | null,
  actions: VisitActions,
): { isRunning: boolean; setRunning(isRunning: boolean): void } {
  const [isRunning, setRunning] = useState(false);
  const index = viewPoints.findIndex(({ id }) => id === current);
  useEffect(() => {
    if (!isRunning) return;
    const next = viewPoints[index + 1];
    const goOn = () => {
      if (next) actions.goToViewPoint(next.id);
      else setRunning(false);
    };
    const pause = (event: Event) => {
      if (!isPress(event)) setRunning(false);
    };
    let timer = setTimeout(goOn, TOUR_DWELL);
    const stop = actions.events.subscribe(({ type }) => {
      if (type !== 'moved') return;
      clearTimeout(timer);
      timer = setTimeout(goOn, TOUR_DWELL);
    });
    for (const input of INPUTS) addEventListener(input, pause, { passive: true });
    return () => {
      stop();
      clearTimeout(timer);
      for (const input of INPUTS) removeEventListener(input, pause);
    };
  }, [isRunning, index, viewPoints, actions]);
  return {
    isRunning,
    setRunning: (wanted) => {
      const first = viewPoints[index + 1] ?? viewPoints[0];
      if (wanted && first) actions.goToViewPoint(first.id);
      setRunning(wanted);
    },
  };
}
