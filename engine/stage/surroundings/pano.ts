import { Group, type PerspectiveCamera } from 'three';
import { panoramaOf } from '../../document/panorama.ts';
import type { PanoTiles } from './pano-tiles.ts';
import { freePart, placePart, spherePart } from './sphere.ts';
import type { SurroundingsDrawing } from './surroundings.ts';

/**
 * A 360° photo around the visitor. It follows the camera, so that it stays endlessly far while elements move past. Of a
 * wide one, the parts that are looked at become sharp later.
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
      // The whole picture stays: less sharp is better than a sentence about it.
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
