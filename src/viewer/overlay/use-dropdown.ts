import { type RefObject, useEffect, useRef, useState } from 'react';

/** Dropdown that closes on Esc or an outside press. */
export function useDropdown<T extends HTMLElement>(): {
  root: RefObject<T | null>;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
} {
  const [isOpen, open] = useState(false);
  const root = useRef<T>(null);
  const setOpen = (wanted: boolean) => {
    // Return focus to the button before the list unmounts.
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
      // Esc closes one layer at a time.
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
