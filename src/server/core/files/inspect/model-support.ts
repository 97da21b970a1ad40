import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry) : [];
const names = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];

/** Extensions that three's loader supports, and those that don't affect rendering. */
const READ =
  /^(?:KHR_(?:draco_mesh_compression|lights_punctual|materials_(?:anisotropy|clearcoat|diffuse_roughness|dispersion|emissive_strength|ior|iridescence|sheen|specular|transmission|unlit|variants|volume)|mesh_quantization|meshopt_compression|texture_basisu|texture_transform|xmp|xmp_json_ld)|EXT_(?:materials_bump|mesh_gpu_instancing|meshopt_compression|texture_avif|texture_webp))$/;
/** Extensions without which a model renders, but looks different. */
const LOOKS =
  /^(?:KHR_(?:animation_pointer|gaussian_splatting.*|materials_common|materials_pbrSpecularGlossiness|node_visibility|techniques_webgl|texture_procedurals)|MSFT_texture_dds)$/;
const SPECULAR = 'KHR_materials_pbrSpecularGlossiness';

/** A required extension that isn't supported; undefined if there is none. */
export const missingExtension = (json: Json): string | undefined =>
  names(json.extensionsRequired).find((name) => !READ.test(name) && name !== SPECULAR);

/** Warnings about what will look different. */
function extensionWarnings(json: Json): string[] {
  return [...new Set([...names(json.extensionsUsed), ...names(json.extensionsRequired)])]
    .filter((name) => LOOKS.test(name))
    .map((name) =>
      name === SPECULAR
        ? `The materials use ${name}, which isn't supported: colors and textures will be missing. Export it with metallic-roughness materials.`
        : `The model uses the extension ${name}, which isn't supported.`,
    );
}

/** Signatures of image formats that browsers show, and of KTX2, which is transcoded. */
const SHOWN = /^(?:ffd8ff|89504e47|47494638|424d|52494646.{8}57454250|.{8}66747970|ab4b5458)/;

/** Bytes needed to detect a texture's format. */
const HEAD = 16;

/** Names of textures in formats that browsers don't show, such as TGA. */
async function unshownTextures(json: Json, file: string, binary: Buffer | undefined): Promise<string[]> {
  const views = list(json.bufferViews);
  const found: string[] = [];
  for (const [index, { uri, bufferView, name }] of list(json.images).entries()) {
    const view = typeof bufferView === 'number' ? views[bufferView] : undefined;
    let head: Buffer | undefined;
    if (typeof uri === 'string' && /^data:/i.test(uri))
      head = Buffer.from(uri.slice(uri.indexOf(',') + 1, uri.indexOf(',') + 41), 'base64');
    else if (typeof uri === 'string') head = await readFile(join(dirname(file), decodeURIComponent(uri)));
    else if (view?.buffer === 0) head = binary?.subarray(Number(view.byteOffset ?? 0));
    if (!head || SHOWN.test(head.subarray(0, HEAD).toString('hex'))) continue;
    found.push(typeof uri === 'string' && !uri.startsWith('data:') ? decodeURIComponent(uri) : String(name ?? index));
  }
  return found;
}

/** Brightness of a sun in lux, and of a lamp in candela, from which a room is overexposed. */
const BRIGHT = { directional: 10, other: 1000 } as const;

/** The lights of a model's nodes. */
function lightsOf(json: Json): Json[] {
  const known = list(((json.extensions as Json | undefined)?.KHR_lights_punctual as Json | undefined)?.lights);
  return list(json.nodes).flatMap(({ extensions }) => {
    const { light } = ((extensions as Json | undefined)?.KHR_lights_punctual ?? {}) as { light?: number };
    const found = known[light ?? -1];
    return found ? [found] : [];
  });
}

const isBright = ({ type, intensity = 1 }: Json) =>
  Number(intensity) > (type === 'directional' ? BRIGHT.directional : BRIGHT.other);

/** Whether the default scene draws nothing. */
function drawsNothing(json: Json): boolean {
  const nodes = list(json.nodes);
  const scene = list(json.scenes)[typeof json.scene === 'number' ? json.scene : 0];
  const left = Array.isArray(scene?.nodes) ? [...(scene.nodes as unknown[])] : [];
  const seen = new Set<unknown>();
  while (left.length > 0) {
    const index = left.pop();
    const node = nodes[index as number];
    if (!node || seen.has(index)) continue;
    seen.add(index);
    if (node.mesh !== undefined) return false;
    if (Array.isArray(node.children)) left.push(...(node.children as unknown[]));
  }
  return true;
}

/**
 * Features of a model that will render differently from what its author sees.
 * @param binary a GLB's binary chunk
 * @returns the number of lights, and warnings
 */
export async function supportOf(
  json: Json,
  file: string,
  binary: Buffer | undefined,
): Promise<{ lights: number; warnings: string[] }> {
  const lights = lightsOf(json);
  const unshown = await unshownTextures(json, file, binary);
  const bright = lights.filter(isBright).length;
  return {
    lights: lights.length,
    warnings: [
      ...(drawsNothing(json)
        ? ['The model is empty: no node in its scene has a mesh. Export it with its meshes.']
        : []),
      ...extensionWarnings(json),
      ...(unshown.length > 0
        ? [
            `Browsers can't show ${unshown.length === 1 ? 'the texture' : 'the textures'} ${unshown.slice(0, 5).join(', ')}. Save as PNG or JPEG and export the model again.`,
          ]
        : []),
      ...(bright > 0
        ? [
            `${bright} of the model's ${lights.length} lights ${bright === 1 ? 'is bright enough to overexpose the room, so it is' : 'are bright enough to overexpose the room, so they are'} dimmed. You can turn off the lights of a model.`,
          ]
        : []),
    ],
  };
}
