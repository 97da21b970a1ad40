import { type AmbientLight, Color, Fog, type PerspectiveCamera, type Scene } from 'three';
import type { Room } from '../../document/room.ts';
import type { CameraPose } from '../../scene/view/camera-pose.ts';
import { flatIntensity } from './light-unit.ts';

/** Objects configured by a room's settings. */
export interface RoomParts {
  three: Scene;
  ambient: AmbientLight;
  camera: PerspectiveCamera;
  pose: CameraPose;
}

/** Applies a room's light, fog and clipping distances. */
export function applySettings({ config }: Room, { three, ambient, camera, pose }: RoomParts): void {
  const { ambient_light, fog } = config;
  const { near, far } = config.camera;
  ambient.intensity = flatIntensity(ambient_light);
  three.fog = fog.enabled ? new Fog(new Color(fog.color), fog.near, fog.far) : null;
  Object.assign(camera, { near, far });
  Object.assign(pose, { near, far });
}
