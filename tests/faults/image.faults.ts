import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildPages, pagesAreStale } from '../../src/server/pages/build-pages.ts';
import { ROOT, StartedServer } from '../harness/started-server.ts';

/** Bytes of the packages without Node, and of the pages, that an image may hold. */
const MAX_BYTES = 300 * 1000 * 1000;

/** Bytes of all files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The paths that the last stage of the Dockerfile copies from the sources. */
const copied = () =>
  /^FROM debian[\s\S]*$/m
    .exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))![0]
    .split('\n')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1));

describe('what an image holds', () => {
  it('is small, and enough to serve pages and the API', { timeout: 600_000 }, async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-image-'));
    try {
      const dist = join(ROOT, 'dist');
      if (await pagesAreStale(dist)) expect(await buildPages(dist)).toBeNull();
      for (const name of ['package.json', 'package-lock.json', '.npmrc'])
        await cp(join(ROOT, name), join(folder, name));
      try {
        await promisify(execFile)('npm', ['ci', '--omit=dev'], { cwd: folder });
      } catch (error) {
        console.log(`The packages could not be installed: ${(error as Error).message}`);
        test.skip();
      }
      const paths = copied();
      expect(paths).toContain('src');
      for (const path of [...paths, 'dist']) await cp(join(ROOT, path), join(folder, path), { recursive: true });
      expect(existsSync(join(folder, 'node_modules/vite'))).toBe(false);

      const packages = (await sizeOf(join(folder, 'node_modules'))) - (await sizeOf(join(folder, 'node_modules/node')));
      const pages = await sizeOf(join(folder, 'dist'));
      console.log(`Packages: ${Math.round(packages / 1e6)} MB, pages: ${Math.round(pages / 1e6)} MB`);
      expect(packages + pages).toBeLessThan(MAX_BYTES);

      // Of the installed Node, and building nothing although the copied sources are newer than the pages.
      const node = join(folder, 'node_modules/node/bin/node');
      const server = new StartedServer(
        { DATA_DIR: join(folder, 'data'), DEMO: '1' },
        { root: folder, node, flags: [] },
      );
      const address = await server.address();
      const page = await fetch(`${address}/gallery`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('The Long Gallery')]);
      expect((await fetch(`${address}/api/v1/settings`)).status).toBe(200);
      expect((await fetch(`${address}/admin`)).status).toBe(200);
      expect(await server.stop()).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
