import { useEffect } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import { ApiError } from '../../contract/errors.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { importsOf, NO_UPLOADS } from '../canvas/import-store.ts';
import { clipOf } from '../session/copies.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';
import { branchesOf, cutElements, selectedElements } from '../session/element-actions.ts';
import { middleOfCanvas, pasteText, spotAtPointer, spotUnder } from './paste.ts';

/** Copy, cut and paste. Elements are copied as text, so that they can be pasted into other rooms and windows. */
export function useClipboard(): void {
  const editor = useEditor();
  const session = useSession();
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const store = canvasOf(editor.document);
    const pointer = { x: -1, y: -1 };
    let isInPlace = false;
    // Text fields and selected text keep the browser's own clipboard behavior.
    const isText = (target: EventTarget | null) => isTyping(target) || !(getSelection()?.isCollapsed ?? true);
    const copy = (event: ClipboardEvent) => {
      const elements = isText(event.target) ? [] : selectedElements(editor);
      if (elements.length === 0) return;
      event.clipboardData?.setData('text/plain', clipOf(branchesOf(editor, elements), location.origin));
      event.preventDefault();
      if (event.type === 'cut' && !editor.document.isReadOnly) cutElements(editor, elements);
    };
    const paste = (event: ClipboardEvent) => {
      const { clipboardData: data } = event;
      const { tools } = store;
      if (!data || !tools || editor.document.isReadOnly || isText(event.target)) return;
      event.preventDefault();
      const files = [...data.files];
      if (files.length === 0) {
        const spot = isInPlace ? undefined : spotAtPointer(tools, pointer);
        const place = { isSame: isInPlace, spot, otherwise: spotUnder(tools, pointer) };
        void pasteText(editor, data.getData('text/plain'), place).catch(showProblem);
      } else if (session.may('media', 'create')) importsOf(editor).add(files, spotUnder(tools, pointer));
      else showProblem(new ApiError('forbidden', NO_UPLOADS));
    };
    const listen = { signal };
    document.addEventListener('copy', copy, listen);
    document.addEventListener('cut', copy, listen);
    document.addEventListener('paste', paste, listen);
    addEventListener(
      'pointermove',
      ({ clientX, clientY }) => Object.assign(pointer, { x: clientX, y: clientY }),
      listen,
    );
    addEventListener('keydown', ({ shiftKey }) => (isInPlace = shiftKey), { signal, capture: true });
    return () => abort.abort();
  }, [editor, session]);
}

/** Pastes from the menu, if the browser lets pages read the clipboard. */
export async function pasteByMenu(editor: Editor, { isSame, spot }: { isSame?: boolean; spot?: Spot }): Promise<void> {
  const { tools } = canvasOf(editor.document);
  if (!tools) return;
  const otherwise = spot ?? middleOfCanvas(tools);
  let items: readonly ClipboardItem[];
  try {
    items = await navigator.clipboard.read();
  } catch {
    showNotification('The browser keeps the clipboard from menus. Press Ctrl+V to paste.');
    return;
  }
  const blobs = items.flatMap((item) =>
    item.types.filter((type) => type.startsWith('image/')).map((type) => item.getType(type)),
  );
  const images = (await Promise.all(blobs)).map(
    (blob) => new File([blob], `Pasted.${blob.type.split('/')[1]}`, { type: blob.type }),
  );
  if (images.length > 0) return importsOf(editor).add(images, otherwise);
  const text = items.find(({ types }) => types.includes('text/plain'));
  if (!text) return;
  const words = await (await text.getType('text/plain')).text();
  await pasteText(editor, words, { isSame, spot, otherwise }).catch(showProblem);
}
