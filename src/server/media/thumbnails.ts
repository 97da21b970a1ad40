import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyName, requireFile } from './copy-name.ts';
import { isThere } from './disk.ts';
import { openImage } from './inspect/image.ts';

/** Widths in which pictures are given: two for the back-office, two for rooms. */
export const THUMBNAIL_WIDTHS = [200, 400, 245, 490] as const;

/** Folder of a content in which its thumbnails are kept. */
export const THUMBNAILS = '.thumbnails';

/** Width in pixels and quality, 1 to 100, of a copy. */
interface Copy {
  width: number;
  quality: number;
}

/**
 * A smaller copy of a picture as WebP, made when it is first asked for. Pictures are never made larger.
 * @param folder of the content
 * @param entry name of the picture in it
 * @returns path of the copy
 */
export async function smallPicture(folder: string, entry: string, { width, quality }: Copy): Promise<string> {
  const target = join(folder, THUMBNAILS, `${copyName(entry)}-${width}.webp`);
  if (await isThere(target)) return target;
  const source = join(folder, entry);
  await requireFile(source);
  await mkdir(dirname(target), { recursive: true });
  const half = `${target}.${randomUUID()}`;
  try {
    await openImage(source).resize({ width, withoutEnlargement: true }).webp({ quality }).toFile(half);
    await rename(half, target);
  } finally {
    await rm(half, { force: true });
  }
  return target;
}

/** The copy of a picture in one of the widths above. */
export const thumbnail = (folder: string, entry: string, width: number): Promise<string> =>
  smallPicture(folder, entry, { width, quality: 80 });
