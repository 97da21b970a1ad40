import type { NestedElement } from '../../../engine/document/element.ts';
import { fovFor } from '../../../engine/stage/camera/limits.ts';
import { openingDirection, viewAlong } from '../../../engine/stage/camera/opening-view.ts';
import { pixelRatioOf } from '../../../engine/stage/rendering/pixel-ratio.ts';
import type { PublicRoom } from '../../contract/entities.ts';
import { readPoseLink } from '../address/pose-link.ts';
import type { Lens } from './painter.ts';

/** Direction from a view point to its target. Positions inside groups are known only to the engine. */
function fromViewPoint(elements: readonly NestedElement[], id: number) {
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
 * First view of the room's panorama.
 * @param hash URL hash, which may be a deep link
 * @returns a function of the aspect ratio; null if only the engine knows the view
 */
export function openingLens(room: PublicRoom, hash: string): ((aspect: number) => Lens) | null {
  const direction = directionOf(room, hash);
  if (!direction) return null;
  const view = viewAlong(direction);
  return (aspect) => ({ ...view, fov: fovFor(room.config.camera.fov, aspect), ratio: pixelRatioOf(room) });
}
