import { open, rename } from 'node:fs/promises';
import type { MediaType } from '../../../contract/entities.ts';
import type { Arrival } from '../media-store.ts';
import { inspectFont } from './font.ts';
import { inspectExr, inspectRadiance } from './hdr.ts';
import { inspectImage } from './image.ts';
import { type Inspection, unusable } from './inspection.ts';
import { HEAD, KIND_NAMES, kindOf } from './kind.ts';
import { inspectModel } from './model.ts';
import { inspectSoundOrFilm } from './sound-and-film.ts';
import { inspectText } from './texts.ts';
import { inspectZip } from './zip.ts';

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
  const { format, mime } = await kindOf(head);
  switch (format) {
    case 'radiance':
      return inspectRadiance(head);
    case 'exr':
      return inspectExr(head);
    case 'glb':
      return inspectLoneModel(arrival, 'glb');
    case 'picture':
      return inspectImage(file, folder);
    case 'font':
      return inspectFont(file, mime, bytes);
    case 'sound or film':
      return inspectSoundOrFilm(file, mime);
    case 'zip':
      return inspectZip(file, bytes, folder, accept);
    default: {
      const text = await inspectText(file, name);
      if (text !== 'gltf') return text;
      if (accept && accept !== 'object')
        throw unusable(`This is ${KIND_NAMES.object}; ${KIND_NAMES[accept]} is needed here.`);
      return inspectLoneModel(arrival, 'gltf');
    }
  }
}
