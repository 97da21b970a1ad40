import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  type ChunkSource,
  createChunkDataPool,
  dataTableToChunkSource,
  MemoryFileSystem,
  MemoryReadFileSystem,
  processSource,
  readFile as readSplatFile,
  writeSource,
} from '@playcanvas/splat-transform';
import { ApiError } from '../../../../contract/errors.ts';
import { damaged, type Inspection } from './inspection.ts';
import { MAX_SPLATS, splatTable, tooManySplats } from './splat-gltf.ts';

/** Formats of Gaussian splats that are detected by content. */
export type SplatFormat = 'ply' | 'spz' | 'sog';

/** A file of splats, or the `meta.json` of an unpacked SOG archive. */
interface SplatFile {
  path: string;
  format: SplatFormat;
}

/** Header of SPZ up to version 3, which is gzipped: https://github.com/nianticlabs/spz#file-format */
const SPZ_HEADER = { bytes: 16, magic: 0x5053474e, countAt: 8 } as const;

/** Number of points that an SPZ file claims, before any memory is allocated for them. */
async function claimedPoints(content: Buffer): Promise<number> {
  // Version 4 isn't compressed as a whole.
  const head =
    content.toString('latin1', 0, 4) === 'NGSP'
      ? content
      : // Only the beginning of the stream is there, so its end is missing.
        await promisify(gunzip)(content.subarray(0, 1024), { finishFlush: 2, maxOutputLength: 1_000_000 });
  if (head.length < SPZ_HEADER.bytes || head.readUInt32LE(0) !== SPZ_HEADER.magic)
    throw damaged('The file is neither a splat file (SPZ) nor another supported format.');
  return head.readUInt32LE(SPZ_HEADER.countAt);
}

async function sourceOf({ path, format }: SplatFile): Promise<ChunkSource> {
  const fileSystem = new MemoryReadFileSystem();
  // An archive has its images beside its description.
  const names = format === 'sog' ? await readdir(dirname(path)) : [basename(path)];
  for (const name of names) fileSystem.set(name, await readFile(join(dirname(path), name)));
  const filename = basename(path);
  if (format === 'spz') {
    const count = await claimedPoints(Buffer.from(fileSystem.get(filename)!));
    if (count > MAX_SPLATS) throw tooManySplats(count);
  }
  const [source] = await readSplatFile({ filename, inputFormat: format, fileSystem });
  if (!source) throw damaged('The file contains no splats.');
  return source;
}

/** Writes splats as SPZ next to their file, without invalid ones. */
async function convert(source: ChunkSource, path: string, warnings: string[]): Promise<Inspection> {
  const { numGaussians, availableLayers } = source.meta;
  if (!(['position', 'geometric', 'color'] as const).every((layer) => availableLayers.has(layer)))
    throw damaged('The file is a point cloud or mesh, not Gaussian splats. Export it as glTF.');
  if (numGaussians > MAX_SPLATS) throw tooManySplats(numGaussians);
  const pool = createChunkDataPool();
  const valid = await processSource(source, [{ kind: 'filterNaN' }], pool);
  const splats = valid.meta.numGaussians;
  if (splats === 0) throw damaged('The file contains no valid splats.');
  const output = new MemoryFileSystem();
  const options = { filename: 'splats.spz', outputFormat: 'spz', options: { spzVersion: 3 } } as const;
  await writeSource({ ...options, source: valid, pool }, output);
  const target = `${path}.spz`;
  await writeFile(target, output.results.get(options.filename)!);
  const invalid = numGaussians - splats;
  if (invalid > 0) warnings.push(`Invalid splats that were removed: ${invalid}.`);
  return {
    type: 'object',
    mime: 'model/vnd.spz',
    extension: 'spz',
    details: { splats, warnings },
    instead: { path: target },
  };
}

/** Errors of the library, as those of the file. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The server's own errors, such as a full disk, aren't the file's.
    if (error instanceof ApiError || (error instanceof Error && 'syscall' in error)) throw error;
    throw damaged(`The splats can't be read: ${String((error as Error).message).slice(0, 200)}`);
  }
}

/**
 * Reads Gaussian splats from PLY, SPZ or SOG, and converts them to SPZ.
 * @throws ApiError bad_file with the reason
 */
export const inspectSplats = (file: SplatFile): Promise<Inspection> =>
  readable(async () => convert(await sourceOf(file), file.path, []));

/**
 * Reads Gaussian splats from a binary glTF (`KHR_gaussian_splatting`), and converts them to SPZ.
 * @param binary buffer of the file
 * @throws ApiError bad_file with the reason
 */
export const inspectSplatGltf = (
  json: Record<string, unknown>,
  binary: Buffer | undefined,
  path: string,
): Promise<Inspection> =>
  readable(async () => {
    const { table, warnings } = splatTable(json, binary);
    return convert(dataTableToChunkSource(table), path, warnings);
  });
