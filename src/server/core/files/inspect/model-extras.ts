import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry) : [];
const count = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);

/** Primitive modes of triangle lists, strips and fans. */
const LIST = 4;
const STRIPS = [5, 6];

function trianglesOf(json: Json, mesh: Json | undefined): number {
  const accessors = list(json.accessors);
  return list(mesh?.primitives).reduce((sum, { mode = LIST, indices, attributes }) => {
    const { POSITION } = (attributes ?? {}) as Json;
    const points = count(accessors[(indices ?? POSITION) as number]?.count);
    if (mode === LIST) return sum + Math.floor(points / 3);
    return STRIPS.includes(mode as number) ? sum + Math.max(0, points - 2) : sum;
  }, 0);
}

/** Additional triangles of EXT_mesh_gpu_instancing: each instance after the first draws its mesh once more. */
export function instancedTriangles(json: Json): number {
  const [accessors, meshes] = [list(json.accessors), list(json.meshes)];
  return list(json.nodes).reduce((sum, { mesh, extensions }) => {
    const { attributes } = ((extensions as Json | undefined)?.EXT_mesh_gpu_instancing ?? {}) as { attributes?: Json };
    const [first] = Object.values(attributes ?? {});
    const instances = count(accessors[first as number]?.count);
    return instances > 1 ? sum + (instances - 1) * trianglesOf(json, meshes[mesh as number]) : sum;
  }, 0);
}

/** KTX2 signature; width and height follow after format and type. */
const KTX2 = Buffer.from('ab4b5458203230bb0d0a1a0a', 'hex');
const SIDES = 20;

/** Offset of a GLB's binary chunk. */
function binaryStart(bytes: Buffer): number | null {
  const isBinary = bytes.length >= 20 && bytes.readUInt32LE(0) === 0x46546c67;
  const at = isBinary ? 20 + bytes.readUInt32LE(12) : bytes.length;
  return isBinary && at + 8 <= bytes.length ? at + 8 : null;
}

/** A GLB's binary chunk; undefined if there is none. */
export const binaryOf = (bytes: Buffer): Buffer | undefined => {
  const start = binaryStart(bytes);
  return start === null ? undefined : bytes.subarray(start);
};

async function bytesOfUri(uri: string, folder: string): Promise<Buffer | null> {
  const data = /^data:[^,]{0,200};base64,/.exec(uri);
  if (data) return Buffer.from(uri.slice(data[0].length), 'base64');
  return readFile(join(folder, decodeURIComponent(uri))).catch(() => null);
}

/**
 * Pixels of KTX2 textures, which the validator doesn't know.
 * @param model its file, whose neighbors have been checked already
 * @param bytes content of that file
 * @returns also the number of invalid textures
 */
export async function packedTextures(
  json: Json,
  model: { file: string },
  bytes: Buffer,
): Promise<{ pixels: number; unread: number }> {
  const [images, views, buffers] = [list(json.images), list(json.bufferViews), list(json.buffers)];
  const used = new Set(
    list(json.textures).flatMap(({ extensions }) => {
      const { source } = ((extensions as Json | undefined)?.KHR_texture_basisu ?? {}) as { source?: unknown };
      return typeof source === 'number' ? [source] : [];
    }),
  );
  const folder = dirname(model.file);
  const start = binaryStart(bytes);
  let [pixels, unread] = [0, 0];
  for (const index of used) {
    const { uri, bufferView } = images[index] ?? {};
    const view = views[bufferView as number];
    const source = view && buffers[view.buffer as number];
    const whole =
      typeof uri === 'string'
        ? await bytesOfUri(uri, folder)
        : typeof source?.uri === 'string'
          ? await bytesOfUri(source.uri, folder)
          : start === null
            ? null
            : bytes.subarray(start);
    const head = whole?.subarray(view ? count(view.byteOffset) : 0).subarray(0, SIDES + 8);
    if (!head || head.length < SIDES + 8 || !head.subarray(0, KTX2.length).equals(KTX2)) unread++;
    else pixels += head.readUInt32LE(SIDES) * Math.max(1, head.readUInt32LE(SIDES + 4));
  }
  return { pixels, unread };
}
