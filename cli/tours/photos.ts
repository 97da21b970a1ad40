import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from '../../src/contract/client.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { MAX_TOUR_PHOTOS } from '../../src/contract/tour-limits.ts';
import { usageError } from '../failure.ts';
import { uploadFile } from '../media/upload-file.ts';

const IMAGE = /\.(?:jpe?g|png|webp|avif|heic|heif)$/i;

/** The images of a folder, by name. @throws CliError if there are too few or too many */
export async function photosIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? usageError(`Folder not found: ${folder}.`, 'Specify the folder of the 360° photos.')
      : usageError(`${folder} can't be read: ${error.message}.`, 'Check its permissions.');
  });
  const images = names.filter((name) => IMAGE.test(name) && !name.startsWith('.')).toSorted();
  if (images.length < 2)
    throw usageError(
      `${folder} contains ${images.length === 0 ? 'no images' : 'one image'}.`,
      'A tour needs at least two 360° photos.',
    );
  if (images.length > MAX_TOUR_PHOTOS)
    throw usageError(
      `${folder} contains ${images.length} images. A tour can have at most ${MAX_TOUR_PHOTOS}.`,
      'Split them into several folders.',
    );
  return images.map((name) => join(folder, name));
}

/** The library's file with the content of a file on disk; null if there is none. */
async function alreadyThere(client: Client, path: string): Promise<number | null> {
  const name = basename(path);
  const { data } = await client.media.list({ query: { search: name } });
  const alike = data.filter((media) => media.name === name && media.original);
  if (alike.length === 0) return null;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  const own = hash.digest('hex');
  return alike.find(({ original }) => original!.hash === own)?.id ?? null;
}

/** Photos of a folder: those in the library by id, the others with their sizes. */
export interface FoundPhotos {
  ids: number[];
  missing: { path: string; bytes: number }[];
}

/** Finds out which photos the library has. */
export async function findPhotos(client: Client, paths: readonly string[]): Promise<FoundPhotos> {
  const found: FoundPhotos = { ids: [], missing: [] };
  for (const path of paths) {
    const known = await alreadyThere(client, path);
    if (known !== null) found.ids.push(known);
    else found.missing.push({ path, bytes: (await stat(path)).size });
  }
  return found;
}

/** A photo that the server rejected. */
export interface Rejected {
  file: string;
  reason: string;
}

/** Uploads the missing photos. A rejected photo doesn't stop the others. */
export async function uploadPhotos(
  client: Client,
  { ids, missing }: FoundPhotos,
  quiet: boolean,
): Promise<{ ids: number[]; rejected: Rejected[] }> {
  const uploaded = [...ids];
  const rejected: Rejected[] = [];
  for (const { path, bytes } of missing)
    try {
      uploaded.push((await uploadFile(client, { path, bytes, name: basename(path) }, { quiet })).id);
    } catch (error) {
      if (!(error instanceof ApiError) || !['bad_file', 'wrong_type', 'too_large'].includes(error.code)) throw error;
      rejected.push({ file: path, reason: error.message });
    }
  return { ids: uploaded, rejected };
}
