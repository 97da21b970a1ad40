import { Group, type PerspectiveCamera } from 'three';
import { panoramaOf } from '../../document/panorama.ts';
import type { SurroundingsDrawing } from '../context.ts';
import type { PanoTiles } from './pano-tiles.ts';
import { freePart, placePart, spherePart } from './sphere.ts';

/**
 * A 360° photo around the visitor. It follows the camera, so that it appears infinitely far away. Wide photos get
 * sharp tiles where the visitor looks.
 */
export const drawPano: SurroundingsDrawing = async (context, room) => {
  const file = room.template!.file!;
  const { url, small, tiles } = panoramaOf(file);
  const { resources, renderer } = context;
  const maxSize = renderer.capabilities.maxTextureSize;
  const texture = await resources.texture(url, { mipmaps: false, maxSize, small, asIs: true });
  const whole = spherePart(texture, { left: 0, top: 0, width: 1, height: 1 }, 0);
  if (file.part) placePart(whole.geometry, file.part);
  const object = new Group();
  object.add(whole);
  let sharp: PanoTiles | undefined;
  let isOver = false;
  let seen: PerspectiveCamera | undefined;
  if (tiles)
    import('./pano-tiles.ts').then(
      ({ PanoTiles: Tiles }) => {
        if (isOver) return;
        sharp = new Tiles(tiles, object, context);
        if (seen) sharp.follow(seen);
      },
      // Keep the whole image; reduced sharpness isn't worth an error message.
      () => undefined,
    );
  return {
    object,
    follow: (camera) => {
      object.position.copy(camera.position);
      seen = camera;
      sharp?.follow(camera);
    },
    dispose: () => {
      isOver = true;
      sharp?.dispose();
      freePart(whole);
      resources.release(url, { asIs: true });
    },
  };
};
