import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { filesBelow } from '../../disk.ts';
import { readGltfJson } from './gltf-budget.ts';
import { damaged } from './inspection.ts';

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry) : [];

/** A model on disk, and the folder outside which nothing is read. */
interface ModelFile {
  file: string;
  folder: string;
  alone: boolean;
}

const JSON_CHUNK = 'JSON';
/** Lengths in bytes of a GLB's header, and of each chunk's. */
const HEADER = 12;
const CHUNK_HEADER = 8;

/** The chunks of a GLB; undefined if they don't fill the file, which the validator reports. */
function chunksOf(bytes: Buffer): { type: string; data: Buffer }[] | undefined {
  const chunks: { type: string; data: Buffer }[] = [];
  let at = HEADER;
  while (at + CHUNK_HEADER <= bytes.length) {
    const to = at + CHUNK_HEADER + bytes.readUInt32LE(at);
    if (to > bytes.length) return undefined;
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + CHUNK_HEADER),
      data: bytes.subarray(at + CHUNK_HEADER, to),
    });
    at = to;
  }
  return at === bytes.length && chunks[0]?.type === JSON_CHUNK ? chunks : undefined;
}

/** Builds a GLB from chunks, each padded to four bytes (glTF 2.0, section 4.4.1, Binary glTF chunks). */
function glbOf(chunks: readonly { type: string; data: Buffer }[]): Buffer {
  const parts = chunks.flatMap(({ type, data }) => {
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4, type === JSON_CHUNK ? ' ' : 0);
    const head = Buffer.alloc(CHUNK_HEADER);
    head.writeUInt32LE(data.length + padding.length, 0);
    head.write(type, 4, 'latin1');
    return [head, data, padding];
  });
  const header = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, HEADER),
    8,
  );
  return Buffer.concat([header, ...parts]);
}

/** Normalizes a path: file systems and exporters treat these spellings as equal. */
const keyOf = (path: string) => path.replaceAll('\\', '/').normalize('NFC').toLowerCase();

function decoded(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri);
  } catch {
    return undefined;
  }
}

/**
 * Resolves a URI leniently: backslashes, different case or normalization, unescaped `#`, `?` or `%`.
 * @param files paths below the model's folder
 * @returns its path from the model's own folder, or undefined
 */
function fileMeant(uri: string, { file, folder }: ModelFile, files: readonly string[]): string | undefined {
  const plain = /[#?\\]/.test(uri) ? undefined : decoded(uri);
  const pathOf = (name: string) =>
    relative(folder, resolve(dirname(file), name))
      .split(sep)
      .join('/');
  if (plain !== undefined && files.includes(pathOf(plain))) return undefined;
  const names = [uri, decoded(uri)].flatMap((name) => (name === undefined ? [] : name.replaceAll('\\', '/')));
  const wanted = names.map((name) => keyOf(pathOf(name)));
  // Absolute local paths from the exporting machine may match a file anywhere in the archive.
  const isLocal = /^(?:[a-z]:[\\/]|file:)/i.test(uri);
  const ends = names.map((name) => keyOf(name.split('/').at(-1)!));
  const found = files.filter((path) =>
    isLocal ? ends.includes(keyOf(path.split('/').at(-1)!)) : wanted.includes(keyOf(path)),
  );
  return found.length === 1 ? relative(dirname(file), resolve(folder, found[0]!)).split(sep).join('/') : undefined;
}

/** Rewrites URIs of files that exist under a different spelling. @returns the files */
async function rewriteAddresses(json: Json, model: ModelFile): Promise<string[]> {
  const entries = [...list(json.buffers), ...list(json.images)].filter(({ uri }) => typeof uri === 'string');
  if (entries.some(({ uri, bufferView }) => (uri as string).trim() === '' && bufferView === undefined))
    throw damaged('The model refers to a file with an empty URL. Export it again with its files.');
  if (model.alone) return [];
  const files: string[] = [];
  for await (const path of filesBelow(model.folder, () => false)) files.push(path);
  const rewritten: string[] = [];
  for (const entry of entries) {
    const uri = entry.uri as string;
    if (/^data:/i.test(uri)) continue;
    const meant = fileMeant(uri, model, files);
    if (meant === undefined) continue;
    entry.uri = meant.split('/').map(encodeURIComponent).join('/');
    rewritten.push(meant);
  }
  return [...new Set(rewritten)];
}

/**
 * Repairs what loaders tolerate but the specification forbids: a byte order mark, unpadded chunks, and URIs that differ
 * in spelling from their files. A repaired file replaces the model.
 * @returns its JSON, and the repairs as warnings
 * @throws ApiError bad_file for an empty URI
 */
export async function repairModel(model: ModelFile): Promise<{ bytes: Buffer; json: Json; warnings: string[] }> {
  const bytes = await readFile(model.file);
  const json = readGltfJson(bytes);
  const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
  const chunks = isBinary && bytes.readUInt32LE(4) === 2 ? chunksOf(bytes) : undefined;
  const hasMark = !isBinary && bytes.subarray(0, 3).toString('hex') === 'efbbbf';
  const isUnpadded = chunks?.some(({ data }) => data.length % 4 !== 0) === true;
  const rewritten = await rewriteAddresses(json, model);
  const warnings = [
    ...(hasMark ? ['Removed a byte order mark at the start of the file.'] : []),
    ...(isUnpadded ? ['Aligned the chunks of the file to 4 bytes.'] : []),
    ...(rewritten.length > 0
      ? [`Corrected URLs to the names of their files: ${rewritten.slice(0, 5).join(', ')}.`]
      : []),
  ];
  if (warnings.length === 0 || (isBinary && !chunks)) return { bytes, json, warnings: [] };
  const text = rewritten.length > 0 ? Buffer.from(JSON.stringify(json)) : undefined;
  const repaired = chunks
    ? glbOf([{ type: JSON_CHUNK, data: text ?? chunks[0]!.data }, ...chunks.slice(1)])
    : (text ?? bytes.subarray(3));
  await writeFile(`${model.file}.repaired`, repaired);
  await rename(`${model.file}.repaired`, model.file);
  return { bytes: repaired, json, warnings };
}
