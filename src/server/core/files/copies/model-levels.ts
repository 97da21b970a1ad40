import { type Document, getBounds, type Mesh, type Node, type Primitive } from '@gltf-transform/core';
import {
  dequantize,
  getPrimitiveVertexCount,
  simplifyPrimitive,
  VertexCountMethod,
  weld,
} from '@gltf-transform/functions';
import { MeshoptSimplifier } from 'meshoptimizer';
import { LEVEL_SIDES, type ModelLevel } from '../../../../../engine/document/small-copy.ts';

/** Triangles from which a model gets coarser levels of detail. */
const MIN_TRIANGLES = 20_000;
/** Share of the triangles in each level, and its maximum error relative to the extent of a mesh. */
const LEVELS = [
  { ratio: 0.25, error: 0.01 },
  { ratio: 0.06, error: 0.04 },
] as const;
/** Maximum triangles of a level relative to the one before: for more, another file isn't worth its space. */
const MAX_SHARE = 0.6;
/** Meshes with fewer triangles stay as they are. */
const MIN_MESH = 64;
/** Pixels on screen below which a level would hardly ever be drawn, and a maximum for levels without any error. */
const MIN_PIXELS = 40;
const MAX_PIXELS = 16_384;

/** Levels of detail, as shown in the media library. */
export interface LevelsFound {
  /** Triangles of the model and of its coarser levels. */
  triangles: number[];
  /** Why there are no coarser levels; empty if there are some. */
  reason: string;
}

const meshNodes = (document: Document): [Node, Mesh][] =>
  document
    .getRoot()
    .listNodes()
    .flatMap((node) => {
      const mesh = node.getMesh();
      return mesh ? [[node, mesh] as [Node, Mesh]] : [];
    });

const isTriangles = (primitive: Primitive): boolean => primitive.getMode() >= 4;

/** Triangles of a primitive; strips and fans have two indices more than triangles. */
function trianglesOf(primitive: Primitive): number {
  if (!isTriangles(primitive)) return 0;
  const count = getPrimitiveVertexCount(primitive, VertexCountMethod.RENDER);
  return primitive.getMode() === 4 ? Math.floor(count / 3) : Math.max(0, count - 2);
}

/** Triangles that a model draws. */
const countTriangles = (document: Document): number =>
  meshNodes(document)
    .flatMap(([, mesh]) => mesh.listPrimitives())
    .reduce((sum, primitive) => sum + trianglesOf(primitive), 0);

/** Why a model has no levels of detail; undefined if it may have some. */
function obstacleOf(document: Document, triangles: number): string | undefined {
  const root = document.getRoot();
  if (triangles < MIN_TRIANGLES) return `It has fewer than ${MIN_TRIANGLES.toLocaleString('en-US')} triangles.`;
  const primitives = root.listMeshes().flatMap((mesh) => mesh.listPrimitives());
  if (root.listSkins().length > 0 || primitives.some((each) => each.listTargets().length > 0))
    return 'It is animated with bones or morph targets.';
  if (root.listNodes().some((node) => node.getExtension('EXT_mesh_gpu_instancing'))) return 'It uses instances.';
  if (root.listTextures().some((texture) => texture.getMimeType() === 'image/ktx2'))
    return "Its textures are KTX2 already and can't be reduced.";
  return undefined;
}

/** Minimum and maximum of the default scene's bounds; empty without a scene. */
export function sceneBounds(document: Document): number[] {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  if (!scene) return [];
  const { min, max } = getBounds(scene);
  return [...min, ...max];
}

const diagonalOf = (bounds: readonly number[]): number =>
  Math.hypot(...[0, 1, 2].map((axis) => (bounds[axis + 3] ?? 0) - (bounds[axis] ?? 0)));

/** Largest factor by which the nodes of each mesh scale it. */
function scalesOf(document: Document): Map<Mesh, number> {
  const scales = new Map<Mesh, number>();
  for (const [node, mesh] of meshNodes(document)) {
    const matrix = node.getWorldMatrix();
    const scale = Math.max(...[0, 4, 8].map((at) => Math.hypot(matrix[at]!, matrix[at + 1]!, matrix[at + 2]!)));
    scales.set(mesh, Math.max(scale, scales.get(mesh) ?? 0));
  }
  return scales;
}

/** Simplifies the meshes of a model. @returns the largest error in units of its scene */
async function simplify(document: Document, { ratio, error }: (typeof LEVELS)[number]): Promise<number> {
  await document.transform(dequantize(), weld());
  let [largest, last] = [0, 0];
  const simplifier = {
    ...MeshoptSimplifier,
    simplify: (...order: Parameters<typeof MeshoptSimplifier.simplify>) => {
      const made = MeshoptSimplifier.simplify(...order);
      last = made[1] * MeshoptSimplifier.getScale(order[1], order[2]);
      return made;
    },
  };
  for (const [mesh, scale] of scalesOf(document))
    for (const primitive of mesh.listPrimitives()) {
      if (trianglesOf(primitive) < MIN_MESH) continue;
      last = 0;
      simplifyPrimitive(primitive, { simplifier, ratio, error });
      largest = Math.max(largest, last * scale);
      if (trianglesOf(primitive) === 0) primitive.dispose();
    }
  return largest;
}

/** Whether a texture is larger than the level allows. */
const isReduced = (document: Document, side: number): boolean =>
  document
    .getRoot()
    .listTextures()
    .some((texture) => Math.max(...(texture.getSize() ?? [Infinity])) > side);

/**
 * Makes the coarser levels of detail of a model.
 * @param whole the model, which stays as it is
 * @param read reads it again
 */
export async function makeLevels(
  whole: Document,
  read: () => Promise<Document>,
): Promise<LevelsFound & { levels: ModelLevel[]; documents: Document[] }> {
  await MeshoptSimplifier.ready;
  const triangles = [countTriangles(whole)];
  const found = { triangles, levels: [] as ModelLevel[], documents: [] as Document[] };
  const obstacle = obstacleOf(whole, triangles[0]!);
  if (obstacle) return { ...found, reason: obstacle };
  const diagonal = diagonalOf(sceneBounds(whole));
  for (const [index, order] of LEVELS.entries()) {
    const document = await read();
    const error = await simplify(document, order);
    const count = countTriangles(document);
    const side = LEVEL_SIDES[index]!;
    const sharp = isReduced(document, side) ? side : MAX_PIXELS;
    const pixels = Math.floor(Math.min(diagonal / Math.max(error, diagonal / MAX_PIXELS), sharp));
    const isWorthIt = count > 0 && count <= triangles.at(-1)! * MAX_SHARE && pixels >= MIN_PIXELS;
    if (!isWorthIt) break;
    triangles.push(count);
    found.levels.push({ pixels: Math.min(pixels, found.levels.at(-1)?.pixels ?? pixels) });
    found.documents.push(document);
  }
  return { ...found, reason: found.levels.length > 0 ? '' : "Its shape can't be simplified enough." };
}
