import { useEffect, useState } from 'react';

/** Idle seconds before the controls hide. */
export const IDLE_SECONDS = 5;

const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const;

/** Whether the visitor is idle. A hovered or focused control prevents it. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const sleep = () => {
      // On touch, the last touched element stays hovered.
      const isHovered = matchMedia('(hover: hover)').matches && document.querySelector('#overlay :hover');
      // An open list is in use.
      const held = isHovered || document.querySelector('#overlay :is(:focus-visible, [data-list])');
      if (held) wake();
      else setIdle(true);
    };
    const wake = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(sleep, IDLE_SECONDS * 1000);
    };
    wake();
    for (const sign of ACTIVITY_EVENTS) addEventListener(sign, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of ACTIVITY_EVENTS) removeEventListener(sign, wake);
    };
  }, []);
  return idle;
}
