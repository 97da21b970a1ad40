import {
  BufferAttribute,
  CanvasTexture,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearFilter,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector3,
  Vector4,
  type WebGLRenderer,
} from 'three';
import type { StageContext } from '../context.ts';
import { colorOf } from './avatar.ts';

/** Layout of the atlas, and number of labels it holds. */
const ATLAS_COLUMNS = 4;
const ROWS = 16;
const MAX_LABELS = ATLAS_COLUMNS * ROWS;
/** Cell size, padding and dot of a label in CSS pixels. */
const CELL = { width: 176, height: 26 };
const PADDING = 9;
const DOT = { radius: 4, gap: 7 };
const LABEL_RADIUS = 6;
const FONT = '500 13px';
const INK = 'rgb(20 23 28 / 86%)';
const PAPER = '#F7F6F2';

/** A label's rectangle in texture pixels. */
interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Labels rendered into one texture, with LRU eviction. */
class LabelAtlas {
  readonly texture: CanvasTexture;
  /** Texture pixels per CSS pixel. */
  readonly ratio: number;
  readonly #canvas = document.createElement('canvas');
  readonly #pen: CanvasRenderingContext2D;
  readonly #family: string;
  /** Cells by content, least recently used first. */
  readonly #cells = new Map<string, Cell & { index: number }>();

