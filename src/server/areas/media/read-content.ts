import { createReadStream } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { ApiError } from '../../../contract/errors.ts';
import { Download } from '../../base/answers/download.ts';
import type { MediaStore } from '../../storage/media-store.ts';
import type { MediaRow } from '../../store/media/media-row.ts';

/** The same for every file, so that the same files make the same archive. */
const OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, compress: false, forceDosTimestamp: true };

async function archiveOf(folder: string): Promise<Readable> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const zip = new ZipFile();
  const named = files.map((file) => ({ file, name: relative(folder, file).split(sep).join('/') }));
  for (const { file, name } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) zip.addFile(file, name, OPTIONS);
  zip.end();
  return zip.outputStream as Readable;
}

/**
 * A file of the library as it is kept: uploading it again gives the same file.
 * @throws ApiError not_found when its content is gone from the disk
 */
export async function readContent(store: MediaStore, { hash, entry }: MediaRow): Promise<Download> {
  const [top = '', ...below] = entry.split('/');
  const path = await store.entryOf(hash, top);
  await access(path).catch(() => {
    throw new ApiError('not_found', 'The content of this file is gone.');
  });
  // Names of entries are plain letters; what they end with is checked all the same, for it stands in a header.
  const name = basename(top).replace(/[^\w.-]/g, '-');
  if (below.length === 0) return new Download(name, createReadStream(path));
  return new Download(`${name}.zip`, await archiveOf(path));
}
