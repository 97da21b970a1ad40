import { type AmbientLight, Color, Fog, type PerspectiveCamera, type Scene, type WebGLRenderer } from 'three';
import type { Room } from '../document/room.ts';
import type { CameraPose } from '../scene/camera-pose.ts';
import { flatIntensity } from './light-unit.ts';

/** What a room's own settings change. */
export interface RoomParts {
  three: Scene;
  ambient: AmbientLight;
  renderer: WebGLRenderer;
  camera: PerspectiveCamera;
  pose: CameraPose;
}

/** Takes over a room's own settings: light, fog, resolution, reach of the camera. */
export function applySettings({ config }: Room, { three, ambient, renderer, camera, pose }: RoomParts): void {
  const { ambient_light, fog, pixelratio } = config;
  const { near, far } = config.camera;
  ambient.intensity = flatIntensity(ambient_light);
  three.fog = fog.enabled ? new Fog(new Color(fog.color), fog.near, fog.far) : null;
  renderer.setPixelRatio(pixelratio ?? Math.min(devicePixelRatio, 2));
  Object.assign(camera, { near, far });
  Object.assign(pose, { near, far });
}
