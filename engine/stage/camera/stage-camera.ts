import {
  type AmbientLight,
  Color,
  Fog,
  type PerspectiveCamera,
  type Scene,
  type Scene as ThreeScene,
  type WebGLRenderer,
} from 'three';
import type { Room } from '../../document/room.ts';
import type { CameraPose } from '../../scene/view/camera-pose.ts';
import { flatIntensity } from '../rendering/light-unit.ts';
import { pixelRatioOf } from '../rendering/pixel-ratio.ts';
import { Quality } from '../rendering/quality.ts';
import { budget } from '../resources/device.ts';
import { fovFor } from './limits.ts';

/** Objects configured by a room's settings. */
interface RoomParts {
  three: Scene;
  ambient: AmbientLight;
  camera: PerspectiveCamera;
  pose: CameraPose;
}

/** Applies a room's light, fog and clipping distances. */
function applySettings({ config }: Room, { three, ambient, camera, pose }: RoomParts): void {
  const { ambient_light, fog } = config;
  const { near, far } = config.camera;
  ambient.intensity = flatIntensity(ambient_light);
  three.fog = fog.enabled ? new Fog(new Color(fog.color), fog.near, fog.far) : null;
  Object.assign(camera, { near, far });
  Object.assign(pose, { near, far });
}

/** The objects that determine how a room is viewed. */
export interface Sight {
  three: ThreeScene;
  camera: PerspectiveCamera;
  ambient: AmbientLight;
  pose: CameraPose;
  renderer: WebGLRenderer;
  /** Element that the stage fills. */
  container: HTMLElement;
}

/** Camera projection and rendering quality. */
export class StageCamera {
  readonly #sight: Sight;
  readonly #quality: Quality;

  /** @param redraw requests a frame */
  constructor(sight: Sight, redraw: () => void) {
    this.#sight = sight;
    this.#quality = new Quality(sight.renderer, redraw);
  }

  /** Applies a room's settings. */
  apply(room: Room): void {
    applySettings(room, this.#sight);
    this.project(room);
  }

  /**
   * Sets the pixel ratio from the room and the device.
   * @param isFree whether to lower quality if the device is too slow; ignored if the room sets a pixel ratio
   * @param isElsewhere whether a headset renders the room, with its own resolution
   */
  adapt(room: Room, isFree: boolean, isElsewhere: boolean): void {
    const { renderer } = this.#sight;
    const ratio = pixelRatioOf(room, budget().pixelRatio);
    // Setting it clears the canvas, even if the value doesn't change.
    if (ratio !== renderer.getPixelRatio() && !isElsewhere) renderer.setPixelRatio(ratio);
    this.#quality.configure(isFree && !isElsewhere && room.config.pixelratio === null);
  }

  /** Updates the projection from the room and the container's size. @returns that size; null if it is empty */
  project(room: Room): { width: number; height: number } | null {
    const { container, camera, pose } = this.#sight;
    const { clientWidth: width, clientHeight: height } = container;
    if (width === 0 || height === 0) return null;
    const aspect = width / height;
    const fov = fovFor(room.config.camera, aspect);
    Object.assign(pose, { fov, aspect });
    Object.assign(camera, { fov, aspect });
    camera.updateProjectionMatrix();
    return { width, height };
  }

  /**
   * Prepares the next frame.
   * @param goesOn whether more frames follow
   * @param isLitAnew whether shadows may have changed
   */
  prepare(goesOn: boolean, isLitAnew: boolean): void {
    this.#quality.prepare(goesOn, isLitAnew);
  }

  dispose(): void {
    this.#quality.dispose();
  }
}
