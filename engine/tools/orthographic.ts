import { PerspectiveCamera } from 'three';
import type { Stage } from '../stage/stage.ts';

/**
 * Switches the stage's own camera to an orthographic projection by changing its type flags, so that references to the
 * camera stay valid.
 */
export class Orthographic {
  readonly #stage: Stage;
  /** Half the height of the view in units; 0 with perspective. */
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

  /** Shows this many units above and below the center; 0 switches to perspective. */
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
    // Used by the camera controls.
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
