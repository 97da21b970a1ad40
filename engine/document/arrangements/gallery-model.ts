import type { Vector } from '../fields.ts';
import type { GalleryBox } from './gallery.ts';

/** Linear colors: walls by the direction they face, so that corners are visible in even light, floor and ceiling. */
const COLORS = {
  wall: { x: [0.72, 0.71, 0.69], y: [0.6, 0.59, 0.57], z: [0.82, 0.81, 0.79] },
  floor: { x: [0.2, 0.17, 0.14], y: [0.27, 0.23, 0.19], z: [0.2, 0.17, 0.14] },
  ceiling: { x: [0.8, 0.8, 0.79], y: [0.9, 0.9, 0.89], z: [0.8, 0.8, 0.79] },
} as const;
/** Darkening of walls at the floor. */
const SHADE = 0.86;

const AXES = ['x', 'y', 'z'] as const;
/** Corners of a side, counterclockwise as seen from outside, in its two other axes. */
const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

interface Mesh {
  positions: number[];
  normals: number[];
  colors: number[];
  indices: number[];
}

/** Adds a box with its six sides, or both sides of a plane. */
function addBox(mesh: Mesh, { kind, center, size }: GalleryBox): void {
  for (const [nth, axis] of AXES.entries()) {
    const [first, second] = [AXES[(nth + 1) % 3]!, AXES[(nth + 2) % 3]!];
    if (size[first] === 0 || size[second] === 0) continue;
    for (const way of [1, -1] as const) {
      const base = mesh.positions.length / 3;
      for (const [a, b] of CORNERS) {
        const away: Vector = { x: 0, y: 0, z: 0, [axis]: way, [first]: a * way, [second]: b };
        for (const each of AXES) mesh.positions.push(center[each] + (away[each] * size[each]) / 2);
        for (const each of AXES) mesh.normals.push(each === axis ? way : 0);
        const shade = kind === 'wall' && away.y < 0 ? SHADE : 1;
        for (const color of COLORS[kind][axis]) mesh.colors.push(color * shade);
      }
      mesh.indices.push(base, base + 1, base + 2, base, base + 2, base + 3);
    }
  }
}

const [FLOAT, UNSIGNED_INT] = [5126, 5125];
const [JSON_CHUNK, BINARY_CHUNK] = [0x4e4f534a, 0x004e4942];

/** Bytes padded to a multiple of four. */
function padded(bytes: Uint8Array, filler: number): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(filler);
  whole.set(bytes);
  return whole;
}

/** The building of a gallery as a glTF 2.0 file in binary form (GLB), in the units of the space. */
export function galleryModel(boxes: readonly GalleryBox[]): Uint8Array<ArrayBuffer> {
  const mesh: Mesh = { positions: [], normals: [], colors: [], indices: [] };
  for (const box of boxes) addBox(mesh, box);
  const count = mesh.positions.length / 3;
  const ends = (pick: (...values: number[]) => number) =>
    AXES.map((_, axis) => mesh.positions.filter((__, at) => at % 3 === axis).reduce((a, b) => pick(a, b)));
  const views = [mesh.positions, mesh.normals, mesh.colors].map((values) => new Float32Array(values));
  const parts = [...views, new Uint32Array(mesh.indices)].map(
    (values) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  );
  let length = 0;
  const bufferViews = parts.map(({ byteLength }) => {
    const view = { buffer: 0, byteOffset: length, byteLength };
    length += byteLength;
    return view;
  });
  const vectors = (bufferView: number) => ({ bufferView, componentType: FLOAT, count, type: 'VEC3' });
  const json = {
    asset: { version: '2.0', generator: 'Enfilade' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, name: 'Gallery' }],
    materials: [{ pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 } }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, COLOR_0: 2 }, indices: 3, material: 0 }] }],
    accessors: [
      { ...vectors(0), min: ends(Math.min), max: ends(Math.max) },
      vectors(1),
      vectors(2),
      { bufferView: 3, componentType: UNSIGNED_INT, count: mesh.indices.length, type: 'SCALAR' },
    ],
    bufferViews,
    buffers: [{ byteLength: length }],
  };
  // All of its characters are ASCII.
  const text = padded(
    Uint8Array.from(JSON.stringify(json), (character) => character.charCodeAt(0)),
    0x20,
  );
  const file = new Uint8Array(12 + 8 + text.length + 8 + length);
  const head = new DataView(file.buffer);
  const numbers = [0x46546c67, 2, file.length, text.length, JSON_CHUNK];
  for (const [nth, value] of numbers.entries()) head.setUint32(nth * 4, value, true);
  file.set(text, 20);
  head.setUint32(20 + text.length, length, true);
  head.setUint32(24 + text.length, BINARY_CHUNK, true);
  let at = 28 + text.length;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}
