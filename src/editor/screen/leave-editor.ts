import { when } from 'mobx';
import { useEffect } from 'react';
import { Vector3 } from 'three';
import type { Vector } from '../../../engine/document/fields.ts';
import { previewPath } from '../../contract/editor-path.ts';
import { handOverUnsaved } from '../../ui/preview-handover.ts';
import { storedText } from '../../ui/storage.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';

/** Milliseconds to wait for the last edits to be saved; after that they stay in the browser and are sent later. */
const SAVE_TIMEOUT = 3000;

/** Camera and selection of an editor that was left for the preview. */
interface View {
  position: Vector;
  direction: Vector;
  selectedIds: readonly number[];
}

const storedView = (roomId: number) => storedText(`enfilade.editor-view:${roomId}`, 'window');

/** Waits until all edits are saved, or stored in the browser if they can't be saved now. */
export async function leaveEditor({ saving }: Editor): Promise<void> {
  const { queue } = saving;
  const isDone = () => queue.waiting === 0 || !['idle', 'sending'].includes(queue.state);
  await when(isDone, { timeout: SAVE_TIMEOUT }).catch(() => undefined);
  await queue.settled();
}

/** Opens the preview, with edits that are not saved yet; the way back leads to the same view and selection. */
export async function openPreview(editor: Editor): Promise<void> {
  await leaveEditor(editor);
  const { document, roomId, saving, selection } = editor;
  handOverUnsaved(roomId, saving.queue.waiting > 0 ? document.room : null);
  const { stage } = canvasOf(document);
  if (stage) {
    const { x, y, z } = stage.camera.position;
    const direction = stage.camera.getWorldDirection(new Vector3());
    const view: View = {
      position: { x, y, z },
      direction: { x: direction.x, y: direction.y, z: direction.z },
      selectedIds: selection.ids,
    };
    storedView(roomId).set(JSON.stringify(view));
  }
  location.assign(previewPath(roomId));
}

/** Follows links out of the editor once edits are saved, so that the next page shows them. */
function useSavingLinks(editor: Editor): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link?.target;
      if (!link || isElsewhere || event.defaultPrevented || link.origin !== location.origin) return;
      event.preventDefault();
      if (link.pathname === previewPath(editor.roomId)) void openPreview(editor);
      else void leaveEditor(editor).then(() => location.assign(link.pathname + link.search));
    };
    addEventListener('click', onClick, { capture: true });
    return () => removeEventListener('click', onClick, { capture: true });
  }, [editor]);
}

/** Resumes saving when the connection returns, and warns before the page closes only if edits would be lost. */
function useUnsavedGuard({ drafts, saving }: Editor): void {
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const resume = () => saving.queue.state === 'failing' && saving.queue.resume();
    addEventListener('online', resume, { signal });
    addEventListener(
      'beforeunload',
      (event) => {
        if (saving.queue.isAtRisk || drafts.isAtRisk) event.preventDefault();
      },
      { signal },
    );
    return () => abort.abort();
  }, [drafts, saving]);
}

/** Restores camera and selection after the preview. */
function useRestoredView({ document, roomId, selection }: Editor): void {
  const store = canvasOf(document);
  useEffect(
    () =>
      when(
        () => store.stage !== null,
        () => {
          const stored = storedView(roomId);
          const text = stored.get();
          stored.set(null);
          if (text === null) return;
          const { position, direction, selectedIds }: View = JSON.parse(text);
          const { x, y, z } = position;
          store.stage!.rig.moveTo(position, new Vector3(x, y, z).add(direction), undefined, false);
          selection.selectMany(selectedIds);
        },
      ),
    [store, roomId, selection],
  );
}

/** Protects unsaved edits when the page is left, and restores the view when it is opened again. */
export function useLeaving(): void {
  const editor = useEditor();
  useUnsavedGuard(editor);
  useSavingLinks(editor);
  useRestoredView(editor);
}
