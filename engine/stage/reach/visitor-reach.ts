import { Box3, type Object3D, type PerspectiveCamera, type Raycaster, Vector3 } from 'three';
import type { Element } from '../../document/element.ts';
import type { Room } from '../../document/room.ts';
import { listenToKeyboard } from '../camera/keyboard.ts';
import type { CameraRig } from '../camera/rig.ts';
import { listenForZoom } from '../camera/zoom.ts';
import type { ElementViews } from '../element-views.ts';
import { needsButton, targetsIn } from '../interaction/interactive.ts';
import { PointerRouter } from '../interaction/pointer.ts';
import { SharedScrolling } from '../interaction/shared-scrolling.ts';
import type { DomLayer } from '../layers/dom.ts';
import type { LazyDomLayer } from '../layers/lazy-dom-layer.ts';
import type { ElementNaming, StageOptions } from '../stage-options.ts';
import type { Environment } from '../surroundings/environment.ts';
import { FocusView } from './focus-view.ts';
import { Hotspots } from './hotspots.ts';
import { HoverLabel } from './hover-label.ts';

interface Options {
  /** Elements that are interactive but not focusable. */
  pressed(): Iterable<Element>;
  /** Accessible name of an element. */
  nameOf(element: Element): string;
  /** An element's panel; undefined if it has none. */
  pageOf(elementId: number): HTMLElement | undefined;
  /** The DOM layer that contains the buttons; loaded with the first button. */
  layer(): Promise<DomLayer>;
  /** Called when the focused button is removed. */
  lost(): void;
}

/**
 * A visually hidden button for each interactive element that isn't focusable itself, in reading order among the
 * panels, for keyboards and screen readers. A click on the button is a click on its element.
 */
