import { type Object3D, type PerspectiveCamera, Raycaster, Vector2 } from 'three';
import type { LazyDomLayer } from '../layers/lazy-dom-layer.ts';
import { DoubleTap } from './double-tap.ts';
import type { Hit } from './hit.ts';

/** The stage's objects for picking. */
export interface PointerTargets {
  /** Interactive objects, including panels of the DOM layer; `userData` contains the element's id. */
  interactive(): Object3D[];
  /** Objects that may occlude them. */
  occluders(): Object3D[];
  pressed(elementId: number): void;
}

/** Events other than clicks. */
interface PointerEvents {
  /** The element under the hovering pointer; undefined for none and for panels. */
  hovered?(elementId: number | undefined, event: PointerEvent): void;
  /** A double tap on something that isn't interactive. @param ray from the camera */
  doubleTapped(ray: Raycaster): void;
}

/** Maximum movement of a click in pixels; more is a drag. */
const MAX_CLICK_MOVE = 6;

const holder = (object: Object3D | null): Object3D | null =>
  !object || object.userData.element_id !== undefined ? object : holder(object.parent);

const isPanel = (hit: Hit | undefined): boolean => hit?.object.userData.panel === true;

/** The nearest interactive object on a ray, unless it is occluded. */
export function interactiveAt(ray: Raycaster, { interactive, occluders }: PointerTargets): Hit | undefined {
  const nearest = ray.intersectObjects(interactive())[0];
  const object = nearest && holder(nearest.object);
  if (!object) return undefined;
  ray.far = nearest.distance - 0.1;
  const isHidden = ray.intersectObjects(occluders()).some((other) => holder(other.object) !== object);
  return isHidden ? undefined : { ...nearest, mesh: nearest.object, object };
}

/**
 * Routes pointer input to the nearest target: through a hole to the page under the canvas, or to an interactive
 * object. Emits clicks by element.
 */
export class PointerRouter {
  readonly #container: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #camera: PerspectiveCamera;
  readonly #targets: PointerTargets;
  readonly #dom: LazyDomLayer;
  readonly #events: PointerEvents;
  readonly #taps = new DoubleTap();
  /** Whether the last tap hit an interactive element. */
  #hasPressed = false;
  readonly #ray = new Raycaster();
  readonly #at = new Vector2();
  readonly #abort = new AbortController();
  #start: { x: number; y: number } | undefined;
  #hovered: PointerEvent | undefined;
  #frame = 0;

  constructor(
    container: HTMLElement,
    canvas: HTMLCanvasElement,
    camera: PerspectiveCamera,
    targets: PointerTargets,
    dom: LazyDomLayer,
    events: PointerEvents,
  ) {
    this.#container = container;
    this.#canvas = canvas;
    this.#camera = camera;
    this.#targets = targets;
    this.#dom = dom;
    this.#events = events;
    const { signal } = this.#abort;
    container.addEventListener('pointermove', (event) => this.#hover(event), { signal });
    container.addEventListener(
      'pointerdown',
      (event) => {
        this.#start = { x: event.clientX, y: event.clientY };
        // A touched panel receives touch input until the next touch elsewhere.
        if (event.pointerType === 'touch' && !isPanel(this.#hit(event))) this.#open(false);
      },
      { signal, capture: true },
    );
    container.addEventListener('click', (event) => this.#click(event), { signal, capture: true });
    container.addEventListener('pointerleave', (event) => events.hovered?.(undefined, event), { signal });
  }

  /** Lets pointer events pass through the canvas to the page, or not. */
  #open(through: boolean): void {
    this.#canvas.style.pointerEvents = through ? 'none' : 'auto';
  }

  /** The nearest interactive object under the pointer, unless it is occluded. */
  #hit(event: MouseEvent): Hit | undefined {
    return interactiveAt(this.#aim(event), this.#targets);
  }

  #aim({ clientX, clientY }: MouseEvent): Raycaster {
    const box = this.#container.getBoundingClientRect();
    this.#at.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    this.#ray.setFromCamera(this.#at, this.#camera);
    this.#ray.far = this.#camera.far;
    return this.#ray;
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
      this.#events.hovered?.(isNamed ? (hit.object.userData.element_id as number) : undefined, this.#hovered!);
    });
  }

  #click(event: MouseEvent): void {
    const start = this.#start;
    const target = event.target as Element;
    // A button beside its element, which it doesn't press.
    if (target.closest?.('[data-details-of]')) return;
    const panel = target.closest?.<HTMLElement>('[data-element-id]');
    // Keyboard clicks have no position, and full-page panels aren't in the room: the panel itself was clicked.
    if (panel && (event.detail === 0 || panel.hasAttribute('data-fullpage'))) {
      this.#press(panel);
      return;
    }
    const isPress = !start || Math.hypot(event.clientX - start.x, event.clientY - start.y) <= MAX_CLICK_MOVE;
    const isSecond = isPress && this.#taps.take(event as PointerEvent);
    if (isSecond && this.#hasPressed) {
      this.#dropClick(event);
      return;
    }
    const hit = isPress ? this.#hit(event) : undefined;
    this.#hasPressed = hit !== undefined;
    if (panel && isPanel(hit)) this.#press(panel);
    else {
      // A drag or an occluded element isn't a click, so don't follow its link.
      event.preventDefault();
      if (isPanel(hit)) this.#pressThrough(hit!, event);
      else if (hit) this.#targets.pressed(hit.object.userData.element_id as number);
      else if (isSecond) this.#events.doubleTapped(this.#aim(event));
    }
  }

  /** Suppresses the second click of a double tap, except on media controls. */
  #dropClick(event: MouseEvent): void {
    if ((event.target as Element).closest('audio, video')) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #press({ dataset }: HTMLElement): void {
    this.#targets.pressed(Number(dataset.elementId));
  }

  /** Touch has no hover phase to open the canvas, so forward the click to the page below. */
  #pressThrough(hit: Hit, event: MouseEvent): void {
    this.#open(true);
    this.#dom.layer?.press(hit, event);
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#abort.abort();
  }
}
