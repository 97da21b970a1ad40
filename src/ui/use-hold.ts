import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** Event handlers for a hold. */
interface HoldHandlers {
  onPointerDown(event: PointerEvent): void;
  onPointerUp(): void;
  onPointerCancel(): void;
  onLostPointerCapture(): void;
  onContextMenu(event: MouseEvent): void;
  /** For buttons: clicks without a pointer. */
  onClick(event: MouseEvent): void;
}

/**
 * Acts on press and repeats while held.
 * @param interval repeat interval in milliseconds
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
    // A long touch would open the context menu.
    onContextMenu: (event) => event.preventDefault(),
    onClick: (event) => {
      // Pointer presses have already acted; this click came from a keyboard or screen reader.
      if (event.detail === 0) act();
    },
  };
}
