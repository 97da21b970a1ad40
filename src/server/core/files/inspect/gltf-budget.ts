import { readJson } from '../../read-json.ts';

/** Maximum decoded size of a model in bytes. */
export const DECODED_BUDGET = 256 * 1024 * 1024;
/** Maximum size of a model's JSON in bytes, and maximum number of nodes. */
export const MAX_JSON = 64 * 1024 * 1024;
/** Maximum memory of the parsed JSON in bytes; it is parsed twice, here and by the validator. */
const JSON_MEMORY = 128 * 1024 * 1024;
const MAX_NODES = 100_000;

const COMPONENT_BYTES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const COMPONENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry) : [];
const count = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);

/** The JSON of a GLTF file, or of a GLB's first chunk. */
export function readGltfJson(bytes: Buffer): Json {
  const isBinary = bytes.length >= 20 && bytes.readUInt32LE(0) === 0x46546c67;
  const end = isBinary ? 20 + bytes.readUInt32LE(12) : bytes.length;
  if (end > bytes.length) throw new Error('The GLB is truncated.');
  if (isBinary && bytes.readUInt32LE(8) > bytes.length) throw new Error('The GLB is truncated.');
  if (end > MAX_JSON) throw new Error("The model's JSON is larger than 64 MB.");
  const value = readJson(
    bytes
      .subarray(isBinary ? 20 : 0, end)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
    { memory: JSON_MEMORY },
  );
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error("The model isn't valid glTF.");
  return value as Json;
}

/** Bytes of a model's decoded geometry, as declared in its JSON. */
export function decodedBytes(json: Json): number {
  const accessors = list(json.accessors).reduce(
    (sum, { count: length, componentType, type }) =>
      sum + count(length) * (COMPONENT_BYTES[componentType as number] ?? 4) * (COMPONENTS[type as string] ?? 16),
    0,
  );
  const views = list(json.bufferViews).reduce((sum, { extensions }) => {
    const packed = (extensions as Json | undefined)?.EXT_meshopt_compression as Json | undefined;
    return sum + count(packed?.count) * count(packed?.byteStride);
  }, 0);
  return accessors + views;
}

/** URIs of buffers and images outside the file. */
export function outsideAddresses(json: Json): string[] {
  return [...list(json.buffers), ...list(json.images)]
    .map(({ uri }) => uri)
    .filter((uri): uri is string => typeof uri === 'string' && !uri.startsWith('data:'));
}

/** Whether the nodes contain a cycle, on which loaders would recurse forever. */
export function hasLoop(json: Json): boolean {
  const nodes = list(json.nodes);
  if (nodes.length > MAX_NODES) throw new Error(`The model has more than ${MAX_NODES} nodes.`);
  const state = new Uint8Array(nodes.length);
  for (let root = 0; root < nodes.length; root++) {
    const stack = [root];
    while (stack.length > 0) {
      const node = stack.at(-1)!;
      if (state[node] === 0) {
        state[node] = 1;
        const children = Array.isArray(nodes[node]!.children) ? (nodes[node]!.children as unknown[]) : [];
        for (const child of children) {
          if (typeof child !== 'number' || !(child in nodes)) continue;
          if (state[child] === 1) return true;
          if (state[child] === 0) stack.push(child);
        }
      } else {
        state[node] = 2;
        stack.pop();
      }
    }
  }
  return false;
}

/** Maximum number of named parts. */
const MAX_PARTS = 200;

/**
 * Names of the drawable top-level nodes, each of which can be shown alone. Empty if they don't add up to the whole
 * model: if one has no unique name, or for skinned models, whose bones span nodes.
 */
export function partNames(json: Json): string[] {
  const nodes = list(json.nodes);
  if (list(json.skins).length > 0) return [];
  const scene = list(json.scenes)[typeof json.scene === 'number' ? json.scene : 0];
  const indexes = (value: unknown) =>
    Array.isArray(value) ? value.filter((index): index is number => nodes[index as number] !== undefined) : [];
  const draws = (index: number): boolean => {
    const { mesh, children } = nodes[index]!;
    return mesh !== undefined || indexes(children).some(draws);
  };
  const names = indexes(scene?.nodes)
    .filter(draws)
    .map((index) => nodes[index]!.name);
  const known = new Map<unknown, number>();
  for (const { name } of nodes) known.set(name, (known.get(name) ?? 0) + 1);
  // A name is stored in one line of at most 255 characters.
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && /^[^\p{Cc}]{1,255}$/u.test(name) && name.trim() === name && known.get(name) === 1;
  return names.length <= MAX_PARTS && names.every(isName) ? names : [];
}

/** Names of the animation clips. */
export const clipNames = (json: Json): string[] =>
  list(json.animations).map(({ name }, index) =>
    typeof name === 'string' && name ? name.slice(0, 120) : `Clip ${index + 1}`,
  );
