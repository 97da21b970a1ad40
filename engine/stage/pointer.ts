import { type Object3D, type PerspectiveCamera, Raycaster, Vector2 } from 'three';

/** What the pointer asks of the stage. */
export interface PointerTargets {
  /** Objects that can be pressed, panels of the DOM layer included, each with its element's id in `userData`. */
  pressable(): Object3D[];
  /** Everything that may stand in front of them. */
  occluders(): Object3D[];
  pressed(elementId: number): void;
}

/** Pixels that a press may slip and still be a press, not a drag. */
const SLIP = 6;

const holder = (object: Object3D | null): Object3D | null =>
  !object || object.userData.element_id !== undefined ? object : holder(object.parent);

/** What a ray hits first. */
export interface Hit {
  /** The object of the element, with its id in `userData`. */
  object: Object3D;
  /** Units along the ray. */
  distance: number;
}

/** The nearest thing on a ray that can be pressed, unless something stands in front of it. */
export function pressableOn(ray: Raycaster, { pressable, occluders }: PointerTargets): Hit | undefined {
  const nearest = ray.intersectObjects(pressable())[0];
  const object = nearest && holder(nearest.object);
  if (!object) return undefined;
  ray.far = nearest.distance - 0.1;
  const isHidden = ray.intersectObjects(occluders()).some((other) => holder(other.object) !== object);
  return isHidden ? undefined : { object, distance: nearest.distance };
}

/**
 * Sends the pointer to whatever is nearer: to the page under the canvas through a hole, or to an object that can be
 * pressed. Presses are told by element.
 */
export class PointerRouter {
  readonly #container: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #camera: PerspectiveCamera;
  readonly #targets: PointerTargets;
  readonly #ray = new Raycaster();
  readonly #at = new Vector2();
  readonly #abort = new AbortController();
  #start: { x: number; y: number } | undefined;
  #hovered: PointerEvent | undefined;
  #frame = 0;

  constructor(container: HTMLElement, canvas: HTMLCanvasElement, camera: PerspectiveCamera, targets: PointerTargets) {
    this.#container = container;
    this.#canvas = canvas;
    this.#camera = camera;
    this.#targets = targets;
    const { signal } = this.#abort;
    container.addEventListener('pointermove', (event) => this.#hover(event), { signal });
    container.addEventListener(
      'pointerdown',
      (event) => {
        this.#start = { x: event.clientX, y: event.clientY };
      },
      { signal, capture: true },
    );
    container.addEventListener('click', (event) => this.#click(event), { signal });
  }

  /** The nearest thing that can be pressed at a point of the page, unless something stands in front of it. */
  #hit(clientX: number, clientY: number): Object3D | null {
    const box = this.#container.getBoundingClientRect();
    this.#at.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    this.#ray.setFromCamera(this.#at, this.#camera);
    this.#ray.far = this.#camera.far;
    return pressableOn(this.#ray, this.#targets)?.object ?? null;
  }

  #hover(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    this.#hovered = event;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const hit = this.#hit(this.#hovered!.clientX, this.#hovered!.clientY);
      const page = hit?.userData.panel === true;
      this.#canvas.style.pointerEvents = page ? 'none' : 'auto';
      this.#canvas.style.cursor = hit ? 'pointer' : '';
    });
  }

  #click(event: MouseEvent): void {
    const start = this.#start;
    // A press by keyboard has no place; the page's own button was pressed then.
    const byKey = event.detail === 0;
    if (!byKey && start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLIP) return;
    const panel = (event.target as Element).closest?.<HTMLElement>('[data-element-id]');
    if (panel) {
      this.#targets.pressed(Number(panel.dataset.elementId));
      return;
    }
    const hit = this.#hit(event.clientX, event.clientY);
    if (!hit) return;
    if (hit.userData.panel === true) this.#pressThrough(event);
    else this.#targets.pressed(hit.userData.element_id as number);
  }

  /** A finger has not hovered before it presses, so the press is handed to the page under the canvas. */
  #pressThrough({ clientX, clientY }: MouseEvent): void {
    this.#canvas.style.pointerEvents = 'none';
    const below = document.elementFromPoint(clientX, clientY);
    if (below instanceof HTMLElement && below !== this.#canvas) below.click();
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#abort.abort();
  }
}
