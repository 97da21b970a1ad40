import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** What a button, or whatever else is held, listens with. */
interface HoldHandlers {
  onPointerDown(event: PointerEvent): void;
  onPointerUp(): void;
  onPointerCancel(): void;
  onLostPointerCapture(): void;
  onContextMenu(event: MouseEvent): void;
  /** For buttons: presses without a pointer. */
  onClick(event: MouseEvent): void;
}

/**
 * Acts when something is pressed, and again and again while it is held.
 * @param interval milliseconds between two acts while it is held
 */
export function useHold(act: () => void, interval: number): HoldHandlers {
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  const release = () => clearInterval(timer.current);
  useEffect(() => () => clearInterval(timer.current), []);
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      act();
      clearInterval(timer.current);
      timer.current = setInterval(act, interval);
    },
    onPointerUp: release,
    onPointerCancel: release,
    onLostPointerCapture: release,
    // A long touch would open the browser's menu.
    onContextMenu: (event) => event.preventDefault(),
    onClick: (event) => {
      // A press by pointer has acted already; this one came from the keyboard or a screen reader.
      if (event.detail === 0) act();
    },
  };
}
