import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { LOOKED_AT } from '../../harness/browser.ts';
import { buildRoom, plainRoom, type Written } from '../../harness/canvas-page.ts';
import { type Pixels, pixelsOf } from '../../harness/picture.ts';
import { quiet } from '../../harness/quiet-page.ts';
import { sharedCanvas } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
const open = sharedCanvas(suite, LOOKED_AT);
/** A room with pixels enough for an edge to be told from what is behind it. */
const build = (elements: readonly Written[]) => buildRoom(suite.app, elements, plainRoom(0.5));
/** Number of images: enough for a cached picture, and too few for batches. */
const STILL = 36;
/** Images of a room that batches them. */
const BATCHED = 130;
let photo: number;
let glass: number;

/** A pane through which half of what is behind it is seen. */
async function uploadGlass(): Promise<number> {
  const background = { r: 200, g: 30, b: 30, alpha: 0.5 };
  const path = join(tmpdir(), `glass-${process.pid}.png`);
  await writeFile(
    path,
    await sharp({ create: { width: 64, height: 64, channels: 4, background } })
      .png()
      .toBuffer(),
  );
  return (await suite.app.upload(path)).id;
}

beforeAll(async () => {
  photo = (await suite.app.upload('fixtures/media/panorama-poster.jpg')).id;
  glass = await uploadGlass();
});

const wall = (count = STILL): Written[] =>
  Array.from({ length: count }, (_, at) => ({
    element: 'image',
    name: `No. ${at}`,
    // None covers another.
    height: 14,
    file_id: photo,
    position_x: ((at % 26) - 13) * 30,
    position_y: Math.floor(at / 26) * 40 - 90,
    position_z: -150,
  }));

/** How many bytes of a color differ by more than what rounding does. */
function differing(one: Pixels, other: Pixels): number {
  let count = 0;
  for (let at = 0; at < one.data.length; at++) if (Math.abs(one.data[at]! - other.data[at]!) > 6) count++;
  return count / one.data.length;
}

/** Drags the element in the middle among others, and draws everything anew while it is held and something was done. */
async function drag(others: Written[], meanwhile?: (page: Page, ids: Record<string, number>) => Promise<void>) {
  const held: Written = { element: 'image', name: 'Held', height: 90, file_id: photo, rotation_y: 0.4 };
  const { id, ids } = await build([held, ...wall(), ...others]);
  const canvas = await open(id);
  const { page } = canvas;
  await canvas.press(await canvas.at(ids.Held!, [5, 5, 0]));
  // The edit window shows its image: not while two pictures are compared.
  await quiet(page);
  const from = await canvas.at(ids.Held!, [18, 0, 0]);
  const drawn = () => page.evaluate(() => window.enfiladeCanvas!.stage!.drawn.calls);
  await canvas.drag(from, { x: from.x + 90, y: from.y }, { release: false });
  await meanwhile?.(page, ids);
  await canvas.frames();
  const kept = { calls: await drawn(), image: await pixelsOf(page) };
  await page.evaluate(() => window.enfiladeCanvas!.stage!.invalidate());
  await canvas.frames(1);
  const anew = { calls: await drawn(), image: await pixelsOf(page) };
  await page.mouse.up();
  const moved = await canvas.element(ids.Held!);
  expect(canvas.faults).toEqual([]);
  expect(moved.position_x).toBeGreaterThan(30);
  return { kept, anew, difference: differing(kept.image, anew.image) };
}

/** Moves elements as others who edit the room do. */
const moveBy = (page: Page, ids: readonly number[], field: 'position_x' | 'position_y', by: number) =>
  page.evaluate(
    ([moved, name, way]) => {
      const { stage, tools } = window.enfiladeCanvas!;
      const { scene } = stage!;
      const commands = moved.map((id) => {
        const from = scene.elementOf(scene.entityOf(id)!)![name];
        return { type: 'element.update' as const, id, fields: { [name]: from + way } };
      });
      tools!.patch(...commands);
    },
    [ids, field, by] as const,
  );

