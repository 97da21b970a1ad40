import type { Vector } from '../../document/fields.ts';
import type { Room } from '../../document/room.ts';

/** Which way a camera looks, in radians. */
export interface View {
  /** Around the vertical axis: 0 along −z, growing to the left. */
  azimuth: number;
  /** Upwards from the level. */
  elevation: number;
}

/** Which way the camera of a room looks when it opens: any length, straight ahead where the room says nothing. */
export function openingDirection({ config, angle }: Pick<Room, 'config' | 'angle'>): Vector {
  const { position, rotation, angle: own } = config.camera;
  const look = own ?? angle;
  if (!look) {
    // Straight ahead (−z), turned around x and then around y.
    const level = Math.cos(rotation.x);
    return { x: -Math.sin(rotation.y) * level, y: Math.sin(rotation.x), z: -Math.cos(rotation.y) * level };
  }
  const direction = { x: look.x - position.x, y: look.y - position.y, z: look.z - position.z };
  return Math.hypot(direction.x, direction.y, direction.z) === 0 ? { x: 0, y: 0, z: -1 } : direction;
}

/** The view along a direction. The camera's limits hold for who turns it, not for where a room has it look. */
export const viewAlong = ({ x, y, z }: Vector): View => ({
  azimuth: Math.atan2(-x, -z),
  elevation: Math.atan2(y, Math.hypot(x, z)),
});
