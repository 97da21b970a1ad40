import {
  DoubleSide,
  Frustum,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NoBlending,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Shape,
  ShapeGeometry,
  Vector3,
} from 'three';
import { CSS3DObject, CSS3DRenderer } from 'three/addons/renderers/CSS3DRenderer.js';
import type { Scene as RoomScene } from '../../scene/scene.ts';
import type { Hit } from '../interaction/hit.ts';
import { isTyping } from '../interaction/typing.ts';

/** Reading order of a room: document order, groups before their children, feed items within their group. */
class ReadingOrder {
  readonly #scene: RoomScene;
  #ranks = new Map<number, number>();

  constructor(scene: RoomScene) {
    this.#scene = scene;
  }

  /** Updates the order after elements were added, removed or moved. */
  read(): void {
    this.#ranks = new Map(this.#scene.room.elements.map(({ id }, rank) => [id, rank]));
  }

  /** Rank of an element in reading order; transient elements follow their group. */
  rankOf(elementId: number): number {
    if (elementId < 0) {
      const guest = this.#scene.elementOf(this.#scene.entityOf(elementId) ?? 0);
      // Feed items have descending negative ids; the first of a group ranks first.
      return this.rankOf(guest?.parent_element_id ?? 0) + 1 - 1 / (1 - elementId);
    }
    if (!this.#ranks.has(elementId)) this.read();
    return this.#ranks.get(elementId) ?? this.#ranks.size;
  }
}

/** A point in the window, in pixels. */
type Place = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** DOM content placed in the room, and the hole through which it is visible. */
export interface DomPanel {
  /** A plane in the WebGL scene that clears the canvas so that the page shows through. */
  readonly hole: Mesh;
  /** Adapts the hole to the content's size where none was given. */
  resize(): void;
  show(visible: boolean): void;
  dispose(): void;
}

/** Distance in units by which a hole is smaller than its panel, so that the background doesn't show at the edges. */
const INSET = 1;

/** Internal state of a panel. */
interface Panel {
  /** Contains the content, drawn with its center at the panel's `pivot`. */
  readonly object: CSS3DObject;
  readonly content: HTMLElement;
  readonly hole: Mesh;
  /** Origin for drawing the panel, relative to its center, in units. */
  readonly pivot: Vector3;
  /** World matrix of the hole when the panel was last drawn. */
  readonly drawn: Matrix4;
}

/** A rounded rectangle around the origin, slightly smaller than the given size. */
function outline(width: number, height: number, radius: number): ShapeGeometry {
  const [x, y] = [Math.max(width / 2 - INSET, 0.1), Math.max(height / 2 - INSET, 0.1)];
  const r = Math.min(radius, x, y);
  const shape = new Shape();
  shape.moveTo(-x + r, -y);
  shape.lineTo(x - r, -y);
  if (r > 0) shape.absarc(x - r, -y + r, r, -Math.PI / 2, 0);
  shape.lineTo(x, y - r);
  if (r > 0) shape.absarc(x - r, y - r, r, 0, Math.PI / 2);
  shape.lineTo(-x + r, y);
  if (r > 0) shape.absarc(-x + r, y - r, r, Math.PI / 2, Math.PI);
  shape.lineTo(-x, -y + r);
  if (r > 0) shape.absarc(-x + r, -y + r, r, Math.PI, 1.5 * Math.PI);
  return new ShapeGeometry(shape, 8);
}

/** Elements that receive focus when clicked. */
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]';

const shift = new Matrix4();
const frustum = new Frustum();
/**
 * Position of panels outside the view, so that they need no updates while the camera moves: left of and above the
 * scrollable area, because they must stay focusable.
 */
const OFFSCREEN = new Matrix4().makeTranslation(-1e5, 1e5, 0);

/**
 * The DOM layer under the WebGL canvas. Each panel cuts a hole into the canvas with a plane that writes depth and
 * zero alpha: nearer meshes cover the panel, farther ones don't.
 */
