import type { Element } from '../../../engine/document/element.ts';
import { fovFor } from '../../../engine/stage/camera/limits.ts';
import { openingDirection, viewAlong } from '../../../engine/stage/camera/opening-view.ts';
import { pixelRatioOf } from '../../../engine/stage/rendering/pixel-ratio.ts';
import type { PublicRoom } from '../../contract/entities.ts';
import { readPoseLink } from '../address/pose-link.ts';
import type { Lens } from './painter.ts';

/** The direction from a view point to what it looks at. One inside a group stands where only the engine knows. */
function fromViewPoint(elements: readonly Element[], id: number) {
  const found = elements.find((element) => element.id === id);
  if (found?.element !== 'view_point') return null;
  const { x, y, z } = found.config.target_position;
  return { x: x - found.position_x, y: y - found.position_y, z: z - found.position_z };
}

function directionOf(room: PublicRoom, hash: string) {
  const link = readPoseLink(hash);
  if (!link) return openingDirection(room);
  if ('viewPoint' in link) return fromViewPoint(room.elements, link.viewPoint);
  const { position, target } = link;
  return { x: target.x - position.x, y: target.y - position.y, z: target.z - position.z };
}

/**
 * What a visitor sees first of a room's panorama.
 * @param hash end of the page's address, which may lead to a place in the room
 * @returns a function of the screen's width divided by its height; null where only the engine can tell
 */
export function openingLens(room: PublicRoom, hash: string): ((aspect: number) => Lens) | null {
  const direction = directionOf(room, hash);
  if (!direction) return null;
  const view = viewAlong(direction);
  return (aspect) => ({ ...view, fov: fovFor(room.config.camera.fov, aspect), ratio: pixelRatioOf(room) });
}
