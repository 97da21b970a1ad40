import { BoxGeometry, MeshStandardMaterial } from 'three';
import type { InstanceLook } from './instances.ts';

/** Color of the sides and back of an image with depth. */
const BODY = '#2A2622';

/** Material of an image's body, which looks like a canvas on a stretcher. */
export const bodyMaterial = (): MeshStandardMaterial => new MeshStandardMaterial({ color: BODY, roughness: 0.8 });

/** Distance in units of an image from the front of its body, which would flicker otherwise. */
export const BODY_GAP = 0.2;

/** Look of the bodies of all images. */
export const bodyLook = (): InstanceLook => ({
  geometry: new BoxGeometry(),
  material: bodyMaterial(),
  castShadow: true,
  receiveShadow: false,
  renderOrder: 0,
  attributes: {},
});
