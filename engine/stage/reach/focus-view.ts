import { Box3, Mesh, type Object3D, type PerspectiveCamera, Vector3 } from 'three';
import type { CameraRig } from '../camera/rig.ts';
import type { HoverLabel } from './hover-label.ts';

/** A rectangle in pixels, relative to the top left corner of the canvas. */
interface Outline {
  left: number;
  top: number;
  width: number;
  height: number;
}

const corner = new Vector3();
const box = new Box3();

/** Corners of all bounding boxes of an object's meshes, in room units. */
function* cornersOf(object: Object3D): Generator<Vector3> {
  const meshes: Mesh[] = [];
  object.traverse((part) => part instanceof Mesh && meshes.push(part));
  for (const { geometry, matrixWorld } of meshes) {
    geometry.boundingBox ?? geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    for (let index = 0; index < 8; index++) {
      corner.set(index & 1 ? max.x : min.x, index & 2 ? max.y : min.y, index & 4 ? max.z : min.z);
      yield corner.applyMatrix4(matrixWorld);
    }
  }
}

/** Center of an object's meshes in room units; its position if it has none. */
function middleOf(object: Object3D, into: Vector3): Vector3 {
  box.makeEmpty();
  for (const point of cornersOf(object)) box.expandByPoint(point);
  return box.isEmpty() ? into.setFromMatrixPosition(object.matrixWorld) : box.getCenter(into);
}

/**
 * Screen rectangle of an object, ignoring parts behind the camera.
 * @returns null if it is out of view
 */
function outlineOf(
  object: Object3D,
  camera: PerspectiveCamera,
  size: { width: number; height: number },
): Outline | null {
  let [left, top, right, bottom] = [1, 1, -1, -1];
  let seen = false;
  for (const point of cornersOf(object)) {
    // Points behind the camera would be projected in front of it.
    if (point.applyMatrix4(camera.matrixWorldInverse).z > -camera.near) continue;
    const { x, y } = point.applyMatrix4(camera.projectionMatrix);
    [left, right] = seen ? [Math.min(left, x), Math.max(right, x)] : [x, x];
    [top, bottom] = seen ? [Math.min(top, -y), Math.max(bottom, -y)] : [-y, -y];
    seen = true;
  }
  if (!seen || left > 1 || right < -1 || top > 1 || bottom < -1) return null;
  const toPixels = (at: number, length: number) => ((Math.min(1, Math.max(-1, at)) + 1) / 2) * length;
  const [x, y] = [toPixels(left, size.width), toPixels(top, size.height)];
  return {
    left: x,
    top: y,
    width: toPixels(right, size.width) - x,
    height: toPixels(bottom, size.height) - y,
  };
}

interface Options {
  container: HTMLElement;
  camera: PerspectiveCamera;
  rig: CameraRig;
  label: HoverLabel;
  /** An element's object; undefined if it isn't drawn. */
  targetOf(elementId: number): Object3D | undefined;
  nameOf(elementId: number): string;
  invalidate(): void;
}

/** Central fraction of the view in which a focused element doesn't require turning the camera. */
const CENTRAL = 0.7;
/** Pixels around the focused element. */
const RING_MARGIN = 4;
/** Minimum size of the focus ring in pixels. */
const MIN_SIZE = 24;

const middle = new Vector3();

/** Shows the focused element: turns the camera to it, and draws a ring and its name. */
export class FocusView {
  readonly #options: Options;
  readonly #ring = document.createElement('div');
  readonly #abort = new AbortController();
  /** Whether focus follows a pointer press: the element is already in view. */
  #isPointed = false;
  #focused: number | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { container } = options;
    this.#ring.className = 'stage-ring';
    this.#ring.setAttribute('aria-hidden', 'true');
    this.#ring.hidden = true;
    container.append(this.#ring);
    const { signal } = this.#abort;
    const over = () => setTimeout(() => (this.#isPointed = false));
    addEventListener('pointerdown', () => (this.#isPointed = true), { signal, capture: true });
    for (const end of ['pointerup', 'pointercancel', 'click']) addEventListener(end, over, { signal });
    container.addEventListener('focusin', ({ target }) => this.#look(target), { signal });
    container.addEventListener('focusout', () => this.#leave(), { signal });
    // Iframes emit no focusin event.
    addEventListener('blur', () => this.#look(document.activeElement), { signal });
  }

  /** Id of the focused element. */
  get focused(): number | undefined {
    return this.#focused;
  }

  #look(target: EventTarget | null): void {
    const holder =
      target instanceof Element ? target.closest<HTMLElement>('[data-element-id], [data-details-of]') : null;
    if (!holder || this.#isPointed || !this.#options.container.contains(holder)) return;
    const id = Number(holder.dataset.elementId ?? holder.dataset.detailsOf);
    const object = this.#options.targetOf(id);
    if (!object) return;
    this.#focused = id;
    if (!this.#isCentral(object)) {
      object.updateWorldMatrix(true, true);
      this.#options.rig.face(middleOf(object, middle));
    }
    this.#options.invalidate();
  }

  #leave(): void {
    this.#focused = undefined;
    this.#ring.hidden = true;
    this.#options.label.hide();
  }

  #isCentral(object: Object3D): boolean {
    const outline = this.#outlineOf(object);
    if (!outline) return false;
    const { clientWidth, clientHeight } = this.#options.container;
    const x = (outline.left + outline.width / 2) / clientWidth - 0.5;
    const y = (outline.top + outline.height / 2) / clientHeight - 0.5;
    return Math.max(Math.abs(x), Math.abs(y)) <= CENTRAL / 2;
  }

  #outlineOf(object: Object3D): Outline | null {
    const { container, camera } = this.#options;
    return outlineOf(object, camera, { width: container.clientWidth, height: container.clientHeight });
  }

  /** Updates the ring and label. */
  draw(): void {
    if (this.#focused === undefined) return;
    const object = this.#options.targetOf(this.#focused);
    const outline = object && this.#outlineOf(object);
    this.#ring.hidden = !outline;
    if (!outline) {
      this.#options.label.hide();
      return;
    }
    const { left, top, width, height } = outline;
    const [w, h] = [Math.max(width, MIN_SIZE) + 2 * RING_MARGIN, Math.max(height, MIN_SIZE) + 2 * RING_MARGIN];
    const { style } = this.#ring;
    style.translate = `${Math.round(left + (width - w) / 2)}px ${Math.round(top + (height - h) / 2)}px`;
    [style.width, style.height] = [`${Math.round(w)}px`, `${Math.round(h)}px`];
    this.#options.label.show(this.#options.nameOf(this.#focused), left + width / 2, top);
  }

  dispose(): void {
    this.#abort.abort();
    this.#ring.remove();
  }
}
