import {
  Box3,
  BoxGeometry,
  Color,
  DynamicDrawUsage,
  EdgesGeometry,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Matrix4,
  Mesh,
  ShaderMaterial,
  Uint16BufferAttribute,
  Vector2,
  Vector3,
} from 'three';
import type { Stage } from '../stage/stage.ts';
import { boundsOf } from './bounds.ts';

/** Drawn over the room, under the handles. */
const OVER_THE_ROOM = 900;
/** Pixels of a line with its dark rim, and of the line alone. */
const WIDTH = { whole: 5, line: 2 };
/** Boxes that are measured anew with each frame, in turn: what is drawn of an element may change by itself. */
const MEASURED_A_FRAME = 50;

const VERTEX = /* glsl */ `
  attribute vec3 end;
  attribute vec2 corner;
  attribute mat4 box;
  uniform vec2 resolution;
  uniform float width;
  varying float across;

  void main() {
    vec4 a = viewMatrix * box * vec4(position, 1.0);
    vec4 b = viewMatrix * box * vec4(end, 1.0);
    // What is behind the camera is cut off, for it has no place on the screen.
    if (projectionMatrix[2][3] == -1.0) {
      float near = -projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
      if (a.z > near && b.z > near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
      if (a.z > near) a = mix(b, a, (near - b.z) / (a.z - b.z));
      else if (b.z > near) b = mix(a, b, (near - a.z) / (b.z - a.z));
    }
    vec4 from = projectionMatrix * a;
    vec4 to = projectionMatrix * b;
    vec2 way = (to.xy / to.w - from.xy / from.w) * resolution;
    way = dot(way, way) > 0.0 ? normalize(way) : vec2(1.0, 0.0);
    vec4 at = corner.x < 0.5 ? from : to;
    vec2 shift = (vec2(-way.y, way.x) * corner.y + way * (corner.x * 2.0 - 1.0) * 0.5) * width / resolution;
    gl_Position = at + vec4(shift * at.w, 0.0, 0.0);
    across = corner.y;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform vec3 color;
  uniform vec3 rim;
  uniform float opacity;
  uniform float line;
  varying float across;

  void main() {
    float inside = 1.0 - smoothstep(line - 0.15, line + 0.15, abs(across));
    gl_FragColor = vec4(mix(rim, color, inside), opacity * mix(0.55, 1.0, inside));
    #include <colorspace_fragment>
  }
`;

/** The edges of a unit box as ribbons that face the camera. */
function ribbons(): InstancedBufferGeometry {
  const edges = new EdgesGeometry(new BoxGeometry(1, 1, 1)).attributes.position!;
  const [starts, ends, corners, index]: number[][] = [[], [], [], []];
  for (let edge = 0; edge < edges.count; edge += 2) {
    const first = starts!.length / 3;
    for (const [along, across] of [
      [0, -1],
      [0, 1],
      [1, -1],
      [1, 1],
    ] as const) {
      starts!.push(edges.getX(edge), edges.getY(edge), edges.getZ(edge));
      ends!.push(edges.getX(edge + 1), edges.getY(edge + 1), edges.getZ(edge + 1));
      corners!.push(along, across);
    }
    index!.push(first, first + 1, first + 2, first + 2, first + 1, first + 3);
  }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(starts!, 3));
  geometry.setAttribute('end', new Float32BufferAttribute(ends!, 3));
  geometry.setAttribute('corner', new Float32BufferAttribute(corners!, 2));
  geometry.setIndex(new Uint16BufferAttribute(index!, 1));
  geometry.instanceCount = 0;
  return geometry;
}

/** An element with its box, measured in its own frame. */
interface Outlined {
  id: number;
  /** Turns the unit box into the element's, in its frame; undefined until it has been measured. */
  box: Matrix4 | undefined;
}

/**
 * The edges of the boxes around elements, seen through everything: in a color with a dark rim, so that they stand out
 * from walls of any color. However many, they are drawn at once.
 */