  /**
   * @param family CSS font family
   * @param ratio texture pixels per CSS pixel
   */
  constructor(family: string, ratio: number) {
    this.#family = family;
    this.ratio = ratio;
    this.#canvas.width = Math.ceil(ATLAS_COLUMNS * CELL.width * ratio);
    this.#canvas.height = Math.ceil(ROWS * CELL.height * ratio);
    this.#pen = this.#canvas.getContext('2d')!;
    this.texture = new CanvasTexture(this.#canvas);
    // Top-down rows, unconverted colors, and premultiplied alpha to avoid dark fringes.
    this.texture.flipY = false;
    this.texture.premultiplyAlpha = true;
    this.texture.generateMipmaps = false;
    this.texture.minFilter = LinearFilter;
  }

  /** Size of the texture in pixels. */
  get size(): { width: number; height: number } {
    return this.#canvas;
  }

  /** The label for a name and color; the last `MAX_LABELS` are cached. */
  cellOf(name: string, color: string): Cell {
    const key = `${color} ${name}`;
    const known = this.#cells.get(key);
    this.#cells.delete(key);
    const cell = known ?? this.#draw(name, color, this.#place());
    this.#cells.set(key, cell);
    return cell;
  }

  /** A free cell, or that of the least recently used label. */
  #place(): number {
    const [oldest] = this.#cells;
    if (!oldest || this.#cells.size < MAX_LABELS) return this.#cells.size;
    const [key, { index }] = oldest;
    this.#cells.delete(key);
    return index;
  }

  #draw(name: string, color: string, index: number): Cell & { index: number } {
    const pen = this.#pen;
    const { ratio } = this;
    const [left, top] = [(index % ATLAS_COLUMNS) * CELL.width, Math.floor(index / ATLAS_COLUMNS) * CELL.height];
    pen.setTransform(ratio, 0, 0, ratio, Math.round(left * ratio), Math.round(top * ratio));
    pen.clearRect(0, 0, CELL.width, CELL.height);
    pen.font = `${FONT} ${this.#family}`;
    pen.textBaseline = 'middle';
    const before = PADDING + DOT.radius * 2 + DOT.gap;
    const text = this.#shorten(name, CELL.width - 2 - before - PADDING);
    // Leave a pixel between neighbors.
    const width = Math.min(CELL.width - 2, Math.ceil(before + pen.measureText(text).width + PADDING));
    const height = CELL.height - 2;
    pen.fillStyle = INK;
    pen.beginPath();
    pen.roundRect(0, 0, width, height, LABEL_RADIUS);
    pen.fill();
    pen.fillStyle = PAPER;
    pen.beginPath();
    pen.arc(PADDING + DOT.radius, height / 2, DOT.radius + 1.5, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(PADDING + DOT.radius, height / 2, DOT.radius, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = PAPER;
    pen.fillText(text, before, height / 2 + 0.5);
    this.texture.needsUpdate = true;
    const scaled = { x: Math.round(left * ratio), y: Math.round(top * ratio) };
    return { ...scaled, width: Math.ceil(width * ratio), height: Math.ceil(height * ratio), index };
  }

  #shorten(name: string, width: number): string {
    const fits = (text: string) => this.#pen.measureText(text).width <= width;
    if (fits(name)) return name;
    const letters = [...name];
    while (letters.length > 0 && !fits(`${letters.join('')}…`)) letters.pop();
    return `${letters.join('')}…`;
  }

  dispose(): void {
    this.texture.dispose();
  }
}

/** A name and its anchor: the center of its bottom edge, in room units. */
export interface NameLabel {
  name: string;
  tint: number;
  x: number;
  y: number;
  z: number;
}

/** Maximum number of texture pixels per CSS pixel. */
const MAX_RATIO = 3;
/** Scale of labels in a headset, which has fewer pixels per degree. */
const HEADSET_SCALE = 2;

/** Screen-aligned, constant size, snapped to whole pixels; fades out far away and very close. */
const VERTEX = `
attribute vec3 anchor;
attribute vec4 cell;
uniform vec2 viewport;
uniform vec2 picture;
uniform float scale;
varying vec2 vPlace;
varying float vStrength;
void main() {
  vec4 seen = viewMatrix * vec4(anchor, 1.0);
  vec4 clip = projectionMatrix * seen;
  float away = length(seen.xyz);
  vStrength = (1.0 - smoothstep(1600.0, 3400.0, away)) * smoothstep(90.0, 190.0, away);
  vec2 middle = (clip.xy / clip.w * 0.5 + 0.5) * viewport;
  vec2 size = cell.zw * scale;
  vec2 corner = floor(middle - vec2(size.x * 0.5, 0.0) + 0.5) + position.xy * size;
  vPlace = (cell.xy + vec2(position.x, 1.0 - position.y) * cell.zw) / picture;
  gl_Position = clip.w <= 0.0 || vStrength <= 0.0
    ? vec4(2.0, 2.0, 2.0, 1.0)
    : vec4((corner / viewport * 2.0 - 1.0) * clip.w, clip.z, clip.w);
}`;
const FRAGMENT = `
uniform sampler2D map;
varying vec2 vPlace;
varying float vStrength;
void main() {
  gl_FragColor = texture2D(map, vPlace) * vStrength;
}`;

/** Name labels over visitors' markers, limited to the nearest ones, in one draw call. */
export class NameLabels {
  readonly #context: StageContext;
  readonly #geometry = new InstancedBufferGeometry();
  readonly #material: ShaderMaterial;
  readonly #mesh: Mesh;
  readonly #anchors = new InstancedBufferAttribute(new Float32Array(MAX_LABELS * 3), 3);
  readonly #cells = new InstancedBufferAttribute(new Float32Array(MAX_LABELS * 4), 4);
  readonly #viewport = new Vector4();
  #atlas: LabelAtlas;
  readonly #point = new Vector3();
  #gone = false;

