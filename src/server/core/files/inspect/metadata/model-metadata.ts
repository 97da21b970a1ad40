import { readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shownOfImage } from './image-metadata.ts';
import { blanked, joinPieces, type Piece, writePieces } from './pieces.ts';

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry) : [];
const count = (value: unknown): number => (Number.isInteger(value) ? Math.max(0, value as number) : 0);

const SIGNS: [string, string][] = [
  ['jpeg', 'ffd8ff'],
  ['png', '89504e470d0a1a0a'],
  ['webp', '52494646'],
];

/** A texture without metadata; null if it has none, or the format is unknown. */
function shownOfTexture(bytes: Buffer): Piece[] | null {
  const [format] = SIGNS.find(([, sign]) => bytes.subarray(0, sign.length / 2).toString('hex') === sign) ?? [];
  if (!format) return null;
  try {
    return shownOfImage(format, bytes);
  } catch {
    // The validator reports truncated textures.
    return null;
  }
}

/** Strips textures inside a GLB in place, padding each to its old size: decoders ignore bytes after an image's end. */
async function ofGlb(file: string, json: Json): Promise<void> {
  const bytes = await readFile(file);
  const chunk = bytes.length >= 20 ? 20 + bytes.readUInt32LE(12) + 8 : bytes.length;
  const views = list(json.bufferViews);
  const ranges = list(json.images).flatMap(({ bufferView }) => {
    const view = typeof bufferView === 'number' ? views[bufferView] : undefined;
    if (!view || count(view.buffer) !== 0) return [];
    const from = chunk + count(view.byteOffset);
    const to = from + count(view.byteLength);
    const whole = bytes.subarray(from, to);
    const pieces = to <= bytes.length ? shownOfTexture(whole) : null;
    if (!pieces) return [];
    const shown = joinPieces(whole, pieces);
    return [{ from, to, by: Buffer.concat([shown, Buffer.alloc(Math.max(0, whole.length - shown.length))]) }];
  });
  const pieces = blanked(ranges, bytes.length);
  if (!pieces) return;
  await writePieces(file, `${file}.stripped`, pieces);
  await rename(`${file}.stripped`, file);
}

/**
 * Strips metadata from a model's textures, inside a GLB and next to it.
 * @param file the model, whose URIs have been checked
 */
export async function stripTextures(file: string, json: Json): Promise<void> {
  if (file.toLowerCase().endsWith('.glb')) await ofGlb(file, json);
  for (const { uri } of list(json.images)) {
    if (typeof uri !== 'string' || uri.startsWith('data:')) continue;
    const texture = join(dirname(file), decodeURIComponent(uri));
    const pieces = shownOfTexture(await readFile(texture));
    if (!pieces) continue;
    await writePieces(texture, `${texture}.stripped`, pieces);
    await rename(`${texture}.stripped`, texture);
  }
}
