import type { Vector } from '../../document/fields.ts';
import type { Room } from '../../document/room.ts';

/** Viewing direction in radians. */
export interface View {
  /** Around the vertical axis: 0 along −z, increasing to the left. */
  azimuth: number;
  /** Above the horizon. */
  elevation: number;
}

/** Initial viewing direction of a room (not normalized); straight ahead by default. */
export function openingDirection({ config, angle }: Pick<Room, 'config' | 'angle'>): Vector {
  const { position, rotation, angle: own } = config.camera;
  const look = own ?? angle;
  if (!look) {
    // Straight ahead (−z), rotated around x, then y.
    const level = Math.cos(rotation.x);
    return { x: -Math.sin(rotation.y) * level, y: Math.sin(rotation.x), z: -Math.cos(rotation.y) * level };
  }
  const direction = { x: look.x - position.x, y: look.y - position.y, z: look.z - position.z };
  return Math.hypot(direction.x, direction.y, direction.z) === 0 ? { x: 0, y: 0, z: -1 } : direction;
}

/**
 * Initial position of a room, and viewing direction (not normalized): portrait screens can have their own.
 * @param aspect width divided by height
 */
export function openingPose(
  room: Pick<Room, 'config' | 'angle'>,
  aspect: number,
): { position: Vector; direction: Vector } {
  const { position, portrait } = room.config.camera;
  // A surface without a size has no aspect ratio.
  if (!(aspect < 1) || !portrait) return { position, direction: openingDirection(room) };
  const { position: from, target: to } = portrait;
  return { position: from, direction: { x: to.x - from.x, y: to.y - from.y, z: to.z - from.z } };
}

/** The view along a direction, not clamped: camera limits apply to visitors, not to the room's initial view. */
export const viewAlong = ({ x, y, z }: Vector): View => ({
  azimuth: Math.atan2(-x, -z),
  elevation: Math.atan2(y, Math.hypot(x, z)),
});