export class DomLayer {
  readonly #renderer = new CSS3DRenderer();
  readonly #scene = new Scene();
  readonly #panels = new Map<Object3D, Panel>();
  readonly #camera = new PerspectiveCamera();
  /** Transforms the room to the layer's space: camera space, shifted to the screen plane. */
  readonly #view = new Matrix4();
  /** View matrix when the layer was last drawn. */
  readonly #seen = new Matrix4();
  /** Whether anything but the camera and panel positions has changed. */
  #isStale = true;
  // NoBlending writes the material's alpha of zero; blending would keep what is behind the plane.
  readonly #material = new MeshBasicMaterial({ color: 0, opacity: 0, blending: NoBlending, side: DoubleSide });

  /** Contains the panels and the buttons of non-DOM elements in reading order. */
  readonly #list: HTMLElement;
  readonly #placed: { rank: number; node: HTMLElement }[] = [];
  readonly #order: ReadingOrder;

  /** @param parent element that the layer fills, below the canvas */
  constructor(parent: HTMLElement, scene: RoomScene) {
    this.#order = new ReadingOrder(scene);
    const { domElement } = this.#renderer;
    domElement.className = 'stage-dom';
    // Focused elements must not be scrolled into view: the camera turns instead.
    domElement.style.overflow = 'clip';
    this.#list = domElement.querySelector<HTMLElement>(':scope > div > div')!;
    parent.prepend(domElement);
    // Dragging looks around even on text; a double click selects text.
    let presses = 0;
    domElement.addEventListener('mousedown', ({ detail }) => (presses = detail));
    domElement.addEventListener('selectstart', (event) => {
      if (presses === 1 && !isTyping(event.target)) event.preventDefault();
    });
    domElement.addEventListener('dragstart', (event) => event.preventDefault());
    this.#scene.matrixWorldAutoUpdate = false;
    this.#camera.matrixWorldAutoUpdate = false;
  }

  /**
   * Inserts a node at its element's position in reading order. Nodes are never moved, because that would reload iframes.
   * Nodes removed elsewhere are dropped from the list with the next insertion.
   * @param isFirst whether it precedes the element's own panel
   */
  place(node: HTMLElement, elementId: number, isFirst = false): void {
    const placed = this.#placed;
    const rank = this.#order.rankOf(elementId);
    let [low, high] = [0, placed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isFirst ? placed[middle]!.rank < rank : placed[middle]!.rank <= rank) low = middle + 1;
      else high = middle;
    }
    while (low < placed.length && placed[low]!.node.parentNode !== this.#list) placed.splice(low, 1);
    this.#list.insertBefore(node, placed[low]?.node ?? null);
    placed.splice(low, 0, { rank, node });
  }

  /** The element that contains the panels. */
  get element(): HTMLElement {
    return this.#renderer.domElement;
  }

