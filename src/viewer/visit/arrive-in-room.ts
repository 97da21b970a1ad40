import { headingOf } from '../../../engine/document/places.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';
import { cameraPlace } from '../address/page-place.ts';
import type { RoomArrival, WalkedStage } from './way-in.ts';

/** Turns the camera in place, to a direction in degrees. */
const look = ({ rig }: WalkedStage, { heading, pitch }: { heading: number; pitch: number }): void =>
  rig.look((-heading * Math.PI) / 180, Math.PI / 2 + (pitch * Math.PI) / 180);

type Place = ReturnType<typeof cameraPlace>;

/** Turns the camera in place, to look from one point towards another. */
export function lookAlong(stage: WalkedStage, { position: p, target: t }: Place): void {
  look(stage, headingOf({ x: t.x - p.x, y: t.y - p.y, z: t.z - p.z }));
  stage.invalidate();
}

/** Applies the view on arrival from another room. @param before the camera in that room, if there was one */
export function arriveInRoom(stage: WalkedStage, how: NonNullable<RoomArrival>, before: CameraPose | undefined): void {
  if (how === 'keep') {
    if (before) lookAlong(stage, cameraPlace(before));
    return;
  }
  const { view_point_id, heading, pitch } = how;
  const isThere = view_point_id && stage.scene.entityOf(view_point_id) !== undefined;
  if (isThere) stage.send({ type: 'go_to', element_id: view_point_id, arrival: { heading, pitch }, at_once: true });
  else look(stage, { heading, pitch });
  stage.invalidate();
}
