import { Box3, BoxGeometry, EdgesGeometry, LineBasicMaterial, LineSegments, Matrix4, Vector3 } from 'three';
import type { Stage } from '../stage/stage.ts';
import { boundsOf } from './bounds.ts';

/** Drawn over the room, under the handles. */
const OVER_THE_ROOM = 900;

/** The edges of the box around an element, seen through everything. */
export class Outline {
  readonly #stage: Stage;
  readonly #lines: LineSegments<EdgesGeometry, LineBasicMaterial>;
  readonly #frame = new Matrix4();
  readonly #box = new Box3();
  readonly #center = new Vector3();
  readonly #size = new Vector3();
  #elementId: number | null = null;
  /** Whether the box keeps its shape, because the element is only moved. */
  isSteady = false;

  /** @param name by which the lines are found among the stage's objects */
  constructor(stage: Stage, name: string, look: { color: string; opacity: number }) {
    this.#stage = stage;
    const material = new LineBasicMaterial({
      ...look,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      fog: false,
      toneMapped: false,
    });
    this.#lines = new LineSegments(new EdgesGeometry(new BoxGeometry(1, 1, 1)), material);
    this.#lines.name = name;
    this.#lines.renderOrder = OVER_THE_ROOM;
    this.#lines.matrixAutoUpdate = false;
    this.#lines.frustumCulled = false;
    this.#lines.visible = false;
    stage.three.add(this.#lines);
  }

  /** Puts the outline around an element, or takes it away. */
  show(elementId: number | null): void {
    if (elementId === this.#elementId) return;
    this.#elementId = elementId;
    this.isSteady = false;
    this.#stage.refresh();
  }

  /** Brings the outline to where its element is; before each frame. */
  place(): void {
    const { scene } = this.#stage;
    const entity = this.#elementId === null ? undefined : scene.entityOf(this.#elementId);
    const element = entity === undefined ? undefined : scene.elementOf(entity);
    const isShown = entity !== undefined && element !== undefined && scene.isVisible(entity);
    this.#lines.visible = isShown;
    this.#lines.userData.element_id = isShown ? element.id : null;
    if (!isShown) return;
    scene.worldMatrix(entity, this.#frame.elements);
    if (!this.isSteady) boundsOf(this.#stage, element, this.#frame, this.#box);
    this.#box.getCenter(this.#center);
    this.#box.getSize(this.#size);
    const { matrix } = this.#lines;
    matrix.makeScale(this.#size.x, this.#size.y, this.#size.z).setPosition(this.#center).premultiply(this.#frame);
    this.#lines.matrixWorldNeedsUpdate = true;
  }

  dispose(): void {
    this.#stage.three.remove(this.#lines);
    this.#lines.geometry.dispose();
    this.#lines.material.dispose();
  }
}
