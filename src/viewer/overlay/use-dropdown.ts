import { type RefObject, useEffect, useRef, useState } from 'react';

/** A list that opens at a button, and closes with Esc or a press outside of it. */
export function useDropdown<T extends HTMLElement>(): {
  root: RefObject<T | null>;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
} {
  const [isOpen, open] = useState(false);
  const root = useRef<T>(null);
  const setOpen = (wanted: boolean) => {
    // What has the focus goes with the list: the button that opened it takes it, so that a keyboard goes on from there.
    const { activeElement } = document;
    if (!wanted && activeElement?.closest('li') && root.current?.contains(activeElement))
      root.current.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    open(wanted);
  };
  const close = useRef(setOpen);
  close.current = setOpen;
  useEffect(() => {
    if (!isOpen) return;
    const look = (event: Event) => {
      const outside = event.type === 'pointerdown' && !root.current?.contains(event.target as Node);
      const isEscape = (event as KeyboardEvent).key === 'Escape';
      // Esc closes one thing at a time.
      if (isEscape) event.stopPropagation();
      if (outside || isEscape) close.current(false);
    };
    addEventListener('pointerdown', look);
    addEventListener('keydown', look, true);
    return () => {
      removeEventListener('pointerdown', look);
      removeEventListener('keydown', look, true);
    };
  }, [isOpen]);
  return { root, isOpen, setOpen };
}
