import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaType } from '../../../../contract/entities.ts';
import type { Requester } from '../decoders/turns.ts';
import type { Arrival } from '../media-store.ts';
import type { Workers } from '../workers/workers.ts';
import { type Inspection, unusable } from './inspection.ts';
import { KIND_NAMES } from './kind-names.ts';
import { readHead } from './wanted-head.ts';

/** Information about a file besides its content. */
export interface SentAs {
  /** File name of the upload; only for error messages. */
  name: string;
  /** On whose behalf it is read. */
  requester: Requester;
  /** Expected type, if an archive could be several. */
  accept?: MediaType | undefined;
}

/** Inspects a single model file, under a name with its real extension. */
async function inspectLoneModel(
  workers: Workers,
  arrival: Arrival,
  extension: 'glb' | 'gltf',
  requester: Requester,
): Promise<Inspection> {
  const file = `${arrival.file}.${extension}`;
  // Stripping textures replaces this link by a new file; the upload stays unchanged.
  await link(arrival.file, file).catch(() => copyFile(arrival.file, file));
  const found = await workers.run('readModel', { file, folder: arrival.folder, alone: true }, requester);
  return { instead: { path: file }, ...found };
}

/** Unpacks an archive, and inspects the model in it if there is one. */
async function inspectArchive(workers: Workers, arrival: Arrival, { accept, requester }: SentAs): Promise<Inspection> {
  const { file: archive, bytes, folder } = arrival;
  const content = await workers.run('unpackArchive', { path: archive, bytes, folder, accept }, requester);
  const { path, entry, files } = content;
  const instead = { path, folder: { name: content.folder, entry } };
  if (content.folder === 'site')
    return { type: 'site', mime: 'text/html', extension: 'html', details: { files }, instead };
  if (content.folder === 'splats')
    return workers.run('readSplats', { path: join(path, entry), format: 'sog' }, requester);
  const model = await workers.run('readModel', { file: join(path, entry), folder: path, alone: false }, requester);
  return { ...model, instead };
}

/**
 * Detects a file's type by its content alone, and checks that it is usable. Workers read all of it.
 * @throws ApiError wrong_type or bad_file with the reason
 */
export async function inspect(workers: Workers, arrival: Arrival, sentAs: SentAs): Promise<Inspection> {
  const { name, requester, accept } = sentAs;
  const { file: path, folder, bytes } = arrival;
  const head = await readHead(path);
  const { format, mime } = await workers.run('detectKind', head, requester);
  switch (format) {
    case 'radiance':
    case 'exr':
      return workers.run('readEnvironment', { path, head, format }, requester);
    case 'glb':
      return inspectLoneModel(workers, arrival, 'glb', requester);
    case 'ply':
    case 'spz':
      return workers.run('readSplats', { path, format }, requester);
    case 'picture':
      return workers.run('readPicture', { path, folder, sender: requester.sender }, requester);
    case 'font':
      return workers.run('readFont', { path, mime, bytes }, requester);
    case 'audio or video':
      return workers.run('readSoundOrFilm', { path, mime }, requester);
    case 'zip':
      return inspectArchive(workers, arrival, sentAs);
    default: {
      const text = await workers.run('readText', { path, name }, requester);
      if (text !== 'gltf') return text;
      if (accept && accept !== 'object')
        throw unusable(`This is ${KIND_NAMES.object}, but ${KIND_NAMES[accept]} is required.`);
      return inspectLoneModel(workers, arrival, 'gltf', requester);
    }
  }
}
