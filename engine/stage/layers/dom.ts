import {
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  NoBlending,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Shape,
  ShapeGeometry,
} from 'three';
import { CSS3DObject, CSS3DRenderer } from 'three/addons/renderers/CSS3DRenderer.js';

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

/** Units by which the layer is drawn away from where it stands. */
const SHIFT = 10_000;

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

/**
 * The layer of ordinary page content under the WebGL canvas. Each panel cuts a hole into the canvas with a plane that
 * writes depth and zero alpha: nearer meshes cover the panel, farther ones do not.
 */
export class DomLayer {
  readonly #renderer = new CSS3DRenderer();
  readonly #scene = new Scene();
  readonly #panels = new Set<Object3D>();
  readonly #camera = new PerspectiveCamera();
  // NoBlending writes the material's own alpha, zero, where a blended plane would leave what is behind it.
  readonly #material = new MeshBasicMaterial({ color: 0, opacity: 0, blending: NoBlending, side: DoubleSide });

  /** @param parent element that the layer fills, below the canvas */
  constructor(parent: HTMLElement) {
    const { domElement } = this.#renderer;
    domElement.className = 'stage-dom';
    parent.prepend(domElement);
    this.#scene.matrixWorldAutoUpdate = false;
    this.#camera.matrixWorldAutoUpdate = false;
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
    const object = new CSS3DObject(content);
    object.matrixAutoUpdate = false;
    object.matrixWorldAutoUpdate = false;
    const hole = new Mesh(outline(size.width ?? 1, size.height ?? 1, radius), this.#material);
    hole.renderOrder = -1;
    object.userData.hole = hole;
    this.#scene.add(object);
    this.#panels.add(object);
    let measured = '';
    const resize = () => {
      const [width, height] = [size.width ?? content.offsetWidth, size.height ?? content.offsetHeight];
      if (measured === `${width}×${height}` || width === 0 || height === 0) return;
      measured = `${width}×${height}`;
      hole.geometry.dispose();
      hole.geometry = outline(width, height, radius);
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
      },
      dispose: () => {
        observer.disconnect();
        this.#scene.remove(object);
        this.#panels.delete(object);
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
  }

  /**
   * Draws the layer as the camera sees it; panels stand where their holes stand. Everything is shifted along z first: the
   * browser finds no panel under the pointer while the camera stands in the plane of the layer's own element, z = 0.
   */
  render(camera: PerspectiveCamera): void {
    const shift = camera.matrixWorld.elements[14]! < 0 ? -SHIFT : SHIFT;
    for (const object of this.#panels) {
      object.matrixWorld.copy((object.userData.hole as Mesh).matrixWorld);
      object.matrixWorld.elements[14]! += shift;
    }
    this.#camera.matrixWorld.copy(camera.matrixWorld);
    this.#camera.matrixWorld.elements[14]! += shift;
    this.#camera.matrixWorldInverse.copy(this.#camera.matrixWorld).invert();
    this.#camera.projectionMatrix.copy(camera.projectionMatrix);
    this.#renderer.render(this.#scene, this.#camera);
  }

  dispose(): void {
    this.#material.dispose();
    this.element.remove();
  }
}
