import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import validator from 'gltf-validator';
import { ApiError } from '../../../../contract/errors.ts';
import { TooComplex } from '../../read-json.ts';
import { clipNames, DECODED_BUDGET, decodedBytes, hasLoop, outsideAddresses, partNames } from './gltf-budget.ts';
import { damaged, type Inspection } from './inspection.ts';
import { stripTextures } from './metadata/model-metadata.ts';
import { binaryOf, instancedTriangles, packedTextures } from './model-extras.ts';
import { missingExtension, supportOf } from './model-support.ts';
import { repairModel } from './repair-model.ts';

/** Errors that make a model unusable. Others, such as weights that don't add up, are warnings. */
const FATAL =
  /^(?:GLB_|IO_ERROR|INVALID_JSON|INVALID_GLTF|ARRAY_LENGTH_NOT|TYPE_MISMATCH|UNDEFINED_PROPERTY|UNRESOLVED_REFERENCE|NODE_LOOP|NODE_PARENT_OVERRIDE|ACCESSOR_TOO_LONG|ACCESSOR_TOTAL_OFFSET|ACCESSOR_INDEX_OOB|ACCESSOR_INVALID_FLOAT|ACCESSOR_SPARSE_INDEX_OOB|BUFFER_BYTE_LENGTH_MISMATCH|BUFFER_VIEW_TOO_LONG|BUFFER_GLB_CHUNK_TOO_BIG|UNKNOWN_ASSET_MAJOR_VERSION|IMAGE_DATA_INVALID|IMAGE_UNEXPECTED_EOS|MESH_PRIMITIVE_.*OOB)/;

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

/** Whether an error only affects shading: a model with NaN normals is still visible, with NaN positions it isn't. */
function affectsShadingOnly(json: Json, code: string, pointer = ''): boolean {
  if (code !== 'ACCESSOR_INVALID_FLOAT') return false;
  const accessor = Number(/^\/accessors\/(\d+)/.exec(pointer)?.[1]);
  const primitives = list(json.meshes).flatMap((mesh) => list(mesh?.primitives));
  const uses = primitives.flatMap((each) => [each?.attributes, ...list(each?.targets)]) as (Json | undefined)[];
  const named = uses.flatMap((use) => Object.entries(use ?? {}).filter(([, index]) => index === accessor));
  return named.length > 0 && named.every(([name]) => /^(?:NORMAL|TANGENT|COLOR_\d|TEXCOORD_\d)$/.test(name));
}

/** Whether a file contains Gaussian splats. */
const isSplats = ({ extensionsUsed }: Json): boolean =>
  Array.isArray(extensionsUsed) && extensionsUsed.includes('KHR_gaussian_splatting');

/** Draw calls from which a model slows down visitors' devices. */
const MANY_DRAW_CALLS = 300;

/** A model to inspect. */
interface ModelFile {
  file: string;
  /** Folder outside which nothing is read. */
  folder: string;
  /** Whether it was uploaded as a single file, which explains missing neighbors. */
  alone: boolean;
}

async function refusalOfAddress(address: string, { file, folder, alone }: ModelFile): Promise<string | undefined> {
  const name = JSON.stringify(address.slice(0, 120));
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(address))
    return `The model refers to an external URL, ${name}. Include the file in the ZIP.`;
  let decoded: string;
  try {
    decoded = decodeURIComponent(address);
  } catch {
    return `The model refers to ${name}, which isn't a valid URL.`;
  }
  const target = join(dirname(file), decoded);
  if (relative(folder, target).startsWith('..')) return `The model refers to ${name}, which is outside its folder.`;
  if (alone || !(await stat(target).catch(() => null))?.isFile())
    return `The model refers to ${name}, which is missing. Send a ZIP with the model and all its files.`;
  return undefined;
}

type Repaired = Awaited<ReturnType<typeof repairModel>>;

