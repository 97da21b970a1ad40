import { PerspectiveCamera } from 'three';
import type { Stage } from '../stage/stage.ts';

/**
 * Shows the room without perspective, through the stage's own camera: what looks through that camera goes on, since it
 * says of itself which of the two it is.
 */
export class Orthographic {
  readonly #stage: Stage;
  /** Half the height of the picture in units; 0 with perspective. */
  #half = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get isOn(): boolean {
    return this.#half > 0;
  }

  get half(): number {
    return this.#half;
  }

  /** Shows so many units above and below the middle of the picture; 0 goes back to perspective. */
  show(half: number): void {
    const { camera } = this.#stage;
    this.#half = half;
    const isOn = half > 0;
    Object.assign(camera, {
      isPerspectiveCamera: !isOn,
      isOrthographicCamera: isOn,
      updateProjectionMatrix: isOn ? () => this.#project() : PerspectiveCamera.prototype.updateProjectionMatrix,
    });
    camera.updateProjectionMatrix();
    this.#stage.refresh();
  }

  #project(): void {
    const { camera } = this.#stage;
    const half = this.#half;
    const across = half * camera.aspect;
    // What moves the camera measures by these.
    Object.assign(camera, { left: -across, right: across, top: half, bottom: -half });
    camera.projectionMatrix.makeOrthographic(
      -across,
      across,
      half,
      -half,
      camera.near,
      camera.far,
      camera.coordinateSystem,
    );
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  }
}
