import { when } from 'mobx';
import { useEffect, useLayoutEffect } from 'react';
import { Vector3 } from 'three';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';

/** What somebody looked at in a room. */
interface View {
  position: Vector3;
  direction: Vector3;
  selectedId: number | null;
}

/** By room; for as long as the page goes on, from the editor to the preview and back. */
const views = new Map<number, View>();

/** Whoever comes back to a room stands where they stood, with what they had selected. */
export function useRememberedView(): void {
  const { document, roomId, selection } = useEditor();
  const store = canvasOf(document);
  useEffect(
    () =>
      when(
        () => store.stage !== null,
        () => {
          const view = views.get(roomId);
          if (!view) return;
          const { position, direction, selectedId } = view;
          store.stage!.rig.moveTo(position, direction.clone().add(position), undefined, false);
          selection.select(selectedId);
        },
      ),
    [store, roomId, selection],
  );
  // Before the canvas is closed, whose camera is asked.
  useLayoutEffect(
    () => () => {
      const { stage } = store;
      if (!stage) return;
      const { camera } = stage;
      const view = { position: camera.position.clone(), direction: camera.getWorldDirection(new Vector3()) };
      views.set(roomId, { ...view, selectedId: selection.selectedId });
    },
    [store, roomId, selection],
  );
}
