import { Box } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { fovFor } from '../../../engine/stage/camera/limits.ts';
import { START_ASPECTS, type StartScreen, startView } from '../../../engine/tools/camera/camera-views.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';

/** Longest side of a preview in pixels. */
const LONGEST = 240;
/** Milliseconds after the last change before it is drawn. */
const DEBOUNCE = 150;

/** What visitors see first on a kind of screen, drawn from the room as it is edited. */
export const StartPreview = observer(({ screen }: { screen: StartScreen }) => {
  const { document } = useEditor();
  const { stage } = canvasOf(document);
  const { room } = document;
  const holder = useRef<HTMLDivElement>(null);
  const aspect = START_ASPECTS[screen];
  const [width, height] = aspect > 1 ? [LONGEST, LONGEST / aspect] : [LONGEST * aspect, LONGEST];
  const { position, target } = startView(room, screen);
  const fov = fovFor(room.config.camera, aspect);
  const wanted = JSON.stringify([position, target, fov]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` contains the view.
  useEffect(() => {
    if (!stage) return;
    let isOver = false;
    const draw = async () => {
      const eye = stage.camera.clone();
      eye.position.set(position.x, position.y, position.z);
      eye.lookAt(target.x, target.y, target.z);
      Object.assign(eye, { aspect, fov, zoom: 1 });
      eye.updateProjectionMatrix();
      eye.updateMatrixWorld();
      const picture = await stage.pictureFrom(eye, Math.round(width), Math.round(height));
      if (picture && !isOver) holder.current?.replaceChildren(picture);
    };
    const timer = setTimeout(() => void draw(), DEBOUNCE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [stage, wanted, aspect, width, height]);
  return (
    <Box
      ref={holder}
      role="img"
      aria-label={screen === 'portrait' ? 'Start view on portrait screens' : 'Start view'}
      w={Math.round(width)}
      h={Math.round(height)}
      bg="dark.6"
      style={{ borderRadius: 6, overflow: 'hidden' }}
    />
  );
});
