import { describe, expect, test } from 'vitest';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { LOOKED_AT } from '../../harness/browser.ts';
import { buildRoom, type CanvasPage } from '../../harness/canvas-page.ts';
import { pixelAt, pixelsOf } from '../../harness/picture.ts';
import { sharedCanvas } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
/** Of whole pixels, for some tests look at them; wide enough that tree and edit window leave the middle free. */
const open = sharedCanvas(suite, { ...LOOKED_AT, width: 1280, height: 700 });

/** Gives the canvas an edit as the document gives it. */
const patch = (canvas: CanvasPage, command: RoomCommand) =>
  canvas.page.evaluate((edit) => window.enfiladeCanvas!.tools!.patch(edit), command);

/** A name for the drawing of an element that stays while the drawing does. */
const drawingOf = (canvas: CanvasPage, id: number) =>
  canvas.page.evaluate((wanted) => window.enfiladeCanvas!.stage!.viewOf(wanted)?.object.uuid ?? null, id);

describe('edits on the canvas', () => {
  test('only what an edit is about is drawn anew, and what is only moved is not', async () => {
    const html = (name: string, position_x: number) =>
      ({ element: 'html', name, position_x, width: 100, height: 100, config: { body: `<p>${name}</p>` } }) as const;
    const { id, ids } = await buildRoom(suite.app, [html('One', -100), html('Two', 100)]);
    const canvas = await open(id);
    const [one, two] = [await drawingOf(canvas, ids.One!), await drawingOf(canvas, ids.Two!)];
    await canvas.page.evaluate(() => Object.assign(window, { isSamePage: true }));

    await patch(canvas, { type: 'element.update', id: ids.One!, fields: { position_x: -180, rotation_y: 0.5 } });
    await canvas.frames();
    expect(await drawingOf(canvas, ids.One!)).toBe(one);
    const moved = await canvas.page.evaluate(
      (wanted) => window.enfiladeCanvas!.stage!.viewOf(wanted)!.object.matrix.elements[12],
      ids.One!,
    );
    expect(moved).toBe(-180);

    await patch(canvas, { type: 'element.update', id: ids.One!, fields: { config: { body: '<p>Other</p>' } } });
    await expect.poll(() => drawingOf(canvas, ids.One!)).not.toBe(one);
    await expect.poll(() => canvas.page.locator('.stage-panel', { hasText: 'Other' }).count()).toBe(1);
    expect(await drawingOf(canvas, ids.Two!)).toBe(two);

    await patch(canvas, { type: 'element.update', id: ids.Two!, fields: { hidden: true } });
    await canvas.frames();
    await canvas.press(await canvas.at(ids.Two!));
    expect((await canvas.outlined()).selected, 'what is hidden has left the canvas').toBeNull();
    await patch(canvas, { type: 'element.update', id: ids.Two!, fields: { hidden: false } });
    await canvas.frames();
    expect(await drawingOf(canvas, ids.Two!), 'it was kept').toBe(two);

    const element = await canvas.element(ids.Two!);
    await patch(canvas, { type: 'element.remove', id: ids.Two! });
    await canvas.frames();
    expect(await drawingOf(canvas, ids.Two!)).toBeNull();
    await patch(canvas, { type: 'element.add', elements: [element], parent: null, after: null });
    await expect.poll(() => drawingOf(canvas, ids.Two!)).not.toBeNull();
    expect(await canvas.page.evaluate(() => 'isSamePage' in window)).toBe(true);
    expect(canvas.faults).toEqual([]);
  });

  test("the room's own measures, light and view follow without a reload", async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    const state = () =>
      canvas.page.evaluate(() => {
        const { three, camera } = window.enfiladeCanvas!.stage!;
        const floor = three.getObjectByName('floor-grid')! as unknown as {
          geometry: { boundingBox: unknown; computeBoundingBox(): void };
        };
        floor.geometry.computeBoundingBox();
        const { max } = floor.geometry.boundingBox as { max: { x: number; z: number } };
        return { fov: camera.fov, floor: [max.x, max.z] };
      });
    expect(await state()).toEqual({ fov: 50, floor: [500, 600] });
    await patch(canvas, { type: 'room.update', fields: { width: 3000, depth: 2000 } });
    const camera = await canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.scene.room.config.camera);
    await patch(canvas, { type: 'room.update', fields: { config: { camera: { ...camera, fov: 80 } } } });
    await canvas.frames(5);
    expect(await state()).toEqual({ fov: 80, floor: [1500, 1000] });
  });
});

describe('a picture that is taken out', () => {
  test('is no longer drawn, neither before nor after that is saved, and is drawn again when it is undone', async () => {
    const picture = await suite.app.upload('fixtures/media/pictures/currents.webp');
    const { id, ids } = await buildRoom(suite.app, [{ element: 'image', name: 'Picture', file_id: picture.id }]);
    const canvas = await open(id);
    const { page } = canvas;
    const isDrawn = async () => (await drawingOf(canvas, ids.Picture!)) !== null;
    expect(await isDrawn()).toBe(true);
    await page.getByRole('tree', { name: 'Elements', exact: true }).getByTitle('Picture', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove: Image' }).click();
    await expect.poll(isDrawn).toBe(false);
    const window = page.getByRole('region', { name: 'Edit window' });
    await window.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(isDrawn).toBe(true);
    await page.getByRole('tree', { name: 'Elements', exact: true }).getByTitle('Picture', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove: Image' }).click();
    await window.getByRole('button', { name: 'Save' }).click();
    await window.waitFor({ state: 'detached' });
    await page.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor();
    await expect.poll(isDrawn).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(isDrawn).toBe(true);
  });
});

test('a page of the room that reaches behind the edit window is as light beside it as elsewhere', async () => {
  const white = { config: { body: '<div style="height:560px;background:#ffffff"></div>' } };
  const { id } = await buildRoom(suite.app, [
    { element: 'html', name: 'Wide', width: 1400, height: 560, position_z: -100, ...white },
    { element: 'html', name: 'Behind', width: 1400, height: 560, position_z: -300, ...white },
  ]);
  const canvas = await open(id);
  const { page } = canvas;
  await page.getByRole('tree', { name: 'Elements', exact: true }).getByTitle('Wide', { exact: true }).click();
  const window = (await page.getByRole('region', { name: 'Edit window' }).boundingBox())!;
  await canvas.key(' ');
  await canvas.frames(5);
  const at = { x: window.x - 12, y: window.y + window.height / 2 };
  await expect
    .poll(async () => {
      const pixels = await pixelsOf(page);
      return [0, 60, 120].every((up) => Math.min(...pixelAt(pixels, at.x, at.y - up)) > 200);
    })
    .toBe(true);
});