  constructor(context: StageContext) {
    this.#context = context;
    this.#geometry.setAttribute(
      'position',
      new BufferAttribute(new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]), 3),
    );
    this.#geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.#geometry.setAttribute('anchor', this.#anchors);
    this.#geometry.setAttribute('cell', this.#cells);
    this.#atlas = this.#newAtlas();
    this.#material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      premultipliedAlpha: true,
      depthWrite: false,
      toneMapped: false,
      uniforms: {
        map: { value: this.#atlas.texture },
        picture: { value: new Vector2() },
        viewport: { value: new Vector2() },
        scale: { value: 1 },
      },
    });
    this.#mesh = new Mesh(this.#geometry, this.#material);
    this.#mesh.frustumCulled = false;
    this.#mesh.renderOrder = 1;
    this.#mesh.onBeforeRender = (renderer) => this.#measure(renderer);
    context.three.add(this.#mesh);
    // Redraw labels that were rendered before the font was loaded.
    void document.fonts.ready.then(() => {
      if (this.#gone) return;
      this.#replaceAtlas();
      context.invalidate();
    });
  }

  #newAtlas(): LabelAtlas {
    const family = getComputedStyle(this.#context.container).getPropertyValue('--font') || 'system-ui';
    return new LabelAtlas(`${family}, sans-serif`, Math.min(MAX_RATIO, devicePixelRatio));
  }

  #replaceAtlas(): void {
    this.#atlas.dispose();
    this.#atlas = this.#newAtlas();
    this.#material.uniforms.map!.value = this.#atlas.texture;
  }

  #measure(renderer: WebGLRenderer): void {
    const { uniforms } = this.#material;
    const { z: width, w: height } = renderer.getCurrentViewport(this.#viewport);
    const { width: across, height: down } = this.#atlas.size;
    uniforms.viewport!.value.set(width, height);
    uniforms.picture!.value.set(across, down);
    const ratio = renderer.xr.isPresenting ? HEADSET_SCALE : renderer.getPixelRatio();
    uniforms.scale!.value = ratio / this.#atlas.ratio;
    this.#material.uniformsNeedUpdate = true;
  }

  /** Shows exactly these names. */
  place(labels: readonly NameLabel[]): void {
    if (this.#atlas.ratio !== Math.min(MAX_RATIO, devicePixelRatio)) this.#replaceAtlas();
    const shown = this.#legible(this.#nearest(labels));
    for (const [index, { x, y, z, cell }] of shown.entries()) {
      const { x: left, y: top, width, height } = cell;
      this.#anchors.setXYZ(index, x, y, z);
      this.#cells.setXYZW(index, left, top, width, height);
    }
    this.#geometry.instanceCount = shown.length;
    this.#mesh.visible = shown.length > 0;
    this.#anchors.needsUpdate = true;
    this.#cells.needsUpdate = true;
  }

  /** Drops labels that a nearer one covers, and returns the others farthest first, so that nearer ones are drawn on top. */
  #legible(nearest: readonly NameLabel[]): (NameLabel & { cell: Cell })[] {
    const { camera, container } = this.#context;
    const { clientWidth, clientHeight } = container;
    const taken: { x: number; y: number; width: number; height: number }[] = [];
    return nearest
      .flatMap((label) => {
        const cell = this.#atlas.cellOf(label.name, colorOf(label.tint));
        const { x, y, z } = this.#point.set(label.x, label.y, label.z).project(camera);
        const place = {
          x: ((x + 1) / 2) * clientWidth,
          y: ((y + 1) / 2) * clientHeight,
          width: cell.width / this.#atlas.ratio,
          height: cell.height / this.#atlas.ratio,
        };
        const covers = (other: typeof place) =>
          Math.abs(other.x - place.x) < (other.width + place.width) / 2 &&
          Math.abs(other.y - place.y) < (other.height + place.height) / 2;
        if (z < 1 && taken.some(covers)) return [];
        if (z < 1) taken.push(place);
        return [{ ...label, cell }];
      })
      .reverse();
  }

  /** The nearest labels, nearest first. */
  #nearest(labels: readonly NameLabel[]): NameLabel[] {
    const { x, y, z } = this.#context.camera.position;
    const square = (label: NameLabel) => (label.x - x) ** 2 + (label.y - y) ** 2 + (label.z - z) ** 2;
    return labels
      .map((label) => ({ label, away: square(label) }))
      .sort((a, b) => a.away - b.away)
      .slice(0, MAX_LABELS)
      .map(({ label }) => label);
  }

  dispose(): void {
    this.#gone = true;
    this.#context.three.remove(this.#mesh);
    this.#geometry.dispose();
    this.#material.dispose();
    this.#atlas.dispose();
  }
}
