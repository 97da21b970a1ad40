import { MathUtils, type mat4, type vec3, type vec4 } from '@gltf-transform/core';
import { Column, DataTable, Transform } from '@playcanvas/splat-transform';
import { z } from 'zod';
import { damaged } from './inspection.ts';

/** Maximum splats of a model. */
export const MAX_SPLATS = 4_000_000;

const number = new Intl.NumberFormat('en');

export const tooManySplats = (count: number) =>
  damaged(
    `The model has ${number.format(count)} splats; at most ${number.format(MAX_SPLATS)} are supported. Reduce them, for example with SuperSplat.`,
  );

const EXTENSION = 'KHR_gaussian_splatting';

const index = z.int().min(0);
const numbers = (length: number) => z.array(z.number()).length(length);
const three = z.tuple([z.number(), z.number(), z.number()]);

/** The parts of glTF 2.0 that splats use. */
const gltfSchema = z.object({
  nodes: z
    .array(
      z.object({
        mesh: index.optional(),
        children: z.array(index).optional(),
        matrix: numbers(16).optional(),
        translation: three.default([0, 0, 0]),
        rotation: z.tuple([z.number(), z.number(), z.number(), z.number()]).default([0, 0, 0, 1]),
        scale: three.default([1, 1, 1]),
      }),
    )
    .default([]),
  meshes: z.array(
    z.object({
      primitives: z.array(
        z.object({
          attributes: z.record(z.string(), index),
          extensions: z.record(z.string(), z.looseObject({ extensions: z.unknown().optional() })).default({}),
        }),
      ),
    }),
  ),
  accessors: z.array(
    z.object({
      bufferView: index.optional(),
      byteOffset: index.default(0),
      componentType: z.number(),
      normalized: z.boolean().default(false),
      count: index,
      type: z.string(),
    }),
  ),
  bufferViews: z.array(
    z.object({
      buffer: index,
      byteOffset: index.default(0),
      byteStride: index.optional(),
      extensions: z.unknown().optional(),
    }),
  ),
});
type Gltf = z.output<typeof gltfSchema>;

/** Reads of a component by type, its bytes, and the divisor that normalizes it. */
const COMPONENTS: Record<number, { bytes: number; most: number; read(from: Buffer, at: number): number }> = {
  5120: { bytes: 1, most: 127, read: (from, at) => from.readInt8(at) },
  5121: { bytes: 1, most: 255, read: (from, at) => from.readUInt8(at) },
  5122: { bytes: 2, most: 32_767, read: (from, at) => from.readInt16LE(at) },
  5123: { bytes: 2, most: 65_535, read: (from, at) => from.readUInt16LE(at) },
  5126: { bytes: 4, most: 1, read: (from, at) => from.readFloatLE(at) },
};
const WIDTHS: Record<string, number> = { SCALAR: 1, VEC3: 3, VEC4: 4 };

/** Values of an accessor, one list per component. */
function valuesOf({ accessors, bufferViews }: Gltf, at: number, binary: Buffer): Float32Array[] {
  const accessor = accessors[at];
  const view = bufferViews[accessor?.bufferView ?? -1];
  const component = COMPONENTS[accessor?.componentType ?? 0];
  const width = WIDTHS[accessor?.type ?? ''];
  if (!accessor || !view || !component || !width || view.buffer !== 0 || view.extensions !== undefined)
    throw damaged('The splats are compressed or stored in a way that is not supported. Export them uncompressed.');
  const size = component.bytes * width;
  const stride = view.byteStride ?? size;
  const start = view.byteOffset + accessor.byteOffset;
  const isWithin = stride >= size && start + (accessor.count - 1) * stride + size <= binary.length;
  if (accessor.count === 0 || !isWithin) throw damaged('The splats go beyond the end of the file.');
  const divisor = accessor.normalized ? component.most : 1;
  return Array.from({ length: width }, (_, part) =>
    Float32Array.from(
      { length: accessor.count },
      (__, row) => component.read(binary, start + row * stride + part * component.bytes) / divisor,
    ),
  );
}

const logit = (value: number) => {
  const limited = Math.min(Math.max(value, 1e-6), 1 - 1e-6);
  return Math.log(limited / (1 - limited));
};

/** Numbers of coefficients of spherical harmonics per color, by degree. */
const COEFFICIENTS = [0, 3, 5, 7] as const;

