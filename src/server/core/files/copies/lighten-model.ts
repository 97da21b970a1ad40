import { stat, writeFile } from 'node:fs/promises';
import {
  type bbox,
  type Document,
  getBounds,
  type ILogger,
  type Node,
  NodeIO,
  type Texture,
} from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRTextureBasisu } from '@gltf-transform/extensions';
import { dedup, dequantize, listTextureSlots, meshopt, prune, weld } from '@gltf-transform/functions';
import { encodeToKTX2 } from 'ktx2-encoder';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import { LEVEL_SIDES } from '../../../../../engine/document/small-copy.ts';
import { damaged } from '../inspect/inspection.ts';
import { type LevelsFound, makeLevels, sceneBounds } from './model-levels.ts';

/** Maximum side of a texture in pixels. */
const MAX_SIDE = 2048;
/** Side of the blocks of compressed textures in pixels: WebGL requires multiples of it. */
const BLOCK = 4;
/** Quality of ETC1S, 1 to 255. */
const QUALITY = 192;
/**
 * Maximum size relative to the stored model, and the one allowed if its textures take at most half of the memory, or if it
 * has levels of detail.
 */
const MAX_SHARE = 0.9;
const MAX_SHARE_FOR_MORE = 1.2;
/** Maximum pixels of a texture that is read, and maximum side of a KTX2 texture. */
const MAX_PIXELS = 16_384 * 8_192;
const MAX_KTX2_SIDE = 16_384;

/** The sizes of a lighter model, in bytes, and its levels of detail; or why there is none. */
export type LightenedModel =
  | { bytes: number; gpuBefore: number; gpuAfter: number; levels: LevelsFound }
  | { reason: string };

const silent: ILogger = { debug() {}, info() {}, warn() {}, error() {} };

const KNOWN = new Set(ALL_EXTENSIONS.map(({ EXTENSION_NAME }) => EXTENSION_NAME));
/** Extensions that the converter would read only with a decoder that the server doesn't have. */
const DRACO = 'KHR_draco_mesh_compression';

/** Why a model can't be converted; undefined if it can. */
function obstacleOf(used: readonly string[]): string | undefined {
  if (used.includes(DRACO)) return 'The model is compressed with Draco already.';
  const unknown = used.find((name) => !KNOWN.has(name));
  return unknown && `The model uses the extension ${unknown}, which the conversion would remove.`;
}

/** KTX2 identifier: https://registry.khronos.org/KTX/specs/2.0/ktxspec.v2.html */
const KTX2 = Buffer.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Offsets in a KTX2 file, and bytes of an entry in its level index. */
const SIZE_AT = 20;
const LEVELS_AT = 40;
const INDEX_AT = 80;
const ENTRY = 24;

/**
 * Size in pixels of a KTX2 texture.
 * @throws ApiError bad_file if its header contradicts its content
 */
function ktx2Size(image: Uint8Array): [number, number] {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const broken = damaged('A KTX2 texture of the model is damaged.');
  if (bytes.length < INDEX_AT || !bytes.subarray(0, KTX2.length).equals(KTX2)) throw broken;
  const [width, height] = [bytes.readUInt32LE(SIZE_AT), bytes.readUInt32LE(SIZE_AT + 4)];
  const levels = Math.max(1, bytes.readUInt32LE(LEVELS_AT));
  const most = 1 + Math.floor(Math.log2(Math.max(width, height, 1)));
  if (width === 0 || height === 0 || Math.max(width, height) > MAX_KTX2_SIDE || levels > most) throw broken;
  if (INDEX_AT + levels * ENTRY > bytes.length) throw broken;
  for (let level = 0; level < levels; level++) {
    const at = INDEX_AT + level * ENTRY;
    if (bytes.readBigUInt64LE(at) + bytes.readBigUInt64LE(at + 8) > BigInt(bytes.length)) throw broken;
  }
  return [width, height];
}