export class Outline {
  readonly #stage: Stage;
  readonly #lines: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  readonly #frame = new Matrix4();
  readonly #bounds = new Box3();
  readonly #center = new Vector3();
  readonly #size = new Vector3();
  #entries: Outlined[] = [];
  #boxes = new InstancedBufferAttribute(new Float32Array(16), 16);
  #next = 0;
  /** Whether the boxes keep their shapes, because the elements are only moved. */
  isSteady = false;

  /** @param name by which the lines are found among the stage's objects */
  constructor(stage: Stage, name: string, look: { color: string; opacity: number }) {
    this.#stage = stage;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        resolution: { value: new Vector2(1, 1) },
        width: { value: WIDTH.whole },
        line: { value: WIDTH.line / WIDTH.whole },
        color: { value: new Color(look.color) },
        rim: { value: new Color('#14171C') },
        opacity: { value: look.opacity },
      },
      transparent: true,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    });
    this.#lines = new Mesh(ribbons(), material);
    this.#lines.name = name;
    this.#lines.renderOrder = OVER_THE_ROOM;
    this.#lines.matrixAutoUpdate = false;
    this.#lines.frustumCulled = false;
    this.#lines.visible = false;
    this.#lines.raycast = () => undefined;
    this.#lines.onBeforeRender = (renderer) => renderer.getSize(material.uniforms.resolution!.value);
    stage.three.add(this.#lines);
  }

  /** Puts outlines around these elements, and around no others. */
  show(ids: readonly number[]): void {
    if (ids.length === this.#entries.length && ids.every((id, at) => id === this.#entries[at]!.id)) return;
    const known = new Map(this.#entries.map((entry) => [entry.id, entry]));
    this.#entries = ids.map((id) => known.get(id) ?? { id, box: undefined });
    this.isSteady = false;
    if (this.#boxes.count < ids.length) {
      this.#boxes = new InstancedBufferAttribute(new Float32Array(16 * ids.length), 16);
      this.#boxes.setUsage(DynamicDrawUsage);
    }
    this.#lines.geometry.setAttribute('box', this.#boxes);
    this.#stage.refresh();
  }

  /** Has every box measured anew with the next frame: something of the document changed. */
  measure(): void {
    for (const entry of this.#entries) entry.box = undefined;
  }

  #measure(entry: Outlined, entity: number): Matrix4 | undefined {
    const element = this.#stage.scene.elementOf(entity);
    if (!element) return undefined;
    boundsOf(this.#stage, element, this.#frame, this.#bounds);
    this.#bounds.getCenter(this.#center);
    this.#bounds.getSize(this.#size);
    entry.box ??= new Matrix4();
    return entry.box.makeScale(this.#size.x, this.#size.y, this.#size.z).setPosition(this.#center);
  }

  /** Brings the outlines to where their elements are; before each frame. */
  place(): void {
    const { scene } = this.#stage;
    const shown: number[] = [];
    const count = this.#entries.length;
    const to = this.#boxes.array as Float32Array;
    for (const [at, entry] of this.#entries.entries()) {
      const entity = scene.entityOf(entry.id);
      if (entity === undefined || !scene.isVisible(entity)) continue;
      scene.worldMatrix(entity, this.#frame.elements);
      const isDue = !this.isSteady && (at - this.#next + count) % count < MEASURED_A_FRAME;
      const box = entry.box && !isDue ? entry.box : this.#measure(entry, entity);
      if (!box) continue;
      this.#frame.multiply(box).toArray(to, shown.length * 16);
      shown.push(entry.id);
    }
    this.#next = count === 0 ? 0 : (this.#next + MEASURED_A_FRAME) % count;
    this.#lines.visible = shown.length > 0;
    this.#lines.geometry.instanceCount = shown.length;
    this.#boxes.needsUpdate = shown.length > 0;
    this.#lines.userData.element_ids = shown;
  }

  dispose(): void {
    this.#stage.three.remove(this.#lines);
    this.#lines.geometry.dispose();
    this.#lines.material.dispose();
  }
}