class PressOrder {
  readonly #options: Options;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Updates the buttons. */
  async follow(): Promise<void> {
    const turn = ++this.#turn;
    const pressed = new Map([...this.#options.pressed()].map((element) => [element.id, element]));
    const isEmpty = pressed.size === 0 && this.#buttons.size === 0;
    if (isEmpty) return;
    const layer = await this.#options.layer();
    if (turn !== this.#turn) return;
    for (const [id, button] of this.#buttons) if (!pressed.has(id)) this.#remove(id, button);
    for (const [id, element] of pressed) {
      const button = this.#buttons.get(id) ?? this.#add(id, layer);
      const name = this.#options.nameOf(element);
      if (button.textContent !== name) button.textContent = name;
      // A scrollable panel is a tab stop of its own, so the element would be reached twice. Redrawn elements have a
      // new panel.
      const page = this.#options.pageOf(id);
      if (page) page.tabIndex = -1;
    }
  }

  #add(id: number, layer: DomLayer): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'stage-press';
    button.dataset.elementId = String(id);
    this.#buttons.set(id, button);
    layer.place(button, id, true);
    return button;
  }

  #remove(id: number, button: HTMLButtonElement): void {
    const hadFocus = document.activeElement === button;
    this.#buttons.delete(id);
    button.remove();
    if (hadFocus) this.#options.lost();
  }

  dispose(): void {
    this.#turn++;
    for (const button of this.#buttons.values()) button.remove();
    this.#buttons.clear();
  }
}

/** Parts of the stage that visitor input acts on. */
export interface Reach {
  stage: { canvas: HTMLCanvasElement; camera: PerspectiveCamera; rig: CameraRig };
  options: StageOptions;
  views: ElementViews;
  dom: LazyDomLayer;
  environment: Environment;
}

/** Distance in units at which a visitor stops in front of a wall or element. */
const IN_FRONT = 200;
/** Vertical component of a normal above which a surface counts as floor or ceiling. */
const LEVEL = 0.7;
/** Tolerance in units for points on a wall of the room. */
const CLOSE = 0.01;

/**
 * Destination of a double tap: up to the hit point at camera height, or onto the point on a floor.
 * @param ray from the camera
 * @param objects elements that may be hit before the room's walls
 * @returns undefined if there is no destination: in a panorama, which has no walls, or outside the room
 */
function placeToWalk(ray: Raycaster, objects: Object3D[], room: Room): Vector3 | undefined {
  const { origin } = ray.ray;
  const [hit] = ray.intersectObjects(objects);
  const half = new Vector3(room.width, room.height, room.depth).divideScalar(2);
  const walls = new Box3(half.clone().negate(), half);
  const isOpen = room.template?.model_type === 'pano' || !walls.containsPoint(origin);
  const wall = isOpen ? null : ray.ray.intersectBox(walls, new Vector3());
  const isNearer = hit && (!wall || hit.distance <= origin.distanceTo(wall));
  const point = isNearer ? hit.point : wall;
  if (!point) return undefined;
  const isLevel = isNearer
    ? Math.abs(hit.face?.normal.clone().transformDirection(hit.object.matrixWorld).y ?? 0) > LEVEL
    : Math.abs(point.y) > half.y - CLOSE;
  const way = point.clone().sub(origin).setY(0);
  const length = way.length();
  return origin.clone().add(way.setLength(isLevel ? length : Math.max(0, length - IN_FRONT)));
}

/** Visitor input by pointer and keyboard, with hover, focus and hotspot indicators. */
export class VisitorReach {
  readonly #reach: Reach;
  readonly #naming: ElementNaming;
  readonly #pointer: PointerRouter;
  readonly #label: HoverLabel;
  readonly #focus: FocusView;
  readonly #order: PressOrder;
  readonly #cleanups: (() => void)[];
  readonly #hotspots: Hotspots | undefined;
  #changes = -1;
  #version = -1;

  constructor(reach: Reach, naming: ElementNaming) {
    this.#reach = reach;
    this.#naming = naming;
    const { options, views, dom, environment } = reach;
    const { canvas, camera, rig } = reach.stage;
    const { container, scene } = options;
    const style = scene.room.template?.hotspot_style ?? 'dot';
    this.#label = new HoverLabel(container);
    const targets = targetsIn(views, options);
    this.#pointer = new PointerRouter(container, canvas, camera, targets, dom, {
      hovered: style === 'off' ? undefined : (id, event) => this.#hover(id, event),
      doubleTapped: (ray) => {
        const { surroundings } = environment;
        const shell = surroundings && scene.room.template?.model_type === 'model' ? [surroundings.object] : [];
        const place = placeToWalk(ray, [...targets.occluders(), ...shell], scene.room);
        if (!place) return;
        rig.moveTo(rig.inside(place));
        views.context.invalidate();
      },
    });
    const shared = options.sharesScrolling ? new SharedScrolling(views.context) : undefined;
    if (shared) rig.looksWithTwoFingers = true;
    this.#cleanups = [
      listenToKeyboard(rig, () => scene.room.config.camera.rotate),
      listenForZoom(rig, container, () => scene.room, shared),
      () => shared?.dispose(),
    ];
    this.#focus = new FocusView({
      container,
      camera,
      rig,
      label: this.#label,
      targetOf: (id) => this.#targetOf(id),
      nameOf: (id) => this.#named(id),
      invalidate: () => views.context.invalidate(),
    });
    this.#order = new PressOrder({
      pressed: () => this.#pressed(),
      nameOf: (element) => this.#nameOf(element),
      pageOf: (id) => views.viewOf(id)?.page,
      layer: () => views.context.dom(),
      lost: () => container.focus({ preventScroll: true }),
    });
    if (style !== 'off') {
      this.#hotspots = new Hotspots(style);
      views.context.three.add(this.#hotspots.object);
    }
  }

  #elementOf(id: number): Element | undefined {
    const { scene } = this.#reach.options;
    return scene.elementOf(scene.entityOf(id) ?? 0);
  }

  #targetOf(id: number): Object3D | undefined {
    const view = this.#reach.views.viewOf(id);
    return view?.object.visible ? (view.target ?? view.object) : undefined;
  }

  #nameOf(element: Element): string {
    const { childNodes = [] } = this.#reach.views.viewOf(element.id)?.page ?? {};
    const words = [...childNodes].map((part) => part.textContent).join(' ');
    return this.#naming(element, words.replace(/\s+/g, ' '));
  }

  #named(id: number): string {
    const element = this.#elementOf(id);
    return element ? this.#nameOf(element) : '';
  }

  *#pressed(): Generator<Element> {
    const { views, options } = this.#reach;
    for (const id of views.visible()) {
      const element = this.#elementOf(id);
      if (element && needsButton(options.scene, element)) yield element;
    }
  }

  *#marked(): Generator<{ object: Object3D; element: Element }> {
    for (const element of this.#pressed()) {
      const { object } = this.#reach.views.viewOf(element.id)!;
      yield { object, element };
    }
  }

  #hover(id: number | undefined, { clientX, clientY }: PointerEvent): void {
    if (this.#focus.focused !== undefined) return;
    if (id === undefined) {
      this.#label.hide();
      return;
    }
    const { left, top } = this.#reach.options.container.getBoundingClientRect();
    this.#label.show(this.#named(id), clientX - left, clientY - top);
  }

  /** Updates everything before a frame. @param version of the scene */
  prepare(version: number): void {
    const { changes } = this.#reach.views;
    if (changes !== this.#changes) {
      this.#changes = changes;
      this.#order.follow().catch((error) => this.#reach.options.handlers?.failed?.(String(error), null));
      this.#hotspots?.mark(this.#marked());
    } else if (version !== this.#version) this.#hotspots?.move();
    this.#version = version;
  }

  /** Updates everything after a frame. */
  draw(): void {
    this.#focus.draw();
  }

  dispose(): void {
    for (const cleanup of this.#cleanups) cleanup();
    for (const part of [this.#pointer, this.#focus, this.#order, this.#label, this.#hotspots]) part?.dispose();
  }
}
