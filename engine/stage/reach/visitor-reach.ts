import { Box3, type Object3D, type PerspectiveCamera, type Raycaster, Vector3 } from 'three';
import { alternativeOf, creditOf } from '../../document/alternative.ts';
import type { Element } from '../../document/element.ts';
import { isInRoom } from '../../document/in-room.ts';
import type { Room } from '../../document/room.ts';
import { traitsOf } from '../../document/traits-of.ts';
import { listenToKeyboard } from '../camera/keyboard.ts';
import type { CameraRig } from '../camera/rig.ts';
import { listenForZoom } from '../camera/zoom.ts';
import type { ElementViews } from '../element-views.ts';
import { needsButton, needsHotspot, onlyLooks, targetsIn } from '../interaction/interactive.ts';
import { PointerRouter } from '../interaction/pointer.ts';
import { SharedScrolling } from '../interaction/shared-scrolling.ts';
import type { DomLayer } from '../layers/dom.ts';
import type { LazyDomLayer } from '../layers/lazy-dom-layer.ts';
import type { ElementNaming, StageOptions } from '../stage-options.ts';
import type { Environment } from '../surroundings/environment.ts';
import { DetailButtons, detailsIdOf } from './detail-buttons.ts';
import { FocusView } from './focus-view.ts';
import { Hotspots } from './hotspots.ts';
import { HoverLabel } from './hover-label.ts';
import { SurroundingsText } from './surroundings-text.ts';

interface Options {
  /** Visible elements. */
  visible(): Iterable<Element>;
  /** Whether an element is interactive, but not focusable. */
  isPressed(element: Element): boolean;
  /** Accessible name of an element. */
  nameOf(element: Element): string;
  /** Kind of an element; empty if unknown. */
  kindOf(element: Element): string;
  /** Whether an element has a button for its longer texts. */
  hasDetails(element: Element): boolean;
  /** An element's panel; undefined if it has none. */
  pageOf(elementId: number): HTMLElement | undefined;
  /** The DOM layer that contains the buttons; loaded with the first button. */
  layer(): Promise<DomLayer>;
  /** Called when the focused button is removed. */
  lost(): void;
}

/** Whether an element is drawn as something to see, so that screen readers need its alternative. */
const isSeen = (element: Element): boolean => {
  const { reads } = traitsOf(element.element);
  return (reads === 'picture' || reads === 'thing') && alternativeOf(element) !== '';
};

/** Caption of an image without its title: author, date and text. */
function captionOf(element: Element): string {
  const { reads } = traitsOf(element.element);
  if (reads !== 'picture') return '';
  const { text = '' } = element.config as { text?: string };
  return [creditOf(element), text.trim()].filter(Boolean).join('. ');
}

/** Content of a panel that takes keys or the focus itself. */
const INTERACTIVE = 'a, button, input, select, textarea, audio, video, iframe';

/** Text of a panel, with spaces between its parts. */
const textOf = ({ childNodes }: HTMLElement): string =>
  [...childNodes]
    .map((part) => part.textContent)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Visually hidden content for an element. */
interface HiddenNode {
  isPressed: boolean;
  node: HTMLElement;
  /** Its name and caption. */
  words: string;
}

/**
 * Visually hidden nodes in reading order among the panels, for keyboards and screen readers: a button for each
 * interactive element that isn't focusable itself, and a figure for each other image or model. A click on the button is
 * a click on its element.
 */
