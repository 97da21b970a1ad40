import {
  BoxGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  EdgesGeometry,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Matrix4,
  Mesh,
  Quaternion,
  ShaderMaterial,
  Uint16BufferAttribute,
  Vector2,
  Vector3,
} from 'three';
import type { Vector } from '../../document/fields.ts';
import type { Stage } from '../../stage/stage.ts';

/** Above the room, below the gizmo. */
const RENDER_ORDER = 900;
/** Line width in pixels with and without its dark outline. */
const WIDTH = { whole: 5, line: 2 };
const VERTEX = /* glsl */ `
  attribute vec3 end;
  attribute vec2 corner;
  attribute mat4 box;
  uniform vec3 shift;
  uniform vec2 resolution;
  uniform float width;
  varying float across;

  void main() {
    vec4 a = viewMatrix * (box * vec4(position, 1.0) + vec4(shift, 0.0));
    vec4 b = viewMatrix * (box * vec4(end, 1.0) + vec4(shift, 0.0));
    // Clip to the near plane, because points behind the camera can't be projected.
    if (projectionMatrix[2][3] == -1.0) {
      float near = -projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
      if (a.z > near && b.z > near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
      if (a.z > near) a = mix(b, a, (near - b.z) / (a.z - b.z));
      else if (b.z > near) b = mix(a, b, (near - a.z) / (b.z - a.z));
    }
    vec4 from = projectionMatrix * a;
    vec4 to = projectionMatrix * b;
    vec2 way = (to.xy / to.w - from.xy / from.w) * resolution;
    // Skip edges without length (of degenerate boxes); they would appear as dots.
    if (dot(way, way) < 1e-6) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    way = normalize(way);
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

/** The edges of a unit box as camera-facing ribbons. */
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

/**
 * Edges of boxes, visible through everything: lines of constant screen width with a dark outline for contrast on any
 * wall, in one draw call.
 */
export class BoxLines {
  readonly #stage: Stage;
  readonly #mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  #boxes = new InstancedBufferAttribute(new Float32Array(16), 16);
  /** Translation of all boxes in the room. */
  readonly shift = new Vector3();

  /** @param name of the object in the stage's scene */
  constructor(stage: Stage, name: string, look: { color: string; opacity: number }) {
    this.#stage = stage;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        shift: { value: this.shift },
        resolution: { value: new Vector2(1, 1) },
        width: { value: WIDTH.whole },
        line: { value: WIDTH.line / WIDTH.whole },
        color: { value: new Color(look.color) },
        rim: { value: new Color('#14171C') },
        opacity: { value: look.opacity },
      },
      transparent: true,
      // A ribbon's visible side depends on its edge's direction on the screen.
      side: DoubleSide,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    });
    this.#mesh = new Mesh(ribbons(), material);
    this.#mesh.geometry.setAttribute('box', this.#boxes);
    this.#mesh.name = name;
    this.#mesh.renderOrder = RENDER_ORDER;
    this.#mesh.matrixAutoUpdate = false;
    this.#mesh.frustumCulled = false;
    this.#mesh.visible = false;
    this.#mesh.raycast = () => undefined;
    this.#mesh.onBeforeRender = (renderer) => renderer.getSize(material.uniforms.resolution!.value);
    stage.three.add(this.#mesh);
  }

  /** Allocates at least `count` matrices that transform a unit box to a drawn one, 16 numbers each. */
  reserve(count: number): Float32Array {
    if (this.#boxes.count < count) {
      // Frees the smaller buffer on the GPU.
      this.#mesh.geometry.dispose();
      this.#boxes = new InstancedBufferAttribute(new Float32Array(16 * count), 16).setUsage(DynamicDrawUsage);
      this.#mesh.geometry.setAttribute('box', this.#boxes);
    }
    return this.#boxes.array as Float32Array;
  }

  /** Draws the first `count` boxes. @param ids of their elements */
  draw(count: number, ids: readonly number[]): void {
    this.#mesh.visible = count > 0;
    this.#mesh.geometry.instanceCount = count;
    if (count > 0) this.#boxes.needsUpdate = true;
    this.#mesh.userData.element_ids = ids;
  }

  dispose(): void {
    this.#stage.three.remove(this.#mesh);
    this.#mesh.geometry.dispose();
    this.#mesh.material.dispose();
  }
}

const ALONG = new Vector3(1, 0, 0);
const matrix = new Matrix4();
const way = new Vector3();
const middle = new Vector3();
const turn = new Quaternion();
const size = new Vector3();

/** Line segments, visible through everything, with constant screen width. */
export class StrokeLines {
  readonly #lines: BoxLines;

  /** @param name of the object in the stage's scene */
  constructor(stage: Stage, name: string, look: { color: string; opacity: number }) {
    this.#lines = new BoxLines(stage, name, look);
  }

  /** Shows exactly these lines. */
  show(strokes: readonly (readonly [from: Vector, to: Vector])[]): void {
    const to = this.#lines.reserve(strokes.length);
    for (const [index, [from, end]] of strokes.entries()) {
      way.copy(end as Vector3).sub(from as Vector3);
      const length = way.length() || 1e-3;
      turn.setFromUnitVectors(ALONG, way.normalize());
      middle.addVectors(from as Vector3, end as Vector3).multiplyScalar(0.5);
      // A box with only one side is a line.
      matrix.compose(middle, turn, size.set(length, 0, 0)).toArray(to, index * 16);
    }
    this.#lines.draw(strokes.length, []);
  }

  dispose(): void {
    this.#lines.dispose();
  }
}
