import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openImage } from './inspect/image.ts';

/** Widths in which pictures are given: two for the back-office, two for rooms. */
export const THUMBNAIL_WIDTHS = [200, 400, 245, 490] as const;

/** Folder of a content in which its thumbnails are kept. */
const FOLDER = '.thumbnails';

/**
 * A smaller copy of a picture as WebP, made when it is first asked for. Pictures are never made larger.
 * @param folder of the content
 * @param entry name of the picture in it
 * @returns path of the copy
 */
export async function thumbnail(folder: string, entry: string, width: number): Promise<string> {
  const target = join(folder, FOLDER, `${entry}-${width}.webp`);
  if (await stat(target).catch(() => null)) return target;
  await mkdir(join(folder, FOLDER), { recursive: true });
  const half = `${target}.${randomUUID()}`;
  await openImage(join(folder, entry)).resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toFile(half);
  await rename(half, target);
  return target;
}
