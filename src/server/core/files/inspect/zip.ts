import { join } from 'node:path';
import type { MediaType } from '../../../../contract/entities.ts';
import { type ArchiveFile, openArchive, readArchive, unpack } from './archive.ts';
import { damaged } from './inspection.ts';

const INDEX = 'index.html';

/** Content of an archive: a model with its files, a page, or splats; and its main file. */
export interface ArchiveContent {
  folder: 'model' | 'site' | 'splats';
  entry: string;
  /** Where it was unpacked. */
  path: string;
  files: number;
}

/** An archive, and the expected type if it could be several. */
interface Archive {
  path: string;
  bytes: number;
  /** Target folder; the content goes into a subfolder named after its type. */
  folder: string;
  accept: MediaType | undefined;
}

/** Description of a SOG archive, and its first image: https://developer.playcanvas.com/user-manual/gaussian-splatting/formats/sog/ */
const SOG = ['meta.json', 'means_l.webp'] as const;

/** Type of an archive: a model with its files, a page, or splats; `accept` decides if it could be both. */
function contentOf(files: ArchiveFile[], accept: MediaType | undefined): Pick<ArchiveContent, 'folder' | 'entry'> {
  const models = files.map(({ path }) => path).filter((path) => /\.(?:gltf|glb)$/i.test(path));
  const hasPage = files.some(({ path }) => path === INDEX);
  if (accept === 'site' || (hasPage && accept !== 'object')) {
    if (!hasPage) throw damaged('The archive has no index.html at its root.');
    return { folder: 'site', entry: INDEX };
  }
  if (SOG.every((name) => files.some(({ path }) => path === name))) return { folder: 'splats', entry: SOG[0] };
  if (models.length > 1) throw damaged(`The archive contains ${models.length} models. Send one of them.`);
  const inner = files.find(({ path }) => /\.(?:zip|rar|7z)$/i.test(path));
  if (!models[0] && inner)
    throw damaged(`The archive contains another archive, ${inner.path.slice(0, 80)}. Unpack it and send its content.`);
  if (!models[0]) throw damaged('The archive has neither a glTF model nor an index.html at its root.');
  return { folder: 'model', entry: models[0] };
}

/**
 * Checks and unpacks an archive: a page with `index.html` at its root, a GLTF model with its files, or splats (SOG). Their
 * content is not inspected yet.
 * @throws ApiError bad_file naming what is wrong; nothing is written then, unless the archive's directory is wrong
 */
export async function inspectZip({ path, bytes, folder, accept }: Archive): Promise<ArchiveContent> {
  const zip = await openArchive(path);
  try {
    const files = await readArchive(zip, bytes);
    const content = contentOf(files, accept);
    const target = join(folder, content.folder);
    await unpack(zip, files, target);
    return { ...content, path: target, files: files.length };
  } finally {
    zip.close();
  }
}
