import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Element } from '../../../engine/document/element.ts';
import { webSuite } from '../../harness/web-suite.ts';
import { zipOf } from '../../harness/zip.ts';
import { buildRoom, type CanvasPage, openCanvas } from './canvas-page.ts';

const suite = webSuite();

/** Lets files fall at a point of the page, as a person does who brings them from elsewhere. */
async function drop(canvas: CanvasPage, files: { name: string; content: Buffer }[], x: number, y: number) {
  const data = await canvas.page.evaluateHandle(
    (parts) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of parts) {
        const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([content], name));
      }
      return transfer;
    },
    files.map(({ name, content }) => ({ name, bytes: content.toString('base64') })),
  );
  const target = canvas.page.getByRole('application', { name: 'Room' });
  for (const type of ['dragenter', 'dragover', 'drop'])
    await target.dispatchEvent(type, { dataTransfer: data, clientX: x, clientY: y });
}

const elements = (canvas: CanvasPage): Promise<Element[]> =>
  canvas.page.evaluate(() => JSON.parse(JSON.stringify(window.enfiladeCanvas!.stage!.scene.room.elements)));
const fileOf = async (path: string) => ({ name: basename(path), content: await readFile(path) });

describe('files dropped on the canvas', () => {
  test('a picture, a model and a zipped page become elements where they fell, and the last is selected', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await openCanvas(suite.app, suite.browser, id);
    // The wall on the right: it lies against it.
    const wall = await canvas.seen([500, 0, -300]);
    await drop(canvas, [await fileOf('fixtures/media/panorama-poster.jpg')], wall.x, wall.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 20_000 }).toBe(1);
    const [picture] = await elements(canvas);
    expect(picture).toMatchObject({ element: 'image', name: 'panorama-poster', position_x: 490 });
    expect(picture!.rotation_y).toBeCloseTo(-Math.PI / 2);
    await expect.poll(async () => (await canvas.outlined()).selected).toBe(picture!.id);
    await expect
      .poll(() =>
        canvas.page.evaluate((wanted) => window.enfiladeCanvas!.stage!.viewOf(wanted) !== undefined, picture!.id),
      )
      .toBe(true);

    const middle = await canvas.seen([0, 0, -600]);
    const site = { name: 'page.zip', content: Buffer.from(zipOf([{ name: 'index.html', content: '<p>Hi</p>' }])) };
    await drop(canvas, [await fileOf('fixtures/media/orrery.glb'), site], middle.x, middle.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 20_000 }).toBe(3);
    const [, ...others] = await elements(canvas);
    expect(new Set(others.map(({ element }) => element))).toEqual(new Set(['model', 'iframe']));
    const [a, b] = others.map(({ position_x }) => position_x);
    expect(Math.abs(a! - b!), 'several stand beside each other').toBe(250);
    for (const { position_z } of others) expect(position_z).toBe(-590);
    expect(canvas.faults).toEqual([]);
    await canvas.close();
  });

  test('a file that is refused says so, and can be taken off the list', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await openCanvas(suite.app, suite.browser, id);
    await drop(canvas, [{ name: 'words.xyz', content: Buffer.from('nothing of use') }], 800, 400);
    await canvas.page.getByRole('alert').first().waitFor();
    expect(await elements(canvas)).toEqual([]);
    await canvas.page.getByRole('button', { name: 'Take words.xyz off the list' }).click();
    await expect.poll(() => canvas.page.getByText('words.xyz').count()).toBe(0);
    await canvas.close();
  });
});