class PressOrder {
  readonly #options: Options;
  readonly #nodes = new Map<number, HiddenNode>();
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Updates the nodes. */
  async follow(): Promise<void> {
    const turn = ++this.#turn;
    const found = new Map<number, { element: Element; isPressed: boolean }>();
    for (const element of this.#options.visible()) {
      const isPressed = this.#options.isPressed(element);
      if (isPressed || isSeen(element)) found.set(element.id, { element, isPressed });
    }
    if (found.size === 0 && this.#nodes.size === 0) return;
    const layer = await this.#options.layer();
    if (turn !== this.#turn) return;
    for (const [id, { isPressed }] of this.#nodes) if (found.get(id)?.isPressed !== isPressed) this.#remove(id);
    for (const [id, { element, isPressed }] of found) {
      const hidden = this.#nodes.get(id) ?? this.#add(id, isPressed, layer);
      const [name, caption] = [this.#options.nameOf(element), captionOf(element)];
      const words = `${name}\n${caption}`;
      if (hidden.words !== words) {
        hidden.words = words;
        if (isPressed) describeButton(hidden.node, name, [this.#options.kindOf(element), caption]);
        else describeFigure(hidden.node, name, caption);
      }
      const { node } = hidden;
      if (this.#options.hasDetails(element)) node.setAttribute('aria-details', detailsIdOf(id));
      else node.removeAttribute('aria-details');
      // A scrollable panel is a tab stop of its own, so the element would be reached twice. Redrawn elements have a
      // new panel.
      const page = isPressed && this.#options.pageOf(id);
      if (!page) continue;
      page.tabIndex = -1;
      // The button has the panel's text as its name, which would be read twice.
      if (!page.querySelector(INTERACTIVE) && name === textOf(page)) page.ariaHidden = 'true';
    }
  }

  #add(id: number, isPressed: boolean, layer: DomLayer): HiddenNode {
    const node = document.createElement(isPressed ? 'button' : 'figure');
    if (node instanceof HTMLButtonElement) {
      node.type = 'button';
      node.dataset.elementId = String(id);
    }
    node.className = 'stage-press';
    node.dir = 'auto';
    const hidden = { isPressed, node, words: '' };
    this.#nodes.set(id, hidden);
    layer.place(node, id, true);
    return hidden;
  }

  #remove(id: number): void {
    const { node } = this.#nodes.get(id)!;
    const hadFocus = document.activeElement === node;
    this.#nodes.delete(id);
    node.remove();
    if (hadFocus) this.#options.lost();
  }

  dispose(): void {
    this.#turn++;
    for (const { node } of this.#nodes.values()) node.remove();
    this.#nodes.clear();
  }
}

/** @param facts kind and caption; empty ones are skipped, and a name that is the kind isn't repeated */
function describeButton(button: HTMLElement, name: string, facts: readonly string[]): void {
  button.textContent = name;
  button.ariaDescription = facts.filter((fact) => fact && fact !== name).join('. ') || null;
}

function describeFigure(figure: HTMLElement, name: string, caption: string): void {
  const image = document.createElement('span');
  image.role = 'img';
  image.ariaLabel = name;
  figure.replaceChildren(image);
  if (!caption) return;
  const words = document.createElement('figcaption');
  words.textContent = caption;
  figure.append(words);
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
  readonly #details: DetailButtons;
  readonly #around: SurroundingsText;
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
        if (!rig.walks) return;
        const { surroundings } = environment;
        const shell = surroundings && scene.room.template?.model_type === 'model' ? [surroundings.object] : [];
        const place = placeToWalk(ray, [...targets.occluders(), ...shell], scene.room);
        if (!place) return;
        rig.moveTo(rig.inside(place));
        views.context.invalidate();
      },
    });
    const scrolling = options.sharesScrolling ? new SharedScrolling(views.context) : undefined;
    if (scrolling) rig.looksWithTwoFingers = true;
    this.#cleanups = [
      listenToKeyboard(rig),
      listenForZoom(rig, container, () => scene.room, scrolling),
      () => scrolling?.dispose(),
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
    // Images up close show their description, and view points the one of their panorama in the menu.
    const detailsOf = (element: Element) =>
      onlyLooks(scene, element) || traitsOf(element.element).press === 'go' ? '' : this.#naming.details(element);
    const shared = {
      visible: () => this.#visible(),
      pageOf: (id: number) => views.viewOf(id)?.page,
      layer: () => views.context.dom(),
      lost: () => container.focus({ preventScroll: true }),
    };
    this.#order = new PressOrder({
      ...shared,
      isPressed: (element) => needsButton(scene, element),
      nameOf: (element) => this.#nameOf(element),
      kindOf: (element) => this.#naming.kind(element),
      hasDetails: (element) => detailsOf(element) !== '',
    });
    this.#details = new DetailButtons({
      ...shared,
      nameOf: detailsOf,
      opened: (id) => {
        const element = this.#elementOf(id);
        if (element) options.handlers?.detailsWanted?.(element);
      },
    });
    this.#around = new SurroundingsText(scene, shared.layer);
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
    const { page } = this.#reach.views.viewOf(element.id) ?? {};
    return this.#naming.name(element, page ? textOf(page) : '');
  }

  #named(id: number): string {
    const element = this.#elementOf(id);
    return element ? this.#nameOf(element) : '';
  }

  *#visible(): Generator<Element> {
    const { views } = this.#reach;
    for (const id of views.visible()) {
      const element = this.#elementOf(id);
      if (element && isInRoom(element) && !views.viewOf(id)?.isSubstitute) yield element;
    }
  }

  *#marked(): Generator<{ object: Object3D; element: Element }> {
    const { views, options } = this.#reach;
    for (const element of this.#visible())
      if (needsHotspot(options.scene, element)) yield { object: views.viewOf(element.id)!.object, element };
  }

  #hover(id: number | undefined, { clientX, clientY }: PointerEvent): void {
    if (this.#focus.focused !== undefined) return;
    if (id === undefined) {
      this.#label.hide();
      return;
    }
    this.#reach.options.handlers?.pointed?.(id);
    const { left, top } = this.#reach.options.container.getBoundingClientRect();
    this.#label.show(this.#named(id), clientX - left, clientY - top);
  }

  /** Updates everything before a frame. @param version of the scene */
  prepare(version: number): void {
    const { changes } = this.#reach.views;
    if (changes !== this.#changes) {
      this.#changes = changes;
      for (const part of [this.#order, this.#details])
        part.follow().catch((error) => this.#reach.options.handlers?.failed?.(String(error), null));
      this.#hotspots?.mark(this.#marked());
    } else if (version !== this.#version) this.#hotspots?.move();
    if (version !== this.#version)
      this.#around.follow().catch((error) => this.#reach.options.handlers?.failed?.(String(error), null));
    this.#version = version;
  }

  /** Updates everything after a frame. */
  draw(): void {
    this.#focus.draw();
  }

  dispose(): void {
    for (const cleanup of this.#cleanups) cleanup();
    for (const part of [
      this.#pointer,
      this.#focus,
      this.#order,
      this.#details,
      this.#around,
      this.#label,
      this.#hotspots,
    ])
      part?.dispose();
  }
}
