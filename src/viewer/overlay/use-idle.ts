import { useEffect, useState } from 'react';

/** Seconds without input after which the controls hide. */
export const IDLE_SECONDS = 5;

const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const;

/** Whether the visitor has done nothing for a while. A pointer or the focus on a control keeps it awake. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const sleep = () => {
      // A finger leaves what it touched last hovered until it touches something else.
      const isHovered = matchMedia('(hover: hover)').matches && document.querySelector('#overlay :hover');
      // A list that somebody opened is being read.
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