/** Columns of spherical harmonics above degree 0: all of red, then green, then blue. */
function harmonics(read: (name: string) => Float32Array[] | undefined): Column[] {
  const found: Float32Array[][] = [];
  for (const [degree, count] of COEFFICIENTS.entries()) {
    const band = Array.from({ length: count }, (_, at) => read(`SH_DEGREE_${degree}_COEF_${at}`));
    if (band.some((each) => each === undefined)) break;
    found.push(...(band as Float32Array[][]));
  }
  return [0, 1, 2].flatMap((color) =>
    found.map((coefficient, at) => new Column(`f_rest_${color * found.length + at}`, coefficient[color]!)),
  );
}

/** Maximum difference of the scales along the axes, relative to the largest. */
const UNEVEN = 0.01;

/** Transform of a node in its parent. @throws ApiError bad_file if it is scaled unevenly */
function localOf({ matrix, ...node }: Gltf['nodes'][number]): Transform {
  const translation: vec3 = [...node.translation];
  const rotation: vec4 = [...node.rotation];
  const scale: vec3 = [...node.scale];
  if (matrix) MathUtils.decompose(matrix as mat4, translation, rotation, scale);
  const most = Math.max(...scale);
  if (!(Math.min(...scale) > most * (1 - UNEVEN)))
    throw damaged('The splats are scaled unevenly or mirrored. Apply the scale before exporting them.');
  const local = new Transform();
  local.translation.set(...translation);
  local.rotation.set(...rotation);
  local.scale = most;
  return local;
}

/** Transform of a mesh in its scene, through all parents. @throws ApiError bad_file if one is scaled unevenly */
function transformOf({ nodes }: Gltf, mesh: number): Transform {
  let world = new Transform();
  const seen = new Set<number>();
  for (let at = nodes.findIndex((node) => node.mesh === mesh); at >= 0 && !seen.has(at); ) {
    seen.add(at);
    world = localOf(nodes[at]!).mul(world);
    at = nodes.findIndex(({ children }) => children?.includes(at));
  }
  return world;
}

/**
 * The splats of a glTF file as a table in the units of splat files: scales as logarithms, opacities as logits.
 * https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_gaussian_splatting
 * @throws ApiError bad_file if they are missing, damaged or compressed
 */
export function splatTable(
  json: Record<string, unknown>,
  binary: Buffer | undefined,
): { table: DataTable; warnings: string[] } {
  const parsed = gltfSchema.safeParse(json);
  if (!parsed.success || !binary) throw damaged('The splats must be in one binary glTF file (GLB).');
  const gltf = parsed.data;
  const clouds = gltf.meshes.flatMap(({ primitives }, mesh) =>
    primitives.filter(({ extensions }) => extensions[EXTENSION]).map((primitive) => ({ mesh, primitive })),
  );
  const [cloud] = clouds;
  if (!cloud) throw damaged(`The file names the extension ${EXTENSION}, but contains no splats.`);
  const { attributes, extensions } = cloud.primitive;
  if (extensions[EXTENSION]?.extensions)
    throw damaged('The splats are compressed or stored in a way that is not supported. Export them uncompressed.');
  const indexOf = (name: string) => attributes[name] ?? attributes[`${EXTENSION}:${name}`];
  const count = gltf.accessors[indexOf('POSITION') ?? -1]?.count ?? 0;
  if (count > MAX_SPLATS) throw tooManySplats(count);
  const read = (name: string) => {
    const at = indexOf(name);
    if (at === undefined) return undefined;
    if (gltf.accessors[at]?.count !== count) throw damaged('The attributes of the splats differ in number.');
    return valuesOf(gltf, at, binary);
  };
  const needed = (name: string, width: number) => {
    const values = read(name);
    if (values?.length !== width) throw damaged(`The splats have no attribute ${name}.`);
    return values;
  };
  const [qx, qy, qz, qw] = needed('ROTATION', 4);
  const table = new DataTable([
    ...needed('POSITION', 3).map((values, at) => new Column('xyz'[at]!, values)),
    ...[qw!, qx!, qy!, qz!].map((values, at) => new Column(`rot_${at}`, values)),
    ...needed('SCALE', 3).map((values, at) => new Column(`scale_${at}`, values.map(Math.log))),
    new Column('opacity', needed('OPACITY', 1)[0]!.map(logit)),
    ...needed('SH_DEGREE_0_COEF_0', 3).map((values, at) => new Column(`f_dc_${at}`, values)),
    ...harmonics(read),
  ]);
  table.transform = transformOf(gltf, cloud.mesh);
  const warnings = clouds.length > 1 ? [`Only the first of ${clouds.length} groups of splats is used.`] : [];
  return { table, warnings };
}
