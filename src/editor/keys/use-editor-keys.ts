import { useEffect, useRef } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import { showNotification } from '../../ui/notifications.ts';
import { isNameKey } from '../../ui/tree/use-tree-keys.ts';
import { bookmarksOf, showView } from '../canvas/camera-views.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';
import type { Actions } from './actions.ts';
import { currentPreset, keyOf, shortcutAt } from './shortcuts.ts';

/** Whether a key searches a name in the tree. */
const isNameSearch = (event: KeyboardEvent) =>
  event.target instanceof Element && event.target.matches('[role="treeitem"]') && isNameKey(event);

/** Whether the focused control has a use for a key of its own, which `data-own-keys` lists. */
const isOwnKey = ({ target, key }: KeyboardEvent) =>
  target instanceof HTMLElement && target.dataset.ownKeys?.split(' ').includes(key) === true;

/** Handles shortcuts outside text fields and dialogs. */
export function useEditorKeys(actions: Actions): void {
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    // Capture runs before the canvas, which has fixed keys regardless of the preset.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || isNameSearch(event) || isOwnKey(event)) return;
      const id = shortcutAt(keyOf(event), currentPreset());
      const action = id && actions[id];
      if (!action) return;
      event.preventDefault();
      const isStep = id === 'undo' || id === 'redo';
      if ((!event.repeat || isStep) && action.isPossible?.() !== false) action.run();
    };
    // Esc closes only the top dialog, even before it has the focus.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('[role="dialog"]')) event.preventDefault();
    };
    addEventListener('keydown', onKey, { signal, capture: true });
    addEventListener('keydown', onEscape, { signal, capture: true });
    return () => abort.abort();
  }, [actions]);
}

/**
 * The bookmark of a key: its printed digit, or the digit key on layouts that print digits with Shift only, such as
 * AZERTY. Signs that are shortcuts themselves are no digits.
 */
function bookmarkPlace({ key, code, shiftKey }: KeyboardEvent): number | undefined {
  if (code.startsWith('Numpad')) return undefined;
  if (/^[1-9]$/.test(key)) return Number(key);
  const isKey = !shiftKey && !/^[-_+=/?]$/.test(key);
  return isKey ? Number(/^Digit([1-9])$/.exec(code)?.[1]) : undefined;
}

/** Digits go to bookmarks; Ctrl and a digit sets one. */
export function useBookmarkKeys(): void {
  const { document: room, roomId } = useEditor();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, repeat, target } = event;
      const place = bookmarkPlace(event);
      if (!place || altKey || repeat || event.defaultPrevented || isTyping(target)) return;
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

/** Whether a dialog handles keys. */
const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/**
 * Ctrl+S saves the open item wherever the focus is, instead of the page.
 * @param save not called if another dialog is open on top
 */
export function useSaveKey(save: () => void): void {
  // A ref keeps the listener registered across renders.
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