describe('while one of many is dragged', () => {
  test('what stands still is not drawn anew, and nothing looks different', async () => {
    const front = { position_z: 60, position_x: 40 };
    const { kept, anew, difference } = await drag([
      { element: 'image', name: 'Glass', height: 60, file_id: glass, ...front },
      { element: 'html', name: 'Page', width: 80, height: 60, position_x: 90, config: { body: '<p>Words</p>' } },
      { element: 'text', name: 'Sign', position_x: 60, position_y: -60, position_z: -20, config: { text: 'Sign' } },
      { element: 'light', name: 'Lamp', position_y: 150, position_z: 100, config: { light_type: 'point_light' } },
      { element: 'view_point', name: 'View', position_x: 30, position_y: -120, position_z: -40 },
    ]);
    expect(anew.calls).toBeGreaterThan(STILL);
    expect(kept.calls).toBeLessThan(anew.calls - STILL / 2);
    expect(difference).toBeLessThan(0.0025);
  });

  test('what moves meanwhile of all that stood still is drawn where it is then', async () => {
    const { kept, anew, difference } = await drag([], (page, ids) =>
      moveBy(page, [ids['No. 12']!, ids['No. 13']!, ids['No. 14']!], 'position_y', -40),
    );
    expect(anew.calls).toBeGreaterThan(STILL);
    expect(kept.calls).toBeLessThan(anew.calls - STILL / 2);
    expect(difference).toBeLessThan(0.0025);
  });

  test('what comes into the room meanwhile is drawn, too', async () => {
    const { kept, anew, difference } = await drag([], (page, ids) =>
      page.evaluate((id) => {
        const other = { key: 'other', name: 'Somebody', color: '#00ff00', pointer: null, moving: [], together: null };
        window.enfiladeCanvas!.tools!.others.show([{ ...other, selection: [id] }], () => false);
      }, ids['No. 13']!),
    );
    expect(kept.calls).toBeLessThan(anew.calls - STILL / 2);
    expect(anew.calls).toBeGreaterThan(STILL);
    expect(difference).toBeLessThan(0.0025);
  });

  test('a room with shadows is drawn whole, for they fall on what stands still', async () => {
    const { kept } = await drag([
      {
        element: 'light',
        name: 'Sun',
        position_y: 200,
        config: { light_type: 'directional_light', cast_shadow: true },
      },
    ]);
    expect(kept.calls).toBeGreaterThan(STILL);
  });

  test.each([STILL, BATCHED])(
    'a graphics context that is lost takes the kept image of %i with it: everything is drawn anew',
    async (count) => {
      const held: Written = { element: 'image', name: 'Held', height: 90, file_id: photo, rotation_y: 0.4 };
      const { id, ids } = await build([held, ...wall(count)]);
      const canvas = await open(id);
      const { page } = canvas;
      await canvas.press(await canvas.at(ids.Held!, [5, 5, 0]));
      const from = await canvas.at(ids.Held!, [18, 0, 0]);
      await canvas.drag(from, { x: from.x + 90, y: from.y }, { release: false });
      const before = await pixelsOf(page);
      const extension = await page.evaluateHandle(
        () => window.enfiladeCanvas!.stage!.canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!,
      );
      const isLost = () =>
        page.evaluate(() => window.enfiladeCanvas!.stage!.canvas.getContext('webgl2')!.isContextLost());
      await extension.evaluate((each) => each.loseContext());
      await expect.poll(isLost).toBe(true);
      await canvas.frames(5);
      await extension.evaluate((each) => each.restoreContext());
      await expect.poll(isLost).toBe(false);
      await canvas.frames(5);
      await expect.poll(async () => differing(before, await pixelsOf(page))).toBeLessThan(0.02);
      await page.mouse.up();
    },
  );
});

describe('an edit in a room that stands still', () => {
  test('is drawn with one frame, and no other is asked for', async () => {
    const { id, ids } = await build(wall());
    const canvas = await open(id);
    const { page } = canvas;
    await canvas.stands();
    const count = await page.evaluate(async (moved) => {
      const { stage, tools } = window.enfiladeCanvas!;
      const ask = window.requestAnimationFrame;
      let asked = 0;
      window.requestAnimationFrame = (then) => {
        asked++;
        return ask(then);
      };
      const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
      // The stage looks at its clock once a second: the edit falls between two looks.
      while (asked === 0) await wait(5);
      await wait(50);
      const [drawn, before] = [stage!.frames, asked];
      tools!.patch({ type: 'element.update', id: moved, fields: { position_x: 25 } });
      await wait(300);
      return { drawn: stage!.frames - drawn, asked: asked - before };
    }, ids['No. 3']!);
    expect(count).toEqual({ drawn: 1, asked: 1 });
  });

  test('moves discs and pieces of page, and takes them back', async () => {
    const { id, ids } = await build([
      ...Array.from({ length: 60 }, (_, at): Written => {
        const place = { position_x: ((at % 20) - 10) * 30, position_y: Math.floor(at / 20) * 60 - 60, rotation_x: 1 };
        return { element: 'view_point', name: `View ${at}`, ...place, config: { pulse_radius: 12 } };
      }),
      { element: 'html', name: 'Page', width: 80, height: 60, position_y: 120, config: { body: '<p>Words</p>' } },
    ]);
    const canvas = await open(id);
    const { page } = canvas;
    const words = page.locator('.stage-panel').getByText('Words');
    const look = async () => ({ image: await pixelsOf(page), left: (await words.boundingBox())!.x });
    const moved = [ids['View 5']!, ids['View 6']!, ids.Page!];
    await canvas.frames();
    const before = await look();
    await moveBy(page, moved, 'position_x', 45);
    await canvas.frames();
    const after = await look();
    await moveBy(page, moved, 'position_x', -45);
    await canvas.frames();
    const again = await look();
    expect(differing(before.image, after.image)).toBeGreaterThan(0.001);
    expect(after.left).toBeGreaterThan(before.left + 10);
    expect(differing(before.image, again.image)).toBe(0);
    expect(again.left).toBe(before.left);
  });
});
