import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../../disk.ts';
import { Once } from '../../once.ts';
import type { Workers } from '../workers/workers.ts';
import { CUT, copyName, requireFile, WHOLE } from './kept-names.ts';

/** Tile folder of a file's content. */
export const TILES = '.tiles';

/** Valid tile names: the whole image made smaller, or a tile by column and row. */
export const TILE_NAME = /^(?:whole|(\d{1,2})-(\d{1,2}))$/;

const cutting = new Once<boolean>();

async function cut(workers: Workers, source: string, target: string): Promise<boolean> {
  if (await isThere(target)) return true;
  await requireFile(source);
  const half = `${target}.${randomUUID()}`;
  await mkdir(half, { recursive: true });
  try {
    if (!(await workers.run('cutTiles', { source, target: half }))) return false;
    // Another process may have been faster, with the same result.
    await rename(half, target).catch(() => undefined);
    return true;
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

/**
 * Cuts an image into tiles, unless that was done or is in progress.
 * @returns whether it is wide enough for tiles
 */
export const cutIfWide = (workers: Workers, folder: string, entry: string): Promise<boolean> => {
  const target = join(folder, TILES, copyName(entry));
  return cutting.of(target, () => cut(workers, join(folder, entry), target));
};

/**
 * A tile of a wide image as JPEG. The first request cuts all tiles.
 * @param folder folder of the content
 * @param entry name of the image in it
 * @param name `whole`, or column and row as in `3-1`
 * @returns path of the tile; it doesn't exist for a tile outside the image
 * @throws if the image isn't wide enough for tiles, or can't be read
 */
export async function panoramaTile(workers: Workers, folder: string, entry: string, name: string): Promise<string> {
  if (!(await cutIfWide(workers, folder, entry))) throw new Error('This image has no tiles.');
  const target = join(folder, TILES, copyName(entry));
  return join(target, name === 'whole' ? WHOLE : join(CUT, `${name.replace('-', '_')}.jpeg`));
}