/** A side reduced to the maximum, in whole blocks. */
const sideOf = (side: number, scale: number): number => Math.max(BLOCK, Math.round((side * scale) / BLOCK) * BLOCK);

/** Bytes of a texture with its mipmaps. @param levelBytes bytes of a level by its size in pixels */
function withMipmaps(width: number, height: number, levelBytes: (width: number, height: number) => number): number {
  let bytes = 0;
  for (let [across, down] = [width, height]; ; [across, down] = [across >> 1, down >> 1]) {
    bytes += levelBytes(Math.max(1, across), Math.max(1, down));
    if (across <= 1 && down <= 1) return bytes;
  }
}

/** GPU memory in bytes of an uncompressed texture, RGBA with 8 bits, with its mipmaps. */
const plainGpuBytes = (width: number, height: number): number =>
  withMipmaps(width, height, (across, down) => across * down * 4);

/**
 * GPU memory in bytes of a KTX2 texture with its mipmaps, transcoded to the largest format of current devices: BC7 and
 * ASTC take 16 bytes per block of 4 × 4 pixels, ETC1 and BC1 half of that.
 */
const blockGpuBytes = (width: number, height: number): number =>
  withMipmaps(width, height, (across, down) => Math.ceil(across / 4) * Math.ceil(down / 4) * 16);