  /**
   * Places DOM content in the room.
   * @param content of the panel
   * @param size width and height in units; null to use the content's size
   * @param radius of the corners in pixels
   * @param changed called when the content's size changes
   */
  add(
    content: HTMLElement,
    size: { width: number | null; height: number | null },
    radius: number,
    changed: () => void,
  ): DomPanel {
    if (size.width !== null) content.style.width = `${size.width}px`;
    if (size.height !== null) content.style.height = `${size.height}px`;
    const object = new CSS3DObject(document.createElement('div'));
    object.element.className = 'stage-plane';
    object.element.append(content);
    object.matrixAutoUpdate = false;
    object.matrixWorldAutoUpdate = false;
    const hole = new Mesh(outline(size.width ?? 1, size.height ?? 1, radius), this.#material);
    hole.renderOrder = -1;
    const panel = { object, content, hole, pivot: new Vector3(), drawn: new Matrix4() };
    this.#scene.add(object);
    this.#panels.set(hole, panel);
    this.#isStale = true;
    let measured = '';
    const resize = () => {
      const [width, height] = [size.width ?? content.offsetWidth, size.height ?? content.offsetHeight];
      if (measured === `${width}×${height}` || width === 0 || height === 0) return;
      measured = `${width}×${height}`;
      hole.geometry.dispose();
      hole.geometry = outline(width, height, radius);
      this.#isStale = true;
      changed();
    };
    const observer = new ResizeObserver(resize);
    observer.observe(content);
    resize();
    return {
      hole,
      resize,
      show: (visible) => {
        object.visible = visible;
        this.#isStale = true;
      },
      dispose: () => {
        observer.disconnect();
        this.#scene.remove(object);
        this.#panels.delete(hole);
        content.remove();
        hole.geometry.dispose();
      },
    };
  }

  /** Opens or closes all holes. */
  setHoles(open: boolean): void {
    this.#material.visible = open;
  }

  setSize(width: number, height: number): void {
    this.#renderer.setSize(width, height);
    this.#isStale = true;
  }

  /** Whether the layer is up to date for this camera. */
  #isDrawn({ projectionMatrix, matrixWorldInverse }: PerspectiveCamera): boolean {
    if (this.#isStale || !this.#seen.equals(matrixWorldInverse)) return false;
    if (!this.#camera.projectionMatrix.equals(projectionMatrix)) return false;
    for (const { drawn, hole } of this.#panels.values()) if (!drawn.equals(hole.matrixWorld)) return false;
    return true;
  }

  /**
   * Draws the layer for a camera, with each panel at its hole. The layer itself stays in the screen plane and panels
   * are placed in camera space: browsers hit-test through the planes of all ancestors, and fail if one of them is
   * beside or behind the eye.
   */
  render(camera: PerspectiveCamera): void {
    if (this.#isDrawn(camera)) return;
    const { projectionMatrix, matrixWorldInverse } = camera;
    this.#isStale = false;
    this.#seen.copy(matrixWorldInverse);
    // For orthographic cameras this is pixels per unit.
    const distance = (projectionMatrix.elements[5]! * this.#renderer.getSize().height) / 2;
    const isFlat = projectionMatrix.elements[15] === 1;
    Object.assign(this.#camera, {
      isOrthographicCamera: isFlat,
      isPerspectiveCamera: !isFlat,
      left: 0,
      right: 0,
      top: 0,
      bottom: 0,
    });
    this.#camera.projectionMatrix.copy(projectionMatrix);
    this.#camera.matrixWorldInverse.makeTranslation(0, 0, isFlat ? 0 : -distance);
    this.#view.makeTranslation(0, 0, isFlat ? 0 : distance).multiply(matrixWorldInverse);
    frustum.setFromProjectionMatrix(shift.multiplyMatrices(projectionMatrix, matrixWorldInverse));
    for (const panel of this.#panels.values()) {
      if (!panel.object.element.parentNode) this.place(panel.object.element, Number(panel.content.dataset.elementId));
      panel.drawn.copy(panel.hole.matrixWorld);
      if (!panel.object.visible) continue;
      if (frustum.intersectsObject(panel.hole)) this.#place(panel);
      else panel.object.matrixWorld.copy(OFFSCREEN);
    }
    this.#renderer.render(this.#scene, this.#camera);
  }

  #place({ object, hole, pivot }: Panel): void {
    object.matrixWorld.multiplyMatrices(this.#view, hole.matrixWorld).multiply(shift.makeTranslation(pivot));
  }

  /**
   * The panel content at a point in the window. Browsers hit-test a panel using the part of its plane that the window
   * covers, computed from the window's corners; if the plane's horizon crosses the window, that part may miss the point.
   * Moving the panel's pivot to the point avoids this, so the panel is redrawn around it.
   * @param hit the panel's hole, with its point in the room
   * @returns null if there is no content
   */
  find({ mesh, point }: Hit, place: Place): Element | null {
    const shown = this.#shown(place);
    const panel = this.#panels.get(mesh);
    if (shown || !panel) return shown;
    const { x, y } = panel.pivot.copy(mesh.worldToLocal(point.clone())).setZ(0);
    // The wrapper has no size then. CSS y points down.
    panel.content.style.position = 'absolute';
    panel.content.style.transform = `translate(-50%, -50%) translate(${-x}px, ${y}px)`;
    this.#place(panel);
    this.#renderer.render(this.#scene, this.#camera);
    return this.#shown(place);
  }

  #shown({ clientX, clientY }: Place): Element | null {
    const shown = document.elementFromPoint(clientX, clientY);
    return shown?.closest('.stage-panel') ? shown : null;
  }

  /** Clicks the panel content at a point in the window, like a pointer. */
  press(hit: Hit, place: Place): void {
    const shown = this.find(hit, place);
    shown?.closest<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true });
    const { clientX, clientY } = place;
    shown?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, clientX, clientY }));
  }

  dispose(): void {
    this.#material.dispose();
    this.element.remove();
  }
}
