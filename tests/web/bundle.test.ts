import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { DIST } from '../../src/server/app/app.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

/** Most JavaScript, brotli, that a visitor loads before the first frame of a panorama room, in bytes. */
const BUDGET = 150_000;

interface Chunk {
  file: string;
  imports?: string[];
}

const readManifest = async (): Promise<Record<string, Chunk>> =>
  JSON.parse(await readFile(`${DIST}/.vite/manifest.json`, 'utf8'));

/** Files that a page loads at once: its entry, and what that imports without asking. */
function filesOf(manifest: Record<string, Chunk>, name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`The build has no ${name}.`);
  found.add(chunk.file);
  for (const other of chunk.imports ?? []) if (!found.has(manifest[other]!.file)) filesOf(manifest, other, found);
  return found;
}

const suite = webSuite();

describe('first load', () => {
  test(`the JavaScript before the first frame of a panorama room is at most ${BUDGET / 1000} kB`, async () => {
    const files = filesOf(await readManifest(), 'viewer/index.html');
    expect(files.size).toBeGreaterThan(0);
    const sizes = await Promise.all([...files].map(async (file) => (await stat(`${DIST}/${file}.br`)).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`First load: ${total} bytes of JavaScript in ${files.size} files (budget ${BUDGET}).`);
    expect(total).toBeLessThanOrEqual(BUDGET);
  });

  test('a panorama room asks for no other script before its first frame, and zod for none at all', async () => {
    const file = await suite.app.upload('fixtures/media/panorama.jpg');
    const template = await suite.app.client.templates.create({
      body: { name: 'Pano', model_type: 'pano', file_id: file.id },
    });
    const path = await suite.app.publish({ template_id: template.id });
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const early = () =>
      page.evaluate(() => {
        const [mark] = performance.getEntriesByName('enfilade:first-frame');
        const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        return resources
          .filter(({ name, startTime }) => name.endsWith('.js') && startTime < mark!.startTime)
          .map(({ name }) => new URL(name).pathname.slice(1));
      });
    const files = filesOf(await readManifest(), 'viewer/index.html');
    // The browser's records of loaded files may arrive late.
    await expect.poll(async () => new Set(await early())).toEqual(files);
    for (const name of files) expect(await readFile(`${DIST}/${name}`, 'utf8')).not.toContain('invalid_type');
    await close();
  });

  test('the controls come in a few files, before the visitor enters a room that is no panorama', async () => {
    const path = await suite.app.publish({ title: 'Hall' });
    const { page, close } = await newVisitor(suite.browser, { isNew: true });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\.(?:js|css)$/.test(request.url())) asked.push(new URL(request.url()).pathname);
    });
    await page.goto(suite.app.origin + path, { waitUntil: 'networkidle' });
    await page.locator('#entrance.is-ready').waitFor();
    const before = asked.length;
    for (const name of ['controls', 'react', 'room'])
      expect(
        asked.filter((file) => file.startsWith(`/assets/${name}-`) && file.endsWith('.js')),
        name,
      ).toHaveLength(1);
    expect(before).toBeLessThan(30);
    await page.locator('#entrance').press('Enter');
    await page.getByRole('button', { name: 'More' }).waitFor();
    expect(asked.slice(before)).toEqual([]);
    await close();
  });

  test('every script and style is sent compressed', async () => {
    const files = [...filesOf(await readManifest(), 'viewer/index.html')];
    for (const file of files) {
      expect(existsSync(`${DIST}/${file}.br`)).toBe(true);
      const response = await fetch(`${suite.app.origin}/${file}`, { headers: { 'accept-encoding': 'br' } });
      expect(response.headers.get('content-encoding')).toBe('br');
      expect(response.headers.get('cache-control')).toContain('immutable');
      await response.arrayBuffer();
    }
  });
});
