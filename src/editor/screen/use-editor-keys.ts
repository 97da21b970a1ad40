import { useEffect, useRef } from 'react';
import { findElement } from '../../../engine/document/tree.ts';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import {
  groupSelected,
  invertSelection,
  removeSelected as removeMany,
  selectAll,
  selectSameType,
  ungroupSelected,
} from '../many/many-actions.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';
import { removeElement } from '../session/element-actions.ts';
import { RENAME_EVENT } from '../sidebar/rename-event.ts';

function removeSelected(editor: Editor): void {
  const { document, selection } = editor;
  if (selection.ids.length > 1) void removeMany(editor);
  const element = selection.selectedId === null ? undefined : findElement(document.room.elements, selection.selectedId);
  if (element) void removeElement(editor, element);
}

/** The keys that work outside of text fields. */
export function useEditorKeys(actions: {
  onFold(): void;
  onSheet(): void;
  onRevisions(): void;
  onCheck(): void;
}): void {
  const editor = useEditor();
  // The listener stays while the screen is drawn anew, and asks what to do when a key is pressed.
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const { document } = editor;
      const isMod = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      const isOnCanvas = event.target instanceof Element && event.target.closest('[role="application"]') !== null;
      const act = (): boolean => {
        if (isMod && key === 'z' && !event.altKey) event.shiftKey ? document.redo() : document.undo();
        else if (isMod && key === 'y') document.redo();
        else if (isMod && !event.altKey && key === 'a') event.shiftKey ? selectSameType(editor) : selectAll(editor);
        else if (isMod && !event.altKey && key === 'i' && !event.shiftKey) invertSelection(editor);
        else if (isMod && !event.altKey && key === 'g')
          event.shiftKey ? ungroupSelected(editor) : void groupSelected(editor);
        else if (isMod || event.altKey) return false;
        else if (key === 'delete' || key === 'backspace') removeSelected(editor);
        else if (key === 'f2') dispatchEvent(new Event(RENAME_EVENT));
        else if (key === '?') latest.current.onSheet();
        else if (key === 'v') latest.current.onRevisions();
        else if (key === 'c') latest.current.onCheck();
        // Elsewhere the key goes to the next field, as everywhere.
        else if (key === 'tab' && isOnCanvas && !event.shiftKey) latest.current.onFold();
        else return false;
        return true;
      };
      if (act()) event.preventDefault();
    };
    // Esc closes the dialog that is open, also before it has taken the focus, and nothing behind it.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && window.document.querySelector('[role="dialog"]')) event.preventDefault();
    };
    const abort = new AbortController();
    addEventListener('keydown', onKey, { signal: abort.signal });
    addEventListener('keydown', onEscape, { signal: abort.signal, capture: true });
    return () => abort.abort();
  }, [editor]);
}
