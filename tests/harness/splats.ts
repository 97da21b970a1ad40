import {
  createChunkDataPool,
  logger,
  MemoryFileSystem,
  MemoryReadFileSystem,
  type OutputFormat,
  readFile,
  writeSource,
} from '@playcanvas/splat-transform';

/** A splat of a test: where it is in the y-down frame of PLY files, and its color, 0 to 1. */
export interface MadeSplat {
  at: readonly [x: number, y: number, z: number];
  color: readonly [red: number, green: number, blue: number];
}

const COLUMNS = 'x y z f_dc_0 f_dc_1 f_dc_2 opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3'.split(' ');
/** The constant of degree 0 of spherical harmonics. */
const HARMONIC = 0.28209479177387814;

/** Opaque round splats as the PLY file of a training. @param radius standard deviation of each */
export function makePly(splats: readonly MadeSplat[], radius = 0.02, count = splats.length): Buffer {
  const properties = COLUMNS.map((name) => `property float ${name}\n`).join('');
  const head = `ply\nformat binary_little_endian 1.0\nelement vertex ${count}\n${properties}end_header\n`;
  const size = Math.log(radius);
  const rows = splats.flatMap(({ at, color }) => [
    ...at,
    ...color.map((part) => (part - 0.5) / HARMONIC),
    ...[8, size, size, size, 1, 0, 0, 0],
  ]);
  return Buffer.concat([Buffer.from(head), Buffer.from(Float32Array.from(rows).buffer)]);
}

/** Splats of a PLY file in another format. */
export async function makeSplats(ply: Buffer, outputFormat: OutputFormat): Promise<Buffer> {
  logger.setVerbosity('quiet');
  const fileSystem = new MemoryReadFileSystem();
  fileSystem.set('a.ply', ply);
  const [source] = await readFile({ filename: 'a.ply', inputFormat: 'ply', fileSystem });
  const output = new MemoryFileSystem();
  const filename = outputFormat === 'sog-bundle' ? 'b.sog' : `b.${outputFormat}`;
  const pool = createChunkDataPool();
  await writeSource({ filename, outputFormat, source: source!, pool, options: {} }, output);
  return Buffer.from(output.results.get(filename)!);
}

/** A block of splats from −1 to 1, red where x is negative, else blue; in the lower half of PLY files darker. */
export function makeBlock(side = 24): MadeSplat[] {
  const at = (index: number) => (index / (side - 1)) * 2 - 1;
  const all = Array.from({ length: side ** 3 }, (_, index) => index);
  return all.map((index) => {
    const [x, y, z] = [at(index % side), at(Math.floor(index / side) % side), at(Math.floor(index / side ** 2))];
    const light = y > 0 ? 0.4 : 1;
    return { at: [x, y, z], color: x < 0 ? [light, 0, 0] : [0, 0, light] };
  });
}
