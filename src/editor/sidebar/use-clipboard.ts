import { useEffect } from 'react';
import { findElement } from '../../../engine/document/tree.ts';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import { clipOf, readClip } from '../session/copies.ts';
import { useEditor } from '../session/editor-context.ts';
import { putCopies, titleOf } from '../session/element-actions.ts';

/** Copying and pasting by the keys: elements travel as text, so that they reach other rooms and windows as well. */
export function useClipboard(): void {
  const editor = useEditor();
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const { document: room, selection } = editor;
    const copy = (event: ClipboardEvent) => {
      // Text that is selected is what is meant.
      if (isTyping(event.target) || !(getSelection()?.isCollapsed ?? true)) return;
      const id = selection.selectedId;
      const element = id === null ? undefined : findElement(room.room.elements, id);
      if (!element || element.element === 'group') return;
      event.clipboardData?.setData('text/plain', clipOf([element]));
      event.preventDefault();
    };
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !(getSelection()?.isCollapsed ?? true)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const elements = readClip(text, (id) => findElement(room.room.elements, id) !== undefined);
      if (!elements?.[0]) return;
      event.preventDefault();
      void putCopies(editor, elements, { behind: selection.selectedId, label: `Paste “${titleOf(elements[0])}”` });
    };
    document.addEventListener('copy', copy, { signal });
    document.addEventListener('paste', paste, { signal });
    return () => abort.abort();
  }, [editor]);
}
