import { useEffect, useRef } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import { showNotification } from '../../ui/notifications.ts';
import { bookmarksOf, showView } from '../canvas/camera-views.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';
import type { Actions } from './actions.ts';
import { currentPreset, keyOf, shortcutAt } from './shortcuts.ts';

const isOnCanvas = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="application"]') !== null;

/** The keys of the table, which work outside of text fields and dialogs. */
export function useEditorKeys(actions: Actions): void {
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    // Before the canvas, whose own keys are those of one preset.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const id = shortcutAt(keyOf(event), currentPreset());
      const action = id && actions[id];
      if (!action) return;
      // Elsewhere the key goes to the next field, as everywhere.
      if (id === 'panels' && !isOnCanvas(event.target)) return;
      event.preventDefault();
      const isStep = id === 'undo' || id === 'redo';
      if ((!event.repeat || isStep) && action.isPossible?.() !== false) action.run();
    };
    // Esc closes the dialog that is open, also before it has taken the focus, and nothing behind it.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('[role="dialog"]')) event.preventDefault();
    };
    addEventListener('keydown', onKey, { signal, capture: true });
    addEventListener('keydown', onEscape, { signal, capture: true });
    return () => abort.abort();
  }, [actions]);
}

/** The row of digits goes to views that are kept; with Ctrl it keeps them. */
export function useBookmarkKeys(): void {
  const { document: room, roomId } = useEditor();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { code, ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event;
      const place = Number(/^Digit([1-9])$/.exec(code)?.[1]);
      if (!place || altKey || shiftKey || repeat || event.defaultPrevented || isTyping(target)) return;
      const { tools } = canvasOf(room);
      const bookmarks = bookmarksOf(roomId);
      if (!tools) return;
      event.preventDefault();
      const view = bookmarks.at(place);
      if (ctrlKey || metaKey) {
        bookmarks.store(place, tools.view);
        showNotification(`This view is bookmark ${place} now: press ${place} to come back.`);
      } else if (view) showView(room, view);
      else showNotification(`There is no bookmark ${place} yet: press Ctrl+${place} to save this view.`);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [room, roomId]);
}

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
