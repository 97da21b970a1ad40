import { type RefObject, useEffect } from 'react';

/**
 * Returns focus when an iframe takes it by itself, as rooms do.
 * @param isKept whether to prevent the iframe from taking focus
 */
export function useKeptFocus(frame: RefObject<HTMLIFrameElement | null>, isKept: boolean): void {
  useEffect(() => {
    if (!isKept) return;
    let last = document.activeElement;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== frame.current) last = target;
    };
    const restoreFocus = () => {
      if (document.activeElement !== frame.current) return;
      frame.current?.blur();
      if (last instanceof HTMLElement && last !== frame.current) last.focus({ preventScroll: true });
    };
    // The window blurs first; activeElement updates a moment later.
    const check = () => setTimeout(restoreFocus);
    document.addEventListener('focusin', note);
    addEventListener('blur', check);
    return () => {
      document.removeEventListener('focusin', note);
      removeEventListener('blur', check);
    };
  }, [frame, isKept]);
}
