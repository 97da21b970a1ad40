import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Mesh,
  type Object3D,
  Points,
  PointsMaterial,
  Vector3,
} from 'three';
import type { Element } from '../../document/element.ts';
import type { Template } from '../../document/template.ts';
import { traitsOf } from '../../document/traits-of.ts';

export type HotspotStyle = Exclude<Template['hotspot_style'], 'off'>;

/** Diameter of a hotspot in CSS pixels. */
const SIZE = { dot: 14, ring: 20 } as const satisfies Record<HotspotStyle, number>;
/** Texture size in pixels. */
const TEXTURE_SIZE = 64;
/** Offset of a hotspot in units: in front of its element, and inset from the corner. */
const FRONT = 2;
const INSET = 16;

const PAPER = '#F7F6F2';
const INK = 'rgb(20 23 28 / 70%)';

function paint(style: HotspotStyle): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = TEXTURE_SIZE;
  const pen = canvas.getContext('2d')!;
  const disc = (radius: number, color: string) => {
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(TEXTURE_SIZE / 2, TEXTURE_SIZE / 2, radius, 0, 2 * Math.PI);
    pen.fill();
  };
  disc(TEXTURE_SIZE / 2 - 1, INK);
  disc(TEXTURE_SIZE / 2 - 7, PAPER);
  if (style === 'ring') {
    disc(TEXTURE_SIZE / 2 - 15, INK);
    disc(TEXTURE_SIZE / 2 - 24, PAPER);
  }
  return canvas;
}

/** Fraction by which hotspots are moved towards the camera, so that slanted images don't cover them. */
const NEARER = 0.05;

/** Hotspots of elements seen from behind are clipped. Those with a zero normal are visible from all sides. */
const PROJECT = `
  #include <project_vertex>
  vec3 front = normalMatrix * normal;
  gl_Position = dot(front, mvPosition.xyz) > 0.0
    ? vec4(0.0, 0.0, 2.0, 1.0)
    : projectionMatrix * vec4(mvPosition.xyz * ${(1 - NEARER).toFixed(2)}, 1.0);
`;

/** Local position of an element's hotspot: in a corner of flat elements, above solid ones. */
function placeOn(object: Object3D, { element }: Element): Vector3 | null {
  let first: Mesh | undefined;
  object.traverse((part) => {
    if (!first && part instanceof Mesh) first = part;
  });
  if (!first) return null;
  if (!first.geometry.boundingBox) first.geometry.computeBoundingBox();
  object.updateWorldMatrix(true, true);
  const toObject = object.matrixWorld.clone().invert().multiply(first.matrixWorld);
  const { min, max } = first.geometry.boundingBox!.clone().applyMatrix4(toObject);
  const inset = Math.min(INSET, (max.x - min.x) / 4, (max.y - min.y) / 4);
  return traitsOf(element).isSolid
    ? new Vector3((min.x + max.x) / 2, max.y + FRONT * 4, (min.z + max.z) / 2)
    : new Vector3(max.x - inset, min.y + inset, max.z + FRONT);
}

/** An element with a hotspot. */
interface Marked {
  object: Object3D;
  element: Element;
}

const place = new Vector3();
const front = new Vector3();

/** Hotspots on interactive elements that don't look interactive, in one draw call. */
export class Hotspots {
  readonly #points: Points<BufferGeometry, PointsMaterial>;
  #marks: { object: Object3D; local: Vector3; isFlat: boolean }[] = [];

  constructor(style: HotspotStyle) {
    const material = new PointsMaterial({
      map: new CanvasTexture(paint(style)),
      size: SIZE[style],
      sizeAttenuation: false,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
      fog: false,
    });
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader.replace('#include <project_vertex>', PROJECT);
    };
    this.#points = new Points(new BufferGeometry(), material);
    this.#points.frustumCulled = false;
    this.#points.renderOrder = 2;
  }

  get object(): Object3D {
    return this.#points;
  }

  /** Creates hotspots for the elements that need one. */
  mark(things: Iterable<Marked>): void {
    this.#marks = [];
    for (const { object, element } of things) {
      const { hit, reads } = traitsOf(element.element);
      // Panels and view point discs already look interactive.
      const local = hit === 'body' ? placeOn(object, element) : null;
      if (local) this.#marks.push({ object, local, isFlat: reads === 'picture' });
    }
    const vectors = () => new BufferAttribute(new Float32Array(this.#marks.length * 3), 3);
    // three.js doesn't support changing the number of points of a geometry.
    this.#points.geometry.dispose();
    this.#points.geometry = new BufferGeometry().setAttribute('position', vectors()).setAttribute('normal', vectors());
    this.#points.visible = this.#marks.length > 0;
    this.move();
  }

  /** Updates positions. */
  move(): void {
    const { position, normal } = this.#points.geometry.attributes;
    if (!position || !normal) return;
    this.#marks.forEach(({ object, local, isFlat }, index) => {
      place.copy(local).applyMatrix4(object.matrix);
      position.setXYZ(index, place.x, place.y, place.z);
      if (isFlat) front.setFromMatrixColumn(object.matrix, 2);
      else front.set(0, 0, 0);
      normal.setXYZ(index, front.x, front.y, front.z);
    });
    position.needsUpdate = true;
    normal.needsUpdate = true;
  }

  dispose(): void {
    this.#points.removeFromParent();
    this.#points.geometry.dispose();
    this.#points.material.map?.dispose();
    this.#points.material.dispose();
  }
}
