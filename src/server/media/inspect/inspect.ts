import { open, rename } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import type { MediaType } from '../../../contract/entities.ts';
import type { Arrival } from '../media-store.ts';
import { inspectFont, isFont } from './font.ts';
import { inspectExr, inspectRadiance } from './hdr.ts';
import { inspectImage } from './image.ts';
import type { Inspection } from './inspection.ts';
import { inspectModel } from './model.ts';
import { inspectSoundOrFilm, isSoundOrFilm } from './sound-and-film.ts';
import { inspectText } from './texts.ts';
import { inspectZip } from './zip.ts';

/** Bytes from which a kind of file is told. */
const HEAD = 16 * 1024;

const PICTURES = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/apng',
  'image/heic',
]);

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0).finally(() => handle.close());
  return buffer.subarray(0, bytesRead);
}

/** Reads a model that stands alone, under a name that tells its kind. */
async function inspectLoneModel(arrival: Arrival, extension: 'glb' | 'gltf'): Promise<Inspection> {
  const file = `${arrival.file}.${extension}`;
  await rename(arrival.file, file);
  const found = await inspectModel({ file, folder: arrival.folder, alone: true });
  return { ...found, instead: { path: file } };
}

/**
 * Finds out what a file is, by its content alone, and whether it can be used.
 * @param name under which it was sent; only for better sentences
 * @param accept kind that is wanted, where an archive could be either
 * @throws ApiError wrong_type or bad_file with a sentence that says why it can't be used
 */
export async function inspect(arrival: Arrival, name: string, accept?: MediaType): Promise<Inspection> {
  const { file, folder, bytes } = arrival;
  const head = await headOf(file);
  if (head.subarray(0, 2).toString('latin1') === '#?') return inspectRadiance(head);
  if (head.length > 4 && head.readUInt32LE(0) === 20_000_630) return inspectExr(head);
  if (head.subarray(0, 4).toString('latin1') === 'glTF') return inspectLoneModel(arrival, 'glb');
  const mime = (await fileTypeFromBuffer(head))?.mime as string | undefined;
  if (mime && PICTURES.has(mime)) return inspectImage(file, folder);
  if (mime && isFont(mime)) return inspectFont(file, mime, bytes);
  if (mime && isSoundOrFilm(mime)) return inspectSoundOrFilm(file, mime);
  if (mime === 'application/zip') return inspectZip(file, bytes, folder, accept);
  const text = await inspectText(file, name);
  return text === 'gltf' ? inspectLoneModel(arrival, 'gltf') : text;
}
