import type { AmbientLight, PerspectiveCamera, Scene as ThreeScene, WebGLRenderer } from 'three';
import type { Room } from '../../document/room.ts';
import type { CameraPose } from '../../scene/view/camera-pose.ts';
import { pixelRatioOf } from '../rendering/pixel-ratio.ts';
import { Quality } from '../rendering/quality.ts';
import { applySettings } from '../rendering/room-settings.ts';
import { fovFor } from './limits.ts';

/** What a room is looked at with. */
export interface Sight {
  three: ThreeScene;
  camera: PerspectiveCamera;
  ambient: AmbientLight;
  pose: CameraPose;
  renderer: WebGLRenderer;
  /** Element that the picture fills. */
  container: HTMLElement;
}

/** How the room is seen: what the camera sees of it, and how well that is drawn. */
export class StageCamera {
  readonly #sight: Sight;
  readonly #quality: Quality;

  /** @param redraw asks for a frame */
  constructor(sight: Sight, redraw: () => void) {
    this.#sight = sight;
    this.#quality = new Quality(sight.renderer, redraw);
  }

  /** Takes over a room's own settings. */
  apply(room: Room): void {
    applySettings(room, this.#sight);
    this.project(room);
  }

  /**
   * Draws with as many pixels as the room and the device say.
   * @param isFree whether it may be fewer where the device cannot keep up; a room that says how many gets those
   * @param isElsewhere whether the picture goes to a headset, which has its own
   */
  adapt(room: Room, isFree: boolean, isElsewhere: boolean): void {
    const { renderer } = this.#sight;
    const ratio = pixelRatioOf(room);
    // Setting it empties the canvas, even where it stays the same.
    if (ratio !== renderer.getPixelRatio() && !isElsewhere) renderer.setPixelRatio(ratio);
    this.#quality.configure(isFree && !isElsewhere && room.config.pixelratio === null);
  }

  /** Has the camera see what the room and the size of the container say. @returns that size; null where it is none */
  project(room: Room): { width: number; height: number } | null {
    const { container, camera, pose } = this.#sight;
    const { clientWidth: width, clientHeight: height } = container;
    if (width === 0 || height === 0) return null;
    const aspect = width / height;
    const fov = fovFor(room.config.camera.fov, aspect);
    Object.assign(pose, { fov, aspect });
    Object.assign(camera, { fov, aspect });
    camera.updateProjectionMatrix();
    return { width, height };
  }

  /** Prepares the next frame. @param goesOn whether another one follows */
  prepare(goesOn: boolean): void {
    this.#quality.prepare(goesOn);
  }

  dispose(): void {
    this.#quality.dispose();
  }
}
