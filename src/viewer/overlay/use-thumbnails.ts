import { useEffect, useRef, useState } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import type { VisitActions } from '../visit/visit-store.ts';

/** Thumbnail size in CSS pixels. */
export const THUMBNAIL = { width: 96, height: 60 } as const;
/** Empty placeholder image. */
export const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** Resolves when the browser is idle. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 50);
  });

/** Data URL of the view from a view point. */
async function pictureOf(stage: Stage, viewPoint: ElementOf<'view_point'>): Promise<string | null> {
  const entity = stage.scene.entityOf(viewPoint.id);
  if (entity === undefined) return null;
  const eye = stage.camera.clone();
  stage.scene.worldMatrix(entity, eye.matrix.elements);
  eye.position.setFromMatrixPosition(eye.matrix);
  const { x, y, z } = viewPoint.config.target_position;
  eye.lookAt(x, y, z);
  const { width, height } = THUMBNAIL;
  eye.aspect = width / height;
  eye.zoom = 1;
  eye.updateProjectionMatrix();
  const sharpness = Math.min(devicePixelRatio, 2);
  const picture = await stage.pictureFrom(eye, Math.round(width * sharpness), Math.round(height * sharpness));
  return picture?.toDataURL('image/jpeg', 0.8) ?? null;
}

/**
 * Thumbnails of view points, rendered one by one on demand once the room is ready.
 * @param isWanted whether the list is open
 * @returns thumbnail URLs by view point id
 */
export function useThumbnails(
  viewPoints: readonly ElementOf<'view_point'>[],
  isWanted: boolean,
  actions: VisitActions,
): ReadonlyMap<number, string> {
  const [pictures, setPictures] = useState<ReadonlyMap<number, string>>(new Map());
  const known = useRef(pictures);
  known.current = pictures;
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    const take = async () => {
      const taken = new Map(known.current);
      for (const viewPoint of viewPoints) {
        if (taken.has(viewPoint.id)) continue;
        await idle();
        if (isOver || !actions.stage) return;
        const picture = await pictureOf(actions.stage, viewPoint);
        if (!picture) continue;
        taken.set(viewPoint.id, picture);
        if (!isOver) setPictures(new Map(taken));
      }
    };
    void take();
    return () => {
      isOver = true;
    };
  }, [isWanted, viewPoints, actions]);
  return pictures;
}