/** Compresses a texture for the GPU. @returns its memory there before and after */
async function compressTexture(texture: Texture, maxSide: number): Promise<{ before: number; after: number }> {
  const image = texture.getImage();
  if (!image) return { before: 0, after: 0 };
  if (texture.getMimeType() === 'image/ktx2') {
    const bytes = blockGpuBytes(...ktx2Size(image));
    return { before: bytes, after: bytes };
  }
  const slots = listTextureSlots(texture);
  const isNormal = slots.some((slot) => /normal/i.test(slot));
  const isColor = slots.some((slot) => /color|emissive|diffuse/i.test(slot));
  const source = sharp(image, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' });
  const { width, height } = await source.metadata();
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const size = { width: sideOf(width, scale), height: sideOf(height, scale) };
  // Values of data textures aren't colors: a color profile doesn't apply to them.
  const raw = await sharp(image, { limitInputPixels: MAX_PIXELS, ignoreIcc: true })
    .resize({ ...size, fit: 'fill' })
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer();
  const content = await encodeToKTX2(raw, {
    imageDecoder: async (data) => ({ data, ...size }),
    generateMipmap: true,
    isUASTC: isNormal,
    ...(isNormal ? { isNormalMap: true, needSupercompression: true } : { qualityLevel: QUALITY, compressionLevel: 1 }),
    isPerceptual: isColor,
    isSetKTX2SRGBTransferFunc: isColor,
    isKTX2File: true,
  });
  texture.setImage(content).setMimeType('image/ktx2');
  return { before: plainGpuBytes(width, height), after: blockGpuBytes(size.width, size.height) };
}

/** Maximum number of nodes whose bounds are compared, and maximum difference relative to their size. */
const MAX_COMPARED = 5000;
const TOLERANCE = 0.002;

/** Bounds of the nodes that draw a mesh in place; the bounds of a skin depend on its bones. */
const boundsOf = (document: Document): Map<Node, bbox> =>
  new Map(
    document
      .getRoot()
      .listNodes()
      .filter((node) => node.getMesh() && !node.getSkin())
      .slice(0, MAX_COMPARED)
      .map((node) => [node, getBounds(node)]),
  );

/** Whether a node has the same bounds as before. */
function isAlike({ min, max }: bbox, now: bbox): boolean {
  const size = Math.hypot(...max.map((value, axis) => value - min[axis]!));
  const away = [...min, ...max].map((value, at) => Math.abs(value - [...now.min, ...now.max][at]!));
  return !Number.isFinite(size) || away.every((distance) => distance <= size * TOLERANCE);
}

/**
 * Removes duplicate and unused parts, and compresses meshes and textures. Nodes and their names stay.
 * @param maxSide maximum side of a texture in pixels
 */
async function compress(document: Document, maxSide: number): Promise<{ gpuBefore: number; gpuAfter: number }> {
  await document.transform(
    dedup({ keepUniqueNames: true }),
    prune({ keepLeaves: true, keepAttributes: true, keepExtras: true, keepSolidTextures: true }),
    // Positions in whole numbers would be rounded again.
    dequantize(),
    weld(),
    meshopt({ encoder: MeshoptEncoder, level: 'medium', quantizeTexcoord: 14 }),
  );
  let [gpuBefore, gpuAfter] = [0, 0];
  const textures = document.getRoot().listTextures();
  for (const texture of textures) {
    const { before, after } = await compressTexture(texture, maxSide);
    gpuBefore += before;
    gpuAfter += after;
  }
  if (textures.some((texture) => texture.getMimeType() === 'image/ktx2'))
    document.createExtension(KHRTextureBasisu).setRequired(true);
  return { gpuBefore, gpuAfter };
}

/**
 * Converts a model with its files to a smaller GLB: meshes with meshopt, textures as KTX2 with at most 2,048 pixels.
 * Nodes, animations, skins, morph targets, lights and variants stay. Coarser levels of detail are written next to it, to
 * the same path with `-1` and `-2`. `asset.extras.enfilade` of each file lists the levels and the bounds of the model.
 * @returns why there is none, if it would hardly be lighter or use something that the conversion doesn't support
 * @throws ApiError bad_file if it can't be read
 */
export async function lightenModel({ source, target }: { source: string; target: string }): Promise<LightenedModel> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  const io = new NodeIO()
    .setLogger(silent)
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder, 'meshopt.encoder': MeshoptEncoder });
  const json = await io.readAsJSON(source).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall ? error : damaged("The model can't be read.");
  });
  const { extensionsUsed = [], extensionsRequired = [] } = json.json;
  const obstacle = obstacleOf([...extensionsRequired, ...extensionsUsed]);
  if (obstacle) return { reason: obstacle };
  const outside = Object.entries(json.resources).filter(([uri]) => !/^(?:data:|@)/.test(uri));
  const before = outside.reduce((sum, [, content]) => sum + content.length, (await stat(source)).size);
  const read = async () => {
    const document = await io.readJSON({ json: structuredClone(json.json), resources: { ...json.resources } });
    return document.setLogger(silent);
  };
  const document = await read();
  const bounds = boundsOf(document);
  const { levels, documents, ...found } = await makeLevels(document, read);
  const whole = sceneBounds(document);
  /** @param level 0 for the model itself */
  const written = async (made: Document, level: number) => {
    const asset = made.getRoot().getAsset();
    const enfilade = { levels, level, bounds: whole };
    Object.assign(asset, { extras: { ...(asset.extras as object | undefined), enfilade } });
    return io.writeBinary(made);
  };
  const memory = await compress(document, MAX_SIDE);
  if (![...bounds].every(([node, before]) => isAlike(before, getBounds(node))))
    return { reason: 'The conversion would change the shape of the model.' };
  const content = levels.length > 0 ? await written(document, 0) : await io.writeBinary(document);
  const isLessMemory = memory.gpuBefore > 0 && memory.gpuAfter <= memory.gpuBefore / 2;
  if (content.length > before * (isLessMemory || levels.length > 0 ? MAX_SHARE_FOR_MORE : MAX_SHARE))
    return { reason: 'The model would hardly be lighter.' };
  for (const [index, level] of documents.entries()) {
    await compress(level, LEVEL_SIDES[index]!);
    await writeFile(`${target}-${index + 1}`, await written(level, index + 1));
  }
  await writeFile(target, content);
  return { bytes: content.length, ...memory, levels: found };
}
