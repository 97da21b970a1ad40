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
import type { Hit } from '../interaction/pointer.ts';
import { isTyping } from '../interaction/typing.ts';
import { ReadingOrder } from './reading-order.ts';

/** A point of the window, in pixels. */
type Place = Pick<MouseEvent, 'clientX' | 'clientY'>;

/** A piece of page that stands in the room, and the hole through which it is seen. */
export interface DomPanel {
  /** What stands in the WebGL scene: a plane that clears the canvas where the page shows through. */
  readonly hole: Mesh;
  /** Size in units; the hole follows the page's own size when it is left out. */
  resize(): void;
  show(visible: boolean): void;
  dispose(): void;
}

/** Units by which a hole is smaller than its panel, so that no background shines through along the edge. */
const INSET = 1;

/** A panel as the layer draws it. */
interface Panel {
  /** Holds the content, and is drawn with its middle in the panel at `pivot`. */
  readonly object: CSS3DObject;
  readonly content: HTMLElement;
  readonly hole: Mesh;
  /** Point around which the panel is drawn, seen from its middle; units. */
  readonly pivot: Vector3;
  /** Where the hole stood when the panel was drawn last. */
  readonly drawn: Matrix4;
}

/** A rounded rectangle around the origin, a hair inside the given size. */
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

/** What takes the focus when it is pressed. */
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]';

const shift = new Matrix4();
const frustum = new Frustum();
/**
 * Where panels wait that are out of view, so that nothing is written for them as the camera moves: to the left of and
 * above what can be scrolled to, for they can still be reached by keyboard.
 */
const ASIDE = new Matrix4().makeTranslation(-1e5, 1e5, 0);

/**
 * The layer of ordinary page content under the WebGL canvas. Each panel cuts a hole into the canvas with a plane that
 * writes depth and zero alpha: nearer meshes cover the panel, farther ones do not.
 */
export class DomLayer {
  readonly #renderer = new CSS3DRenderer();
  readonly #scene = new Scene();
  readonly #panels = new Map<Object3D, Panel>();
  readonly #camera = new PerspectiveCamera();
  /** From the room to what the layer draws: the camera's own space, moved into the plane of the screen. */
  readonly #view = new Matrix4();
  /** The room in the camera's own space, as it was drawn last. */
  readonly #seen = new Matrix4();
  /** Whether something has changed besides where camera and panels stand. */
  #isStale = true;
  // NoBlending writes the material's own alpha, zero, where a blended plane would leave what is behind it.
  readonly #material = new MeshBasicMaterial({ color: 0, opacity: 0, blending: NoBlending, side: DoubleSide });

  /** What holds the panels, and the buttons of what is no page, in the order of reading. */
  readonly #list: HTMLElement;
  readonly #placed: { rank: number; node: HTMLElement }[] = [];
  readonly #order: ReadingOrder;

  /** @param parent element that the layer fills, below the canvas */
  constructor(parent: HTMLElement, scene: RoomScene) {
    this.#order = new ReadingOrder(scene);
    const { domElement } = this.#renderer;
    domElement.className = 'stage-dom';
    // What takes the focus is not scrolled to: the camera turns.
    domElement.style.overflow = 'clip';
    this.#list = domElement.querySelector<HTMLElement>(':scope > div > div')!;
    parent.prepend(domElement);
    // Dragging looks around, wherever it begins; words are chosen by pressing twice.
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
   * Puts a node where its element comes in the order of reading; it is not moved again, as a framed page would load
   * anew. Nodes that are taken away elsewhere are forgotten here with the next one.
   * @param isFirst whether it comes before the element's own piece of page
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

  /** The element that holds the panels. */
  get element(): HTMLElement {
    return this.#renderer.domElement;
  }

  /**
   * Puts a piece of page into the room.
   * @param content the page's element
   * @param size width and height in units; where one is null the content's own is measured
   * @param radius of the corners in pixels
   * @param changed called when the content has changed its size
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

  /** Opens or closes the holes to the page. */
  setHoles(open: boolean): void {
    this.#material.visible = open;
  }

  setSize(width: number, height: number): void {
    this.#renderer.setSize(width, height);
    this.#isStale = true;
  }

  /** Whether all is drawn where it stands, as this camera sees it. */
  #isDrawn({ projectionMatrix, matrixWorldInverse }: PerspectiveCamera): boolean {
    if (this.#isStale || !this.#seen.equals(matrixWorldInverse)) return false;
    if (!this.#camera.projectionMatrix.equals(projectionMatrix)) return false;
    for (const { drawn, hole } of this.#panels.values()) if (!drawn.equals(hole.matrixWorld)) return false;
    return true;
  }

  /**
   * Draws the layer as the camera sees it; panels stand where their holes stand. The layer's own element stays in the
   * plane of the screen and every panel is placed in the camera's space: browsers look for what is under the pointer
   * through the planes of all that holds it, and find nothing where one of these lies beside or behind the eye.
   */
  render(camera: PerspectiveCamera): void {
    if (this.#isDrawn(camera)) return;
    const { projectionMatrix, matrixWorldInverse } = camera;
    this.#isStale = false;
    this.#seen.copy(matrixWorldInverse);
    // Without perspective it is no distance, but the pixels of a unit.
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
      else panel.object.matrixWorld.copy(ASIDE);
    }
    this.#renderer.render(this.#scene, this.#camera);
  }

  #place({ object, hole, pivot }: Panel): void {
    object.matrixWorld.multiplyMatrices(this.#view, hole.matrixWorld).multiply(shift.makeTranslation(pivot));
  }

  /**
   * What a panel shows at a point of the window. Browsers look for it inside of what the window covers of the panel's
   * plane, which they work out from the window's corners; where the plane's horizon runs through the window, that may
   * leave the point out. Seen from the point itself it never does, so the panel is drawn around that then.
   * @param hit the panel's hole, with the point of it in the room
   * @returns null where the page shows nothing
   */
  find({ mesh, point }: Hit, place: Place): Element | null {
    const shown = this.#shown(place);
    const panel = this.#panels.get(mesh);
    if (shown || !panel) return shown;
    const { x, y } = panel.pivot.copy(mesh.worldToLocal(point.clone())).setZ(0);
    // What holds the content has no sides then. A page's y grows downwards.
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

  /** Presses what a panel shows at a point of the window, as a pointer would that reached it. */
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
