import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../../disk.ts';
import { Once } from '../../once.ts';
import type { Workers } from '../workers/workers.ts';
import { CUT, copyName, requireFile, WHOLE } from './kept-names.ts';

/** Folder of a content in which its tiles are kept. */
export const TILES = '.tiles';

/** What may be asked for: the whole picture made smaller, or a tile by column and row. */
export const TILE_NAME = /^(?:whole|(\d{1,2})-(\d{1,2}))$/;

const cutting = new Once<boolean>();

async function cut(workers: Workers, source: string, target: string): Promise<boolean> {
  if (await isThere(target)) return true;
  await requireFile(source);
  const half = `${target}.${randomUUID()}`;
  await mkdir(half, { recursive: true });
  try {
    if (!(await workers.run('cutTiles', { source, target: half }))) return false;
    // Another process may have been faster; what it made is the same.
    await rename(half, target).catch(() => undefined);
    return true;
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

/**
 * Makes all parts of a picture, unless that was done or is under way.
 * @returns whether it is wide enough to have any
 */
export const cutWhereWide = (workers: Workers, folder: string, entry: string): Promise<boolean> => {
  const target = join(folder, TILES, copyName(entry));
  return cutting.of(target, () => cut(workers, join(folder, entry), target));
};

/**
 * A part of a wide picture as JPEG. All parts are made when the first is asked for, if they were not made before.
 * @param folder of the content
 * @param entry name of the picture in it
 * @param name `whole`, or column and row as in `3-1`
 * @returns path of the part; that of a tile outside the picture leads nowhere
 * @throws when the picture is not wide enough to have tiles, or cannot be read
 */
export async function panoramaTile(workers: Workers, folder: string, entry: string, name: string): Promise<string> {
  if (!(await cutWhereWide(workers, folder, entry))) throw new Error('The image is loaded as a whole.');
  const target = join(folder, TILES, copyName(entry));
  return join(target, name === 'whole' ? WHOLE : join(CUT, `${name.replace('-', '_')}.jpeg`));
}
