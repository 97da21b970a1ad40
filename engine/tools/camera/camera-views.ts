import { Matrix4, Vector3 } from 'three';
import type { ElementFields, RoomFields } from '../../document/commands.ts';
import { PORTRAIT_FOV } from '../../document/constants.ts';
import type { Element, ElementOf } from '../../document/element.ts';
import type { Vector } from '../../document/fields.ts';
import type { Room } from '../../document/room.ts';
import { openingPose } from '../../stage/camera/opening-view.ts';
import type { Stage } from '../../stage/stage.ts';
import type { Picker } from './picker.ts';

/** Camera rotation for a direction: around x and y, in radians. */
export function turnAlong({ x, y, z }: Vector): { x: number; y: number } {
  const round = (value: number) => Math.round(value * 1e6) / 1e6 || 0;
  return { x: round(Math.atan2(y, Math.hypot(x, z))), y: round(Math.atan2(-x, -z)) };
}

/** Rounds a point to whole units. */
export const wholePoint = ({ x, y, z }: Vector): Vector => ({
  x: Math.round(x) || 0,
  y: Math.round(y) || 0,
  z: Math.round(z) || 0,
});

/** Camera position and look-at target in room units. */
export interface CameraView {
  position: Vector;
  target: Vector;
}

/** Distance in units of the target if only a direction is known. */
const AHEAD = 300;

/** Aspect ratios of the screens that have a start view. */
export const START_ASPECTS = { landscape: 16 / 9, portrait: 9 / 16 } as const;
export type StartScreen = keyof typeof START_ASPECTS;

/** The initial view of visitors. */
export function startView(room: Pick<Room, 'config' | 'angle'>, screen: StartScreen = 'landscape'): CameraView {
  const { position, direction } = openingPose(room, START_ASPECTS[screen]);
  const { x, y, z } = new Vector3().copy(direction as Vector3).setLength(AHEAD);
  return { position, target: { x: position.x + x, y: position.y + y, z: position.z + z } };
}

/** The current view of a stage's camera; its target is the point in the center, or a point ahead. */
export function viewThrough({ camera, canvas }: Stage, picker: Picker): CameraView {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const target = picker.pointAt(left + width / 2, top + height / 2);
  const position = camera.position.clone();
  return { position, target: target ?? camera.getWorldDirection(position.clone()).multiplyScalar(AHEAD).add(position) };
}

/** The view from a view point. */
export function viewOfPoint({ scene }: Stage, { id, config }: ElementOf<'view_point'>): CameraView | undefined {
  const entity = scene.entityOf(id);
  if (entity === undefined) return undefined;
  const matrix = new Matrix4();
  scene.worldMatrix(entity, matrix.elements);
  return { position: new Vector3().setFromMatrixPosition(matrix), target: config.target_position };
}

/** Room settings that make visitors start at a view. */
export function startFields({ config }: Room, { position, target }: CameraView): RoomFields {
  const rotation = turnAlong({ x: target.x - position.x, y: target.y - position.y, z: target.z - position.z });
  // A target would override the rotation.
  return {
    angle: null,
    config: { camera: { ...config.camera, position: wholePoint(position), rotation, angle: null } },
  };
}

/** Room settings that make visitors on portrait screens start at a view. */
export function portraitFields({ config: { camera } }: Room, { position, target }: CameraView): RoomFields {
  const fov = camera.portrait?.fov ?? PORTRAIT_FOV;
  const portrait = { position: wholePoint(position), target: wholePoint(target), fov };
  return { config: { camera: { ...camera, portrait } } };
}

/** Fields of a view point that shows a view. @param element with its current parent */
export function viewPointFields(
  { scene }: Stage,
  { parent_element_id: parent }: Element,
  { position, target }: CameraView,
): ElementFields {
  const matrix = new Matrix4();
  const entity = parent === null ? undefined : scene.entityOf(parent);
  if (entity !== undefined) scene.worldMatrix(entity, matrix.elements);
  const { x, y, z } = wholePoint(new Vector3().copy(position as Vector3).applyMatrix4(matrix.invert()));
  return { position_x: x, position_y: y, position_z: z, config: { target_position: wholePoint(target) } };
}
