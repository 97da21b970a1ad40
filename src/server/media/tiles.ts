import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PANORAMA_TILE, WHOLE_PANORAMA } from '../../../engine/document/panorama.ts';
import { copyName, requireFile } from './copy-name.ts';
import { isThere } from './disk.ts';
import { openImage } from './inspect/image.ts';

/** Folder of a content in which its tiles are kept, and the one in it that the library makes. */
export const TILES = '.tiles';
const CUT = 'picture_files/0';
const WHOLE = 'whole.jpeg';
/** Quality of tiles, 1 to 100: they are seen at their own size. */
const QUALITY = 85;

/** What may be asked for: the whole picture made smaller, or a tile by column and row. */
export const TILE_NAME = /^(?:whole|(\d{1,2})-(\d{1,2}))$/;

/** Pictures that are being cut now, by folder: nobody cuts the same one twice. */
const cutting = new Map<string, Promise<void>>();

async function isWide(source: string): Promise<boolean> {
  const { width } = await openImage(source).metadata();
  return width > WHOLE_PANORAMA;
}

async function cut(source: string, target: string): Promise<void> {
  if (await isThere(target)) return;
  await requireFile(source);
  if (!(await isWide(source))) throw new Error('The picture is loaded as a whole.');
  const half = `${target}.${randomUUID()}`;
  await mkdir(half, { recursive: true });
  try {
    const tile = { size: PANORAMA_TILE, overlap: 0, layout: 'dz', depth: 'one', container: 'fs' } as const;
    await openImage(source).jpeg({ quality: QUALITY }).tile(tile).toFile(join(half, 'picture.dz'));
    await openImage(source).resize({ width: WHOLE_PANORAMA }).jpeg({ quality: QUALITY }).toFile(join(half, WHOLE));
    // Another process may have been faster; what it made is the same.
    await rename(half, target).catch(() => undefined);
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

/** Cuts a picture, unless that was done or is under way. Gives the folder of its parts. */
async function cutOnce(folder: string, entry: string): Promise<string> {
  const target = join(folder, TILES, copyName(entry));
  const work = cutting.get(target) ?? cut(join(folder, entry), target).finally(() => cutting.delete(target));
  cutting.set(target, work);
  await work;
  return target;
}

/** Makes all parts of a picture, if it is wide enough to have any. */
export async function cutWhereWide(folder: string, entry: string): Promise<void> {
  if (await isWide(join(folder, entry))) await cutOnce(folder, entry);
}

/**
 * A part of a wide picture as JPEG. All parts are made when the first is asked for, if they were not made before.
 * @param folder of the content
 * @param entry name of the picture in it
 * @param name `whole`, or column and row as in `3-1`
 * @returns path of the part; that of a tile outside the picture leads nowhere
 * @throws when the picture is not wide enough to have tiles, or can't be read
 */
export async function panoramaTile(folder: string, entry: string, name: string): Promise<string> {
  const target = await cutOnce(folder, entry);
  return join(target, name === 'whole' ? WHOLE : join(CUT, `${name.replace('-', '_')}.jpeg`));
}
