import { when } from 'mobx';
import { useEffect, useLayoutEffect } from 'react';
import { Vector3 } from 'three';
import { canvasOf } from '../canvas/canvas-store.ts';
import { keepUnsaved } from '../preview/unsaved-room.ts';
import { useEditor } from '../session/editor-context.ts';

/** What somebody looked at in a room. */
interface View {
  position: Vector3;
  direction: Vector3;
  selectedIds: readonly number[];
}

/** By room; for as long as the page goes on, from the editor to the preview and back. */
const views = new Map<number, View>();

/** Whoever comes back to a room stands where they stood, with what they had selected. */
export function useRememberedView(): void {
  const { document, roomId, saving, selection } = useEditor();
  const store = canvasOf(document);
  useEffect(
    () =>
      when(
        () => store.stage !== null,
        () => {
          const view = views.get(roomId);
          if (!view) return;
          const { position, direction, selectedIds } = view;
          store.stage!.rig.moveTo(position, direction.clone().add(position), undefined, false);
          selection.selectMany(selectedIds);
        },
      ),
    [store, roomId, selection],
  );
  // Before the canvas is closed, whose camera is asked.
  useLayoutEffect(
    () => () => {
      keepUnsaved(roomId, saving.queue.waiting > 0 ? document.room : null);
      const { stage } = store;
      if (!stage) return;
      const { camera } = stage;
      const view = { position: camera.position.clone(), direction: camera.getWorldDirection(new Vector3()) };
      views.set(roomId, { ...view, selectedIds: selection.ids });
    },
    [store, roomId, document, saving, selection],
  );
}
