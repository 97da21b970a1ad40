import { useEffect, useRef } from 'react';

/** Whether keys belong to a dialog. */
const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/**
 * Ctrl+S saves what is open, wherever the focus is, and never the page.
 * @param save does it, unless a dialog is open over it
 */
export function useSaveKey(save: () => void): void {
  // The listener stays while what is open is drawn anew.
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 's';
      if (!isSave) return;
      event.preventDefault();
      if (!isDialogOpen() && !event.repeat) latest.current();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
