import { type RefObject, useEffect } from 'react';

/**
 * Gives the focus back to what had it when a page in a frame takes it by itself, as a room does.
 * @param isKept whether that page may not have it
 */
export function useKeptFocus(frame: RefObject<HTMLIFrameElement | null>, isKept: boolean): void {
  useEffect(() => {
    if (!isKept) return;
    let last = document.activeElement;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element && target !== frame.current) last = target;
    };
    const giveBack = () => {
      if (document.activeElement !== frame.current) return;
      frame.current?.blur();
      if (last instanceof HTMLElement && last !== frame.current) last.focus({ preventScroll: true });
    };
    // The window loses the focus to the frame; what is active is known a moment later.
    const check = () => setTimeout(giveBack);
    document.addEventListener('focusin', note);
    addEventListener('blur', check);
    return () => {
      document.removeEventListener('focusin', note);
      removeEventListener('blur', check);
    };
  }, [frame, isKept]);
}
