import { type RefObject, useEffect, useRef, useState } from 'react';

/** A list that opens at a button, and closes with Esc or a press outside of it. */
export function useDropdown<T extends HTMLElement>(): {
  root: RefObject<T | null>;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
} {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<T>(null);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      const outside = event.type === 'pointerdown' && !root.current?.contains(event.target as Node);
      if (outside || (event as KeyboardEvent).key === 'Escape') setOpen(false);
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, [isOpen]);
  return { root, isOpen, setOpen };
}
