import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { sharedBrowser } from '../harness/browser.ts';
import { buildRoom, openCanvas } from '../harness/canvas-page.ts';
import { webSuite } from '../harness/web-suite.ts';
import { compareWithBaseline } from './elements/baseline.ts';
import { holdTime, idOf, newGuest, nextFrames, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();

/** The view point of its own baseline, as `elements-baselines.test.ts` draws it alone. */
const shown: Written = {
  element: 'view_point',
  name: 'Shown',
  position_y: -60,
  rotation_x: 0.5,
  config: { pulse_radius: 100 },
};
/** View points behind the camera. */
const others = (count: number) =>
  Array.from(
    { length: count },
    (_, index): Written => ({ element: 'view_point', name: `No. ${index}`, position_x: index, position_z: 500 }),
  );

/** Meshes that are drawn, and how many of them are sets of instances. */
const drawnIn = (page: Page) =>
  page.evaluate(() => {
    const drawn = { meshes: 0, instanced: 0, geometries: new Set<unknown>(), materials: new Set<unknown>() };
    const { three } = window.enfilade!.stage!;
    for (const element of three.children)
      element.traverseVisible((node) => {
        const mesh = node as typeof node & { isMesh?: boolean; isInstancedMesh?: boolean; map?: unknown } & Record<
            'geometry' | 'material',
            unknown
          >;
        if (!mesh.isMesh || element.userData.element_id === undefined) drawn.instanced += mesh.isInstancedMesh ? 1 : 0;
        else {
          drawn.meshes++;
          drawn.geometries.add(mesh.geometry);
          drawn.materials.add(mesh.material);
        }
      });
    const { meshes, instanced, geometries, materials } = drawn;
    return { meshes, instanced, geometries: geometries.size, materials: materials.size };
  });

describe('many alike', () => {
  test('fifty view points are drawn each by itself, more as instances that look the same and are pressed alike', async () => {
    const { app } = suite;
    // Its picture is compared with one that is kept.
    const guest = await newGuest(app, await sharedBrowser('exact'));
    const { page } = guest;
    await visitTree(app, guest, [shown, ...others(49)]);
    expect(await drawnIn(page)).toMatchObject({ meshes: 150, instanced: 0 });
    await visitTree(app, guest, [shown, ...others(60)]);
    expect(await drawnIn(page)).toMatchObject({ meshes: 0, instanced: 3 });
    await holdTime(page, 103.4);
    await nextFrames(page, 20);
    expect(await compareWithBaseline(page, 'view_point')).toBe(null);
    await page.mouse.click(240, 195);
    await expect.poll(() => page.evaluate(() => window.enfilade!.state.viewPoint)).toBe(await idOf(page, 'Shown'));
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('equal pictures share their texture, their plane and their material', async () => {
    const { app, browser } = suite;
    const { id: file_id } = await app.upload('fixtures/media/pictures/reeds-at-dusk.jpg');
    const guest = await newGuest(app, browser);
    const { page } = guest;
    const picture = (change: Partial<Written>) => ({ element: 'image', file_id, width: 80, ...change }) as Written;
    const memory = () => page.evaluate(() => window.enfilade!.stage!.memory);
    await visitTree(app, guest, [picture({ name: 'alone' })]);
    await nextFrames(page, 10);
    const alone = await memory();
    await visitTree(app, guest, [
      ...Array.from({ length: 20 }, (_, index) => picture({ name: `${index}`, position_x: index * 20 - 200 })),
      picture({ name: 'wider', width: 120, position_y: 120 }),
      picture({ name: 'bright', ignore_light: true, position_y: -120 }),
    ]);
    expect(await drawnIn(page)).toEqual({ meshes: 22, instanced: 0, geometries: 2, materials: 2 });
    await expect.poll(memory).toEqual({ ...alone, geometries: alone.geometries + 1, views: 22 });
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('equal pictures free what they share with the last of them', async () => {
    const { app, browser } = suite;
    const { id: file_id } = await app.upload('fixtures/media/pictures/reeds-at-dusk.jpg');
    const picture = (name: string) => ({ element: 'image', name, file_id, width: 80 }) as Written;
    const { id, ids } = await buildRoom(app, ['First', 'Second', 'Third'].map(picture));
    const canvas = await openCanvas(app, browser, id);
    const memory = () => canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.memory);
    const remove = (wanted: number) =>
      canvas.page.evaluate((each) => window.enfiladeCanvas!.tools!.patch({ type: 'element.remove', id: each }), wanted);
    await expect.poll(async () => (await memory()).views).toBe(3);
    await canvas.frames();
    const all = await memory();
    await remove(ids.Third!);
    await remove(ids.Second!);
    await expect.poll(memory).toEqual({ ...all, views: 1 });
    await remove(ids.First!);
    const { textures, geometries } = all;
    await expect.poll(memory).toEqual({ textures: textures - 1, geometries: geometries - 1, views: 0 });
    await canvas.close();
  });
});
