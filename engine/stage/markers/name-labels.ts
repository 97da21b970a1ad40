import {
  BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector4,
  type WebGLRenderer,
} from 'three';
import type { StageContext } from '../context.ts';
import { colorOf } from './avatar.ts';
import { LabelAtlas, MOST_LABELS } from './label-atlas.ts';

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
  readonly #anchors = new InstancedBufferAttribute(new Float32Array(MOST_LABELS * 3), 3);
  readonly #cells = new InstancedBufferAttribute(new Float32Array(MOST_LABELS * 4), 4);
  readonly #viewport = new Vector4();
  #atlas: LabelAtlas;
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
    const shown = this.#nearest(labels);
    for (const [index, { name, tint, x, y, z }] of shown.entries()) {
      const { x: left, y: top, width, height } = this.#atlas.cellOf(name, colorOf(tint));
      this.#anchors.setXYZ(index, x, y, z);
      this.#cells.setXYZW(index, left, top, width, height);
    }
    this.#geometry.instanceCount = shown.length;
    this.#mesh.visible = shown.length > 0;
    this.#anchors.needsUpdate = true;
    this.#cells.needsUpdate = true;
  }

  /** The nearest labels, farthest first, so that nearer ones are drawn on top. */
  #nearest(labels: readonly NameLabel[]): NameLabel[] {
    const { x, y, z } = this.#context.camera.position;
    const square = (label: NameLabel) => (label.x - x) ** 2 + (label.y - y) ** 2 + (label.z - z) ** 2;
    return labels
      .map((label) => ({ label, away: square(label) }))
      .sort((a, b) => a.away - b.away)
      .slice(0, MOST_LABELS)
      .reverse()
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
