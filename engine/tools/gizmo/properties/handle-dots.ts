import {
  BufferGeometry,
  CanvasTexture,
  Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  Points,
  PointsMaterial,
  SRGBColorSpace,
} from 'three';
import type { Stage } from '../../../stage/stage.ts';
import type { PropertyHandle } from './figure.ts';

/** Above everything, with the other handles. */
const ON_TOP = 1010;
/** Size of a handle and of its texture in pixels. */
const SIZE = 15;
const PIXELS = 64;
const COLORS = { idle: new Color('#F7F6F2'), hovered: new Color('#F5D58C') } as const;

/** A white dot or square with a dark outline, tinted by vertex color. */
function drawingOf(shape: PropertyHandle['shape']): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = PIXELS;
  canvas.height = PIXELS;
  const brush = canvas.getContext('2d')!;
  for (const [inset, color] of [
    [4, '#14171C'],
    [13, '#fff'],
  ] as const) {
    brush.fillStyle = color;
    brush.beginPath();
    if (shape === 'dot') brush.arc(PIXELS / 2, PIXELS / 2, PIXELS / 2 - inset, 0, 2 * Math.PI);
    else brush.roundRect(inset + 3, inset + 3, PIXELS - 2 * inset - 6, PIXELS - 2 * inset - 6, 5);
    brush.fill();
  }
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  return map;
}

/** Drawn handles of one shape, with constant screen size. */
export class HandleDots {
  readonly #stage: Stage;
  readonly #shape: PropertyHandle['shape'];
  readonly #points: Points<BufferGeometry, PointsMaterial>;
  #capacity = 0;

  /** @param name of the object in the stage's scene */
  constructor(stage: Stage, shape: PropertyHandle['shape'], name = `property-handles ${shape}`) {
    this.#stage = stage;
    this.#shape = shape;
    const material = new PointsMaterial({
      map: drawingOf(shape),
      size: SIZE,
      sizeAttenuation: false,
      vertexColors: true,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      fog: false,
      toneMapped: false,
    });
    this.#points = new Points(new BufferGeometry(), material);
    this.#points.name = name;
    this.#points.renderOrder = ON_TOP;
    this.#points.frustumCulled = false;
    this.#points.visible = false;
    this.#points.raycast = () => undefined;
    stage.three.add(this.#points);
  }

  /** Draws the handles of this shape. */
  show(handles: readonly Pick<PropertyHandle, 'name' | 'at' | 'shape'>[], hovered: string | null = null): void {
    const own = handles.filter(({ shape }) => shape === this.#shape);
    this.#reserve(own.length);
    const { position, color } = this.#points.geometry.attributes;
    for (const [index, { name, at }] of own.entries()) {
      const { r, g, b } = name === hovered ? COLORS.hovered : COLORS.idle;
      position!.setXYZ(index, at.x, at.y, at.z);
      color!.setXYZ(index, r, g, b);
    }
    if (own.length > 0) for (const each of [position!, color!]) each.needsUpdate = true;
    this.#points.visible = own.length > 0;
    this.#points.geometry.setDrawRange(0, own.length);
    this.#points.userData.handles = own.map(({ name, at }) => ({ name, at: at.toArray() }));
  }

  #reserve(count: number): void {
    if (count <= this.#capacity) return;
    this.#capacity = count;
    this.#points.geometry.dispose();
    this.#points.geometry = new BufferGeometry();
    for (const name of ['position', 'color'])
      this.#points.geometry.setAttribute(name, new Float32BufferAttribute(3 * count, 3).setUsage(DynamicDrawUsage));
  }

  dispose(): void {
    this.#stage.three.remove(this.#points);
    this.#points.geometry.dispose();
    this.#points.material.map?.dispose();
    this.#points.material.dispose();
  }
}
