import { type Object3D, type PerspectiveCamera, Vector3 } from 'three';
import type { CameraRig } from '../camera/rig.ts';
import type { HoverLabel } from './hover-label.ts';
import { middleOf, type Outline, outlineOf } from './outline-of.ts';

interface Options {
  container: HTMLElement;
  camera: PerspectiveCamera;
  rig: CameraRig;
  label: HoverLabel;
  /** What an element is drawn as; undefined where it is not. */
  targetOf(elementId: number): Object3D | undefined;
  nameOf(elementId: number): string;
  invalidate(): void;
}

/** Part of the picture, from its middle, in which what has the focus stands well. */
const WELL = 0.7;
/** Pixels around what has the focus. */
const RING_MARGIN = 4;
/** Pixels of a ring at least. */
const SMALLEST = 24;

const middle = new Vector3();

/** Shows what of a room has the focus: turns the camera to it, and draws a ring and its name at its place. */
export class FocusView {
  readonly #options: Options;
  readonly #ring = document.createElement('div');
  readonly #abort = new AbortController();
  /** Whether the focus goes where a pointer pressed: that stands where the visitor looks. */
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
    // A framed page that takes the focus says nothing itself.
    addEventListener('blur', () => this.#look(document.activeElement), { signal });
  }

  /** Id of the element that has the focus. */
  get focused(): number | undefined {
    return this.#focused;
  }

  #look(target: EventTarget | null): void {
    const holder = target instanceof Element ? target.closest<HTMLElement>('[data-element-id]') : null;
    if (!holder || this.#isPointed || !this.#options.container.contains(holder)) return;
    const id = Number(holder.dataset.elementId);
    const object = this.#options.targetOf(id);
    if (!object) return;
    this.#focused = id;
    if (!this.#standsWell(object)) {
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

  #standsWell(object: Object3D): boolean {
    const outline = this.#outlineOf(object);
    if (!outline) return false;
    const { clientWidth, clientHeight } = this.#options.container;
    const x = (outline.left + outline.width / 2) / clientWidth - 0.5;
    const y = (outline.top + outline.height / 2) / clientHeight - 0.5;
    return Math.max(Math.abs(x), Math.abs(y)) <= WELL / 2;
  }

  #outlineOf(object: Object3D): Outline | null {
    const { container, camera } = this.#options;
    return outlineOf(object, camera, { width: container.clientWidth, height: container.clientHeight });
  }

  /** Follows the camera, and what has the focus. */
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
    const [w, h] = [Math.max(width, SMALLEST) + 2 * RING_MARGIN, Math.max(height, SMALLEST) + 2 * RING_MARGIN];
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
