import { expect, test } from 'vitest';
import { openAdmin } from '../harness/admin-page.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { type Pixels, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite({ environment: async () => ({ OPTIMIZE_MEDIA: '1' }) });
const GLB = 'model/gltf-binary';
const shots = process.env.SHOTS;

/** Share of the pixels that clearly differ between two screenshots. */
function difference(one: Pixels, other: Pixels): number {
  let count = 0;
  for (let at = 0; at < one.data.length; at += 3) if (Math.abs(one.data[at]! - other.data[at]!) > 24) count++;
  return count / (one.data.length / 3);
}

interface Loaded {
  type: string;
  bytes: number;
}

/**
 * Pixels of a room, and the files that it loads.
 * @param like expected pixels: sharp images may come late
 */
async function look(path: string, name: string, like?: Pixels): Promise<{ pixels: Pixels; files: Loaded[] }> {
  const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, isNew: true });
  const files: Loaded[] = [];
  visitor.page.on('response', (response) => {
    const { 'content-type': type, 'content-length': bytes } = response.headers();
    // A level of detail that doesn't exist is redirected to the model.
    if (response.url().includes('/media/') && response.status() !== 302)
      files.push({ type: type!, bytes: Number(bytes) });
  });
  await enterRoom(visitor.page, suite.app.origin + path);
  await visitor.page.evaluate(() => window.enfilade!.stage!.invalidate());
  if (shots) await visitor.page.screenshot({ path: `${shots}/lighter-room-${name}.png` });
  let pixels = await pixelsOf(visitor.page);
  const change = async () => {
    const last = like ?? pixels;
    pixels = await pixelsOf(visitor.page);
    return difference(last, pixels);
  };
  await expect.poll(change, { interval: 1000 }).toBeLessThan(0.01);
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
  return { pixels, files: files.sort((one, other) => one.type.localeCompare(other.type)) };
}

test('a room shows the lighter versions of its files, and looks the same', async () => {
  const { app } = suite;
  const model = await app.upload('fixtures/media/terrace.glb');
  const image = await app.upload('fixtures/media/pictures/reeds-at-dusk.jpg');
  const camera = { fov: 75, position: { x: 0, y: 0, z: 500 } };
  const path = await app.publish({ title: 'Hall', width: 1400, height: 800, depth: 1400, config: { camera } }, [
    { element: 'model', file_id: model.id, width: 200, height: 200, depth: 200, position_x: -150, position_z: 150 },
    { element: 'image', file_id: image.id, width: 250, ignore_light: true, position_x: 150, position_z: 150 },
  ]);
  const before = await look(path, 'before');
  expect(before.files).toEqual([expect.objectContaining({ type: 'image/webp' }), { type: GLB, bytes: model.bytes }]);
  app.clock.advance(31_000);
  const states = async () => (await app.client.media.list({ query: {} })).data.map(({ optimized }) => optimized?.state);
  await expect.poll(states, { timeout: 150_000, interval: 200 }).toEqual(['done', 'done']);
  const after = await look(path, 'after', before.pixels);
  const { bytes } = (await app.client.media.read({ params: { id: model.id } })).optimized!;
  const [picture, ...models] = after.files;
  expect(picture!.type).toBe('image/avif');
  // A level of detail may come first.
  expect(models.length).toBeGreaterThan(0);
  for (const loaded of models) expect([loaded.type, loaded.bytes <= bytes!]).toEqual([GLB, true]);
  expect(after.files[0]!.bytes).toBeLessThan(before.files[0]!.bytes);

  for (const width of [1440, 390]) {
    const { page, close } = await openAdmin(app, suite.browser, '/admin/settings/branding', {
      deviceScaleFactor: 1,
      viewport: { width, height: 1000 },
    });
    await page.getByRole('button', { name: 'Choose: Logo' }).click();
    await page.getByRole('option', { name: /^reeds/ }).click();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const lighter = page.getByRole('group', { name: 'Lighter version' });
    await expect.poll(() => lighter.textContent()).toMatch(/Size: .* kB → .* kB \(\d+\s?%\)/);
    await lighter.getByRole('button', { name: 'Compare' }).click();
    const shownWidths = () =>
      lighter.locator('img').evaluateAll((images) => images.map((each) => (each as HTMLImageElement).naturalWidth));
    await expect.poll(shownWidths).toEqual([image.width, image.width]);
    await lighter.locator('img').first().scrollIntoViewIfNeeded();
    if (shots) await page.screenshot({ path: `${shots}/lighter-details-${width}.png` });
    await close();
  }
}, 240_000);
