import type { Vector } from '../../document/fields.ts';
import { isPlace, positionInRoom } from '../../document/places.ts';
import type { Room } from '../../document/room.ts';
import { findElement } from '../../document/tree.ts';

/** Viewing direction in radians. */
export interface View {
  /** Around the vertical axis: 0 along −z, increasing to the left. */
  azimuth: number;
  /** Above the horizon. */
  elevation: number;
}

/** The way from one point to another. */
export const between = (from: Vector, to: Vector): Vector => ({ x: to.x - from.x, y: to.y - from.y, z: to.z - from.z });

/** Initial viewing direction of a room (not normalized); straight ahead by default. */
export function openingDirection({ config, angle }: Pick<Room, 'config' | 'angle'>): Vector {
  const { position, rotation, angle: own } = config.camera;
  const look = own ?? angle;
  if (!look) {
    // Straight ahead (−z), rotated around x, then y.
    const level = Math.cos(rotation.x);
    return { x: -Math.sin(rotation.y) * level, y: Math.sin(rotation.x), z: -Math.cos(rotation.y) * level };
  }
  const direction = between(position, look);
  return Math.hypot(direction.x, direction.y, direction.z) === 0 ? { x: 0, y: 0, z: -1 } : direction;
}

/** A position, and a viewing direction (not normalized). */
export interface StandingView {
  position: Vector;
  direction: Vector;
}

/**
 * Initial view of a room without a current view point: portrait screens can have their own.
 * @param aspect width divided by height
 */
export function openingPose(room: Pick<Room, 'config' | 'angle'>, aspect: number): StandingView {
  const { position, portrait } = room.config.camera;
  // A surface without a size has no aspect ratio.
  if (!(aspect < 1) || !portrait) return { position, direction: openingDirection(room) };
  return { position: portrait.position, direction: between(portrait.position, portrait.target) };
}

/** Initial view of a room at a view point. @param place its id; 0 for none */
export function startPose(
  room: Pick<Room, 'config' | 'angle' | 'elements'>,
  aspect: number,
  place: number,
): StandingView {
  const opening = openingPose(room, aspect);
  const start = place === 0 ? undefined : findElement(room.elements, place);
  if (start?.element !== 'view_point') return opening;
  const position = positionInRoom(room.elements, start);
  const { arrival_view, target_position } = start.config;
  const keeps = isPlace(start) && arrival_view === 'keep';
  return { position, direction: keeps ? opening.direction : between(position, target_position) };
}

/** The view along a direction, not clamped: camera limits apply to visitors, not to the room's initial view. */
export const viewAlong = ({ x, y, z }: Vector): View => ({
  azimuth: Math.atan2(-x, -z),
  elevation: Math.atan2(y, Math.hypot(x, z)),
});
