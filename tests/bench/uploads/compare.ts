import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { Workers } from '../../../src/server/core/files/workers/workers.ts';
import { inFolder, type Outcomes, type Scope } from '../bench.ts';

const MEDIA = join(import.meta.dirname, '../../../fixtures/media');
/** Number of images and of models in a quick run. */
const QUICK = { images: 3, models: 1 } as const;

const pathsOf = async (folder: string, extension: RegExp): Promise<string[]> =>
  (await readdir(folder)).filter((name) => extension.test(name)).map((name) => join(folder, name));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Measures the savings of lighter versions of the demo's images and models, in the server's processes. */
export const measureUploads = ({ isQuick }: Scope): Promise<Outcomes> =>
  inFolder(async (folder) => {
    const workers = new Workers();
    const target = join(folder, 'lighter');
    const images = [
      ...(await pathsOf(join(MEDIA, 'pictures'), /\.(?:jpg|webp)$/)),
      ...(await pathsOf(MEDIA, /^(?:night-)?panorama\.jpg$/)),
    ].slice(0, isQuick ? QUICK.images : undefined);
    const models = (await pathsOf(MEDIA, /\.glb$/)).slice(0, isQuick ? QUICK.models : undefined);
    try {
      const rows: { before: number; after: number; ssim: number; pixels: number; seconds: number }[] = [];
      for (const source of images) {
        const before = (await stat(source)).size;
        const { width, height } = await sharp(source).metadata();
        const begun = performance.now();
        const made = await workers.run('lightenImage', { source, target, format: 'avif' });
        const seconds = (performance.now() - begun) / 1000;
        const result = 'bytes' in made ? { after: made.bytes, ssim: made.ssim } : { after: before, ssim: 1 };
        rows.push({ before, ...result, pixels: width * height, seconds });
      }
      const memory: { gpuBefore: number; gpuAfter: number }[] = [];
      for (const source of models) {
        const made = await workers.run('lightenModel', { source, target });
        if ('reason' in made) throw new Error(`${source}: ${made.reason}`);
        memory.push(made);
      }
      const of = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
      const [before, after, megapixels] = [sum(of('before')), sum(of('after')), sum(of('pixels')) / 1e6];
      const pace = `${(sum(of('seconds')) / megapixels).toFixed(2)} s per megapixel`;
      const gpu = [sum(memory.map(({ gpuAfter }) => gpuAfter)), sum(memory.map(({ gpuBefore }) => gpuBefore))] as const;
      return {
        9: { value: gpu[0] / gpu[1], detail: `bytes: ${gpu[1]} to ${gpu[0]}` },
        '9 images': { value: after / before, detail: `bytes: ${before} to ${after}; AVIF, ${pace}` },
        '9 likeness': { value: Math.min(...of('ssim')), detail: `lowest of ${rows.length}` },
      };
    } finally {
      await workers.close();
    }
  });
