import { type Object3D, type PerspectiveCamera, Raycaster, Vector2, type Vector3 } from 'three';
import type { LazyDomLayer } from '../layers/lazy-dom-layer.ts';

/** What the pointer asks of the stage. */
export interface PointerTargets {
  /** Objects that can be pressed, panels of the DOM layer included, each with its element's id in `userData`. */
  interactive(): Object3D[];
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
  /** What of it, and where in the room. */
  mesh: Object3D;
  point: Vector3;
  /** Units along the ray. */
  distance: number;
}

const isPanel = (hit: Hit | undefined): boolean => hit?.object.userData.panel === true;

/** The nearest thing on a ray that can be pressed, unless something stands in front of it. */
export function interactiveAt(ray: Raycaster, { interactive, occluders }: PointerTargets): Hit | undefined {
  const nearest = ray.intersectObjects(interactive())[0];
  const object = nearest && holder(nearest.object);
  if (!object) return undefined;
  ray.far = nearest.distance - 0.1;
  const isHidden = ray.intersectObjects(occluders()).some((other) => holder(other.object) !== object);
  return isHidden ? undefined : { ...nearest, mesh: nearest.object, object };
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
  readonly #dom: LazyDomLayer;
  readonly #hovers: ((elementId: number | undefined, event: PointerEvent) => void) | undefined;
  readonly #ray = new Raycaster();
  readonly #at = new Vector2();
  readonly #abort = new AbortController();
  #start: { x: number; y: number } | undefined;
  #hovered: PointerEvent | undefined;
  #frame = 0;

  /** @param hovers told of the element under a pointer that hovers; undefined for none, and for a piece of page */
  constructor(
    container: HTMLElement,
    canvas: HTMLCanvasElement,
    camera: PerspectiveCamera,
    targets: PointerTargets,
    dom: LazyDomLayer,
    hovers?: (elementId: number | undefined, event: PointerEvent) => void,
  ) {
    this.#container = container;
    this.#canvas = canvas;
    this.#camera = camera;
    this.#targets = targets;
    this.#dom = dom;
    this.#hovers = hovers;
    const { signal } = this.#abort;
    container.addEventListener('pointermove', (event) => this.#hover(event), { signal });
    container.addEventListener(
      'pointerdown',
      (event) => {
        this.#start = { x: event.clientX, y: event.clientY };
        // A page that a finger has pressed takes what fingers do until one touches something else.
        if (event.pointerType === 'touch' && !isPanel(this.#hit(event))) this.#open(false);
      },
      { signal, capture: true },
    );
    container.addEventListener('click', (event) => this.#click(event), { signal, capture: true });
    container.addEventListener('pointerleave', (event) => this.#hovers?.(undefined, event), { signal });
  }

  /** Lets the pointer through to the page, or keeps it on the canvas. */
  #open(through: boolean): void {
    this.#canvas.style.pointerEvents = through ? 'none' : 'auto';
  }

  /** The nearest thing that can be pressed under the pointer, unless something stands in front of it. */
  #hit({ clientX, clientY }: MouseEvent): Hit | undefined {
    const box = this.#container.getBoundingClientRect();
    this.#at.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    this.#ray.setFromCamera(this.#at, this.#camera);
    this.#ray.far = this.#camera.far;
    return interactiveAt(this.#ray, this.#targets);
  }

  #hover(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    this.#hovered = event;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const hit = this.#hit(this.#hovered!);
      this.#open(isPanel(hit));
      if (isPanel(hit)) this.#dom.layer?.find(hit!, this.#hovered!);
      this.#canvas.style.cursor = hit ? 'pointer' : '';
      const isNamed = hit && !isPanel(hit) && this.#hovered!.pointerType !== 'touch';
      this.#hovers?.(isNamed ? (hit.object.userData.element_id as number) : undefined, this.#hovered!);
    });
  }

  #click(event: MouseEvent): void {
    const start = this.#start;
    const panel = (event.target as Element).closest?.<HTMLElement>('[data-element-id]');
    // A press by keyboard has no place, and a panel that covers the page none in the room; it was pressed itself then.
    if (panel && (event.detail === 0 || panel.hasAttribute('data-fullpage'))) {
      this.#press(panel);
      return;
    }
    const isPress = !start || Math.hypot(event.clientX - start.x, event.clientY - start.y) <= SLIP;
    const hit = isPress ? this.#hit(event) : undefined;
    if (panel && isPanel(hit)) this.#press(panel);
    else {
      // What was dragged, or lies behind something else, is not pressed: no link of it is followed.
      event.preventDefault();
      if (isPanel(hit)) this.#pressThrough(hit!, event);
      else if (hit) this.#targets.pressed(hit.object.userData.element_id as number);
    }
  }

  #press({ dataset }: HTMLElement): void {
    this.#targets.pressed(Number(dataset.elementId));
  }

  /** A finger has not hovered before it presses, so the press is handed to the page under the canvas. */
  #pressThrough(hit: Hit, event: MouseEvent): void {
    this.#open(true);
    this.#dom.layer?.press(hit, event);
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#abort.abort();
  }
}
