import { Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { smallCopy } from '../../document/small-copy.ts';
import type { SurroundingsDrawing } from './surroundings.ts';

/** Radius of the sphere in units: any that near and far hold, for it is drawn before everything and moves along. */
const RADIUS = 100;
/** Segments around and from pole to pole: fine enough that straight lines look straight. */
const SEGMENTS = [96, 48] as const;

/**
 * A 360° photo around the visitor. It follows the camera, so that it stays endlessly far while elements move past.
 * The middle of the picture lies straight ahead (−z).
 */
export const drawPano: SurroundingsDrawing = async (context, room) => {
  const { file } = room.template!;
  const { url } = file!;
  const maxSize = context.renderer.capabilities.maxTextureSize;
  const texture = await context.resources.texture(url, { mipmaps: false, maxSize, small: smallCopy(url, file) });
  const geometry = new SphereGeometry(RADIUS, ...SEGMENTS);
  // Seen from inside, the picture is mirrored; turning it back also puts its middle at −z.
  geometry.scale(-1, 1, 1).rotateY(-Math.PI / 2);
  const material = new MeshBasicMaterial({
    map: texture,
    depthWrite: false,
    depthTest: false,
    fog: false,
    toneMapped: false,
  });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = Number.NEGATIVE_INFINITY;
  mesh.frustumCulled = false;
  return {
    object: mesh,
    follow: (camera) => {
      mesh.position.copy(camera.position);
    },
    dispose: () => {
      geometry.dispose();
      material.dispose();
      context.resources.release(url);
    },
  };
};
