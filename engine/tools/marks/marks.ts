import { CanvasTexture, type Object3D, Sprite, SpriteMaterial, SRGBColorSpace } from 'three';
import { descriptorOf, type Element } from '../../document/element.ts';
import type { Stage } from '../../stage/stage.ts';
import { spriteScale } from './screen.ts';

/** Height of an icon relative to the view height at one unit's distance. */
const SCALE = 0.045;
/** Icon texture size in pixels. */
const PIXELS = 64;
/** Above the room and outlines, below the gizmo. */
const RENDER_ORDER = 910;

/** Icon types: light, audio, or an element that couldn't be drawn. */
type Sign = 'light' | 'sound' | 'missing';

/** Icon strokes in a 64 × 64 square: polylines, and circles as x, y and radius. */
const MARK_SHAPES: Record<Sign, { lines: number[][]; circle?: [number, number, number] }> = {
  light: {
    circle: [32, 28, 9],
    lines: [
      [28, 41, 36, 41],
      [29, 46, 35, 46],
      [32, 12, 32, 15],
      [17, 28, 20, 28],
      [44, 28, 47, 28],
    ],
  },
  sound: {
    lines: [
      [18, 27, 24, 27, 32, 20, 32, 44, 24, 37, 18, 37, 18, 27],
      [38, 26, 41, 32, 38, 38],
      [43, 21, 48, 32, 43, 43],
    ],
  },
  missing: {
    lines: [
      [22, 22, 42, 42],
      [42, 22, 22, 42],
    ],
  },
};

function materialOf(sign: Sign): SpriteMaterial {
  const canvas = document.createElement('canvas');
  canvas.width = PIXELS;
  canvas.height = PIXELS;
  const brush = canvas.getContext('2d')!;
  brush.fillStyle = '#14171C';
  brush.beginPath();
  brush.arc(32, 32, 30, 0, 2 * Math.PI);
  brush.fill();
  Object.assign(brush, { strokeStyle: '#E2B15F', lineWidth: 3.5, lineCap: 'round', lineJoin: 'round' });
  const { lines, circle } = MARK_SHAPES[sign];
  for (const points of lines) {
    brush.beginPath();
    for (let at = 0; at < points.length; at += 2) brush.lineTo(points[at]!, points[at + 1]!);
    brush.stroke();
  }
  if (circle) {
    brush.beginPath();
    brush.arc(...circle, 0, 2 * Math.PI);
    brush.stroke();
  }
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  return new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, fog: false, toneMapped: false });
}

/** Icons for elements without geometry, so that they are visible and pickable. */
export class Marks {
  readonly #stage: Stage;
  readonly #materials = new Map<Sign, SpriteMaterial>();
  readonly #sprites = new Map<number, Sprite>();
  readonly #failed = new Set<number>();
  readonly #matrix = new Float32Array(16);
  #isStale = true;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Marks the icons as outdated; for changes in a tick, which renders a frame anyway. */
  expire(): void {
    this.#isStale = true;
  }

  /** Marks the icons as outdated and requests a frame. */
  refresh(): void {
    this.expire();
    this.#stage.refresh();
  }

  /** Shows that an element couldn't be drawn. */
  fail(elementId: number): void {
    this.#failed.add(elementId);
    this.refresh();
  }

  #signOf(element: Element): Sign | undefined {
    if (this.#failed.has(element.id) && !this.#stage.viewOf(element.id)) return 'missing';
    return descriptorOf(element).sign;
  }

  #material(sign: Sign): SpriteMaterial {
    const material = this.#materials.get(sign) ?? materialOf(sign);
    this.#materials.set(sign, material);
    return material;
  }

  #rebuild(): void {
    const wanted = new Map<number, Sign>();
    for (const element of this.#stage.scene.room.elements) {
      const sign = this.#signOf(element);
      if (sign) wanted.set(element.id, sign);
    }
    for (const [id, sprite] of this.#sprites) {
      if (wanted.has(id)) continue;
      this.#stage.three.remove(sprite);
      this.#sprites.delete(id);
    }
    for (const [id, sign] of wanted) {
      const sprite = this.#sprites.get(id) ?? new Sprite();
      sprite.material = this.#material(sign);
      if (this.#sprites.has(id)) continue;
      sprite.name = 'mark';
      sprite.userData.element_id = id;
      sprite.renderOrder = RENDER_ORDER;
      this.#sprites.set(id, sprite);
      this.#stage.three.add(sprite);
    }
  }

  /** Updates all icons; called before each frame. */
  place(): void {
    if (this.#isStale) this.#rebuild();
    this.#isStale = false;
    const { scene } = this.#stage;
    const scale = spriteScale(this.#stage, SCALE);
    for (const [id, sprite] of this.#sprites) {
      const entity = scene.entityOf(id);
      sprite.visible = entity !== undefined && scene.isVisible(entity);
      if (entity === undefined || !sprite.visible) continue;
      scene.worldMatrix(entity, this.#matrix);
      sprite.position.set(this.#matrix[12]!, this.#matrix[13]!, this.#matrix[14]!);
      sprite.scale.set(scale, scale, 1);
    }
  }

  /** Icons of visible elements. */
  visible(): readonly Object3D[] {
    return [...this.#sprites.values()].filter(({ visible }) => visible);
  }

  dispose(): void {
    for (const sprite of this.#sprites.values()) this.#stage.three.remove(sprite);
    for (const material of this.#materials.values()) {
      material.map?.dispose();
      material.dispose();
    }
  }
}
