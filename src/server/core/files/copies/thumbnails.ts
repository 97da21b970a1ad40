import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COPY_WIDTHS, LAYER_WIDTHS } from '../../../../../engine/document/small-copy.ts';
import { isThere } from '../../disk.ts';
import { Once } from '../../once.ts';
import type { Workers } from '../workers/workers.ts';
import { copyName, requireFile } from './kept-names.ts';

/** Thumbnail widths in pixels, for rooms and for lists of the back-office. */
export const THUMBNAIL_WIDTHS = [LAYER_WIDTHS.small, 200, LAYER_WIDTHS.middle, 400, ...COPY_WIDTHS] as const;

/** Thumbnail folder of a file's content. */
export const THUMBNAILS = '.thumbnails';

/** Width in pixels, quality (1 to 100) and blur radius of a copy. */
interface Copy {
  width: number;
  quality: number;
  blur?: number;
}

const drawing = new Once<void>();

async function draw(workers: Workers, source: string, target: string, copy: Copy): Promise<void> {
  if (await isThere(target)) return;
  await requireFile(source);
  await mkdir(dirname(target), { recursive: true });
  const half = `${target}.${randomUUID()}`;
  try {
    await workers.run('drawThumbnail', { source, target: half, ...copy });
    await rename(half, target);
  } finally {
    await rm(half, { force: true });
  }
}

/** Path of a copy in the folder of its content. */
const copyPath = (entry: string, { width, blur }: Pick<Copy, 'width' | 'blur'>): string =>
  join(THUMBNAILS, `${copyName(entry)}-${width}${blur ? '-blurred' : ''}.webp`);

/** Whether the thumbnail of an image has been drawn. @param folder folder of the content */
export const hasThumbnail = (folder: string, entry: string, width: number): Promise<boolean> =>
  isThere(join(folder, copyPath(entry, { width })));

/**
 * A smaller WebP copy of an image, created on the first request. Images are never enlarged.
 * @param folder folder of the content
 * @param entry name of the image in it
 * @returns path of the copy
 */
export async function smallPicture(workers: Workers, folder: string, entry: string, copy: Copy): Promise<string> {
  const target = join(folder, copyPath(entry, copy));
  await drawing.of(target, () => draw(workers, join(folder, entry), target, copy));
  return target;
}

/** The thumbnail of an image in one of the widths above. */
export const thumbnail = (workers: Workers, folder: string, entry: string, width: number): Promise<string> =>
  smallPicture(workers, folder, entry, { width, quality: 80 });