async function detailsOf(
  model: ModelFile,
  { bytes, json, warnings: repairs }: Repaired,
): Promise<Record<string, unknown>> {
  const version = String((json.asset as { version?: unknown } | undefined)?.version ?? '');
  const isOldBinary = bytes.toString('latin1', 0, 4) === 'glTF' && bytes.readUInt32LE(4) === 1;
  if (isOldBinary || /^1(?:\.|$)/.test(version)) throw damaged('glTF 1.0 is not supported. Export it as glTF 2.0.');
  if (decodedBytes(json) > DECODED_BUDGET) throw damaged('The model needs more than 256 MB of memory. Simplify it.');
  if (hasLoop(json)) throw damaged('The model has a cycle of nodes.');
  const missing = missingExtension(json);
  if (missing)
    throw damaged(
      `The model requires the extension ${missing}, which isn't supported. Export it without this extension.`,
    );
  for (const address of outsideAddresses(json)) {
    const refusal = await refusalOfAddress(address, model);
    if (refusal) throw damaged(refusal);
  }
  const report = await validator.validateBytes(new Uint8Array(bytes), {
    maxIssues: 200,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(join(dirname(model.file), decodeURIComponent(uri)))),
  });
  const { messages, numErrors, numWarnings } = report.issues;
  const fatal = messages.find(
    ({ severity, code, pointer }) => severity === 0 && FATAL.test(code) && !affectsShadingOnly(json, code, pointer),
  );
  if (fatal) throw damaged(`The model is damaged: ${fatal.message} (${fatal.code})`);
  const binary = binaryOf(bytes);
  const support = await supportOf(json, model.file, binary);
  await stripTextures(model.file, json);
  const images = (report.info?.resources ?? []).flatMap(({ image }) => image ?? []);
  const packed = await packedTextures(json, model, bytes);
  const texturePixels = images.reduce((sum, { width = 0, height = 0 }) => sum + width * height, packed.pixels);
  const { totalTriangleCount = 0, totalVertexCount = 0, drawCallCount = 0, materialCount = 0 } = report.info ?? {};
  const more = instancedTriangles(json);
  const warnings = [
    ...repairs,
    ...support.warnings,
    ...(numErrors > 0 ? [`${numErrors} minor errors, such as ${messages[0]?.code}.`] : []),
    ...(packed.unread > 0 ? [`KTX2 textures that can't be read: ${packed.unread}. They aren't shown or counted.`] : []),
    ...(drawCallCount > MANY_DRAW_CALLS ? [`${drawCallCount} draw calls. Merge its meshes for faster rendering.`] : []),
  ];
  return {
    clips: clipNames(json),
    parts: partNames(json),
    triangles: totalTriangleCount + more,
    vertices: totalVertexCount,
    draw_calls: drawCallCount,
    materials: materialCount,
    ...(support.lights > 0 && { lights: support.lights }),
    texture_pixels: texturePixels,
    extensions: report.info?.extensionsUsed ?? [],
    validator_warnings: numWarnings,
    warnings,
  };
}

function refusalOf(error: unknown): string {
  if (error instanceof TooComplex) return error.message;
  if (error instanceof SyntaxError) return "The model can't be read.";
  // Stack overflow in nodes nested thousands of levels deep.
  if (error instanceof RangeError) return 'The nodes of the model are nested too deeply. Flatten the hierarchy.';
  return String((error as Error).message);
}

/**
 * Inspects a GLTF or GLB model with the files it refers to.
 * @throws ApiError bad_file naming what is wrong with it
 */
export async function inspectModel(model: ModelFile): Promise<Inspection> {
  const refuse = (error: unknown): never => {
    throw error instanceof ApiError ? error : damaged(refusalOf(error));
  };
  const repaired = await repairModel(model).catch(refuse);
  if (isSplats(repaired.json))
    return (await import('./splats.ts')).inspectSplatGltf(repaired.json, binaryOf(repaired.bytes), model.file);
  const details = await detailsOf(model, repaired).catch(refuse);
  const isBinary = model.file.toLowerCase().endsWith('.glb');
  return {
    type: 'object',
    mime: isBinary ? 'model/gltf-binary' : 'model/gltf+json',
    extension: isBinary ? 'glb' : 'gltf',
    details,
  };
}
