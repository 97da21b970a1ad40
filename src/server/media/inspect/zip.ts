import { join } from 'node:path';
import type { MediaType } from '../../../contract/entities.ts';
import { type ArchiveFile, openArchive, readArchive, unpack } from './archive.ts';
import { damaged, type Inspection } from './inspection.ts';
import { inspectModel } from './model.ts';

const INDEX = 'index.html';

/** Which kind of archive it is: a model with its files, or a page; the wanted kind decides where both would do. */
function contentOf(files: ArchiveFile[], accept: MediaType | undefined): { folder: 'model' | 'site'; entry: string } {
  const models = files.map(({ path }) => path).filter((path) => /\.(?:gltf|glb)$/i.test(path));
  const hasPage = files.some(({ path }) => path === INDEX);
  if (accept === 'site' || (hasPage && accept !== 'object')) {
    if (!hasPage) throw damaged('The archive has no index.html at its root.');
    return { folder: 'site', entry: INDEX };
  }
  if (models.length > 1) throw damaged(`The archive holds ${models.length} models; send one of them.`);
  if (!models[0]) throw damaged('The archive has neither a GLTF model nor an index.html at its root.');
  return { folder: 'model', entry: models[0] };
}

/**
 * Checks and unpacks an archive: a page with `index.html` at its root, or a GLTF model with its files.
 * @param folder where it is unpacked, below a folder named after what it is
 */
export async function inspectZip(path: string, bytes: number, folder: string, accept?: MediaType): Promise<Inspection> {
  const zip = await openArchive(path);
  try {
    const files = await readArchive(zip, bytes);
    const content = contentOf(files, accept);
    const target = join(folder, content.folder);
    await unpack(zip, files, target);
    const instead = { path: target, folder: { name: content.folder, entry: content.entry } };
    if (content.folder === 'site') {
      return { type: 'site', mime: 'text/html', extension: 'html', details: { files: files.length }, instead };
    }
    const model = await inspectModel({ file: join(target, content.entry), folder: target, alone: false });
    return { ...model, instead };
  } finally {
    zip.close();
  }
}
