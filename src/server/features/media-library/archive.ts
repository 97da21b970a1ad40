import { createReadStream } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { MAX_ARCHIVE_BYTES } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type MediaStore, originalPath } from '../../core/files/media-store.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { Download } from '../../core/http/download.ts';
import { findMediaRows, hasStoredOriginal, type MediaRow } from '../media/queries.ts';

/** Constant archive options, so that the same files produce the same archive. */
const OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, compress: false, forceDosTimestamp: true };

/** A file on disk, and its path in an archive. */
interface Entry {
  file: string;
  name: string;
}

/** A deterministic archive, written while it is sent; it fails if a file has been deleted since. */
function zipOf(entries: readonly Entry[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  let current: Readable | undefined;
  // The client may end the download early.
  output.on('close', () => current?.destroy());
  for (const { file, name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    zip.addReadStreamLazy(name, OPTIONS, (done) => {
      current = createReadStream(file).on('error', fail);
      done(null, current);
    });
  zip.end();
  return output;
}

/** The files below a folder, with their paths in it. */
export async function entriesBelow(folder: string): Promise<Entry[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => ({ file, name: relative(folder, file).split(sep).join('/') }));
}

/**
 * The stored, importable form of a file: uploading it again gives the same file.
 * @throws ApiError not_found if its content is missing on disk
 */
export async function readContent(store: MediaStore, { hash, entry }: MediaRow): Promise<Download> {
  const [top = '', ...below] = entry.split('/');
  const path = await store.entryOf(hash, top);
  await access(path).catch(() => {
    throw new ApiError('not_found', 'The content of this file is missing.');
  });
  // Entry names are plain letters; sanitize anyway, because the extension appears in a header.
  const name = basename(top).replace(/[^\w.-]/g, '-');
  if (below.length === 0) return new Download(name, createReadStream(path));
  return new Download(`${name}.zip`, zipOf(await entriesBelow(path)));
}

/** Path of an original on disk. */
const originalOf = (store: MediaStore, row: MediaRow, hash: string): Promise<string> =>
  store.fileOf(row.hash, hasStoredOriginal(row) ? originalPath(hash) : row.entry);

/**
 * A file as uploaded, byte for byte.
 * @throws ApiError not_found if its original was not stored or is missing on disk
 */
export async function readOriginal(store: MediaStore, row: MediaRow): Promise<Download> {
  if (row.original_hash === null)
    throw new ApiError(
      'not_found',
      'No original is stored for this file: it was uploaded before version 0.15, shared by a visitor, or larger than the settings allow.',
    );
  const path = await originalOf(store, row, row.original_hash);
  await access(path).catch(() => {
    throw new ApiError('not_found', 'The original of this file is missing.');
  });
  return new Download(row.original_name ?? row.name, createReadStream(path));
}

/** Unique names, ignoring case for case-insensitive file systems: "a.jpg", "a (2).jpg". */
export class Names {
  readonly #taken = new Set<string>();

  of(name: string): string {
    const plain = name.replace(/[/\\:*?"<>|]/g, '-').replace(/^\.+/, '') || 'file';
    const [, stem = plain, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(plain) ?? [];
    let own = plain;
    for (let count = 2; this.#taken.has(own.toLowerCase()); count++) own = `${stem} (${count})${ending}`;
    this.#taken.add(own.toLowerCase());
    return own;
  }
}

/** What an archive contains of a file: its original, or the file as served; several files in a folder. */
export async function entriesOf(store: MediaStore, row: MediaRow, names: Names): Promise<Entry[]> {
  if (row.original_hash !== null)
    return [{ file: await originalOf(store, row, row.original_hash), name: names.of(row.original_name ?? row.name) }];
  const [top = '', ...below] = row.entry.split('/');
  const path = await store.entryOf(row.hash, top);
  // The served file may have another format than the upload, and so another extension than the name.
  const ending = /\.[^.]*$/.exec(top)?.[0] ?? '';
  if (below.length === 0) return [{ file: path, name: names.of(row.name.replace(/\.[^.]*$/, '') + (ending || '')) }];
  const folder = names.of(row.name);
  return (await entriesBelow(path).catch(() => [])).map(({ file, name }) => ({ file, name: `${folder}/${name}` }));
}

/**
 * Files as a deterministic archive.
 * @throws ApiError not_found if one of them is missing, too_large
 */
export async function readArchive(
  { db, organizationId, media }: CallContext,
  ids: readonly number[],
): Promise<Download> {
  const rows = await findMediaRows(db, organizationId, ids);
  const wanted = [...new Set(ids)].toSorted((a, b) => a - b);
  const names = new Names();
  const entries: Entry[] = [];
  let bytes = 0;
  for (const id of wanted) {
    const row = rows.get(id);
    if (!row) throw new ApiError('not_found', `File ${id} not found.`);
    bytes += row.original_bytes ?? row.bytes;
    if (bytes > MAX_ARCHIVE_BYTES)
      throw new ApiError('too_large', `An archive has at most ${MAX_ARCHIVE_BYTES / 1e9} GB. Choose fewer files.`);
    for (const entry of await entriesOf(media, row, names)) {
      const found = await stat(entry.file).catch(() => null);
      if (!found?.isFile()) throw new ApiError('not_found', `The content of “${row.name}” is missing.`);
      entries.push(entry);
    }
  }
  return new Download('media.zip', zipOf(entries));
}
