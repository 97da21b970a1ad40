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

/** Diameter of a hotspot, in CSS pixels. */
const SIZE = { dot: 14, ring: 20 } as const satisfies Record<HotspotStyle, number>;
/** Pixels of the picture from which hotspots are drawn. */
const SHARP = 64;
/** Units between a thing and its hotspot: in front of it, and in from its corner. */
const FRONT = 2;
const INSET = 16;

const PAPER = '#F7F6F2';
const INK = 'rgb(20 23 28 / 70%)';

function paint(style: HotspotStyle): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SHARP;
  const pen = canvas.getContext('2d')!;
  const disc = (radius: number, color: string) => {
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(SHARP / 2, SHARP / 2, radius, 0, 2 * Math.PI);
    pen.fill();
  };
  disc(SHARP / 2 - 1, INK);
  disc(SHARP / 2 - 7, PAPER);
  if (style === 'ring') {
    disc(SHARP / 2 - 15, INK);
    disc(SHARP / 2 - 24, PAPER);
  }
  return canvas;
}

/** Part of the way to the eye by which marks stand nearer than what they are on, so that a slanted picture covers none. */
const NEARER = 0.05;

/** Marks face the eye: those of what is seen from behind are not drawn. A mark without a front is seen from all sides. */
const PROJECT = `
  #include <project_vertex>
  vec3 front = normalMatrix * normal;
  gl_Position = dot(front, mvPosition.xyz) > 0.0
    ? vec4(0.0, 0.0, 2.0, 1.0)
    : projectionMatrix * vec4(mvPosition.xyz * ${(1 - NEARER).toFixed(2)}, 1.0);
`;

/** Where the hotspot of a drawing stands, in its own space: in a corner of what is flat, above what is a body. */
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

/** A thing that is marked. */
interface Marked {
  object: Object3D;
  element: Element;
}

const place = new Vector3();
const front = new Vector3();

/** Quiet marks on what can be pressed and would not show it. All of them are one draw call. */
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

  /** Puts a mark on each thing of a kind that needs one. */
  mark(things: Iterable<Marked>): void {
    this.#marks = [];
    for (const { object, element } of things) {
      const { hit, reads } = traitsOf(element.element);
      // Pages and discs show by themselves that they can be pressed.
      const local = hit === 'body' ? placeOn(object, element) : null;
      if (local) this.#marks.push({ object, local, isFlat: reads === 'picture' });
    }
    const vectors = () => new BufferAttribute(new Float32Array(this.#marks.length * 3), 3);
    // A drawing with another number of points is another one to the library.
    this.#points.geometry.dispose();
    this.#points.geometry = new BufferGeometry().setAttribute('position', vectors()).setAttribute('normal', vectors());
    this.#points.visible = this.#marks.length > 0;
    this.move();
  }

  /** Follows what moves. */
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
