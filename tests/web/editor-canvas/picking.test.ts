import { describe, expect, test } from 'vitest';
import { buildRoom, type Written } from '../../harness/canvas-page.ts';
import { sharedCanvas } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
const open = sharedCanvas(suite);

const letters = (name: string, fields: Partial<Written> = {}): Written => ({
  element: 'html',
  name,
  width: 100,
  height: 100,
  ...fields,
  config: { body: `<button onclick="document.title='pressed'">${name}</button>` },
});

describe('picking on the canvas', () => {
  test('a page of the room is outlined under the pointer, selected by a press, and its own buttons stay still', async () => {
    const { id, ids } = await buildRoom(suite.app, [
      letters('Left', { position_x: -140 }),
      letters('Right', { position_x: 140 }),
    ]);
    const canvas = await open(id);
    const left = await canvas.at(ids.Left!);
    await canvas.page.mouse.move(left.x, left.y);
    await expect.poll(() => canvas.outlined()).toEqual({ selected: null, hovered: ids.Left });
    await canvas.press(left);
    expect(await canvas.outlined()).toEqual({ selected: ids.Left, hovered: null });
    expect(await canvas.draws('handles')).toBe(true);
    expect(await canvas.page.title()).not.toBe('pressed');
    await canvas.press(await canvas.at(ids.Right!));
    expect((await canvas.outlined()).selected).toBe(ids.Right);
    // The middle between them is the wall.
    await canvas.press(await canvas.at(ids.Right!, [-140, 120, 0]));
    expect((await canvas.outlined()).selected).toBeNull();
    expect(canvas.faults).toEqual([]);
  });

  test('a page is selected from all sides, from near and far, and where it is seen at a slant', async () => {
    const { id, ids } = await buildRoom(suite.app, [letters('Page', { position_z: -100, rotation_y: 0.5 })]);
    const canvas = await open(id);
    const selected: number[][] = [];
    const places = [
      [0, 0, 400],
      [0, 0, 0],
      [0, 300, 0],
      [400, 0, -300],
      [-500, 0, -100],
      [0, 0, -900],
      [100, -200, -400],
      [0, 0, 3000],
    ] as const;
    for (const place of places) {
      await canvas.page.evaluate(([x, y, z]) => {
        const { stage } = window.enfiladeCanvas!;
        stage!.rig.moveTo({ x, y, z }, { x: 0, y: 0, z: -100 }, undefined, false);
        stage!.refresh();
      }, place);
      await canvas.frames();
      await canvas.press(await canvas.at(ids.Page!));
      if ((await canvas.outlined()).selected === ids.Page) selected.push([...place]);
      await canvas.key('Escape');
    }
    expect(selected).toEqual(places);
  });

  test('what can neither be seen nor edited is not picked; what stands in front is', async () => {
    const { id, ids } = await buildRoom(suite.app, [
      letters('Behind', { position_z: -200 }),
      letters('Locked', { position_x: -200, editable: false }),
      letters('Hidden', { position_z: 50, hidden: true }),
      letters('Closed', { position_x: 140, start_time: '00:00', end_time: '00:01', utc_offset: 720 }),
    ]);
    const canvas = await open(id);
    await canvas.press(await canvas.at(ids.Locked!));
    expect((await canvas.outlined()).selected).toBeNull();
    await canvas.press(await canvas.at(ids.Behind!));
    expect((await canvas.outlined()).selected).toBe(ids.Behind);
    await canvas.press(await canvas.at(ids.Closed!));
    expect((await canvas.outlined()).selected, 'outside of its window it is there to be edited').toBe(ids.Closed);
  });

  test('a solid mesh of many triangles is picked where it is, and not beside it', async () => {
    const file = await suite.app.upload('fixtures/media/orrery.glb');
    const { id, ids } = await buildRoom(suite.app, [
      { element: 'model', name: 'Orrery', width: 200, height: 200, depth: 200, file_id: file.id },
    ]);
    const canvas = await open(id);
    const trees = () =>
      canvas.page.evaluate((wanted) => {
        let count = 0;
        window.enfiladeCanvas!.stage!.viewOf(wanted)!.object.traverse((node) => {
          if ((node as { geometry?: { boundsTree?: unknown } }).geometry?.boundsTree) count++;
        });
        return count;
      }, ids.Orrery!);
    await canvas.press(await canvas.at(ids.Orrery!, [0, 0, 0]));
    expect((await canvas.outlined()).selected).toBe(ids.Orrery);
    expect(await trees()).toBeGreaterThan(0);
    await canvas.key('Escape');
    await canvas.press(await canvas.at(ids.Orrery!, [140, 140, 0]));
    expect((await canvas.outlined()).selected).toBeNull();
  });

  test('a press means the group, a double press goes into it, and nothing leads out again', async () => {
    const { id, ids } = await buildRoom(suite.app, [
      {
        element: 'group',
        name: 'Outer',
        children: [
          { element: 'group', name: 'Inner', children: [letters('Page')] },
          letters('Other', { position_x: 200 }),
        ],
      },
    ]);
    const canvas = await open(id);
    const selected = async () => (await canvas.outlined()).selected;
    const { x, y } = await canvas.at(ids.Page!, [30, 30, 0]);
    await canvas.press({ x, y });
    expect(await selected()).toBe(ids.Outer);
    await canvas.page.waitForTimeout(600);
    await canvas.page.mouse.dblclick(x, y);
    await canvas.frames();
    expect(await selected()).toBe(ids.Inner);
    const entered = () =>
      canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.three.getObjectByName('entered')!.userData.element_ids);
    expect(await entered(), 'its box shows where one is').toEqual([ids.Outer]);
    await canvas.page.waitForTimeout(600);
    // Two presses that the browser does not take for a double click.
    await canvas.page.mouse.click(x, y);
    await canvas.page.mouse.click(x + 8, y);
    await canvas.frames();
    expect(await selected()).toBe(ids.Page);
    await canvas.key('Escape');
    expect(await selected()).toBeNull();
    expect(await canvas.draws('entered')).toBe(false);
    await canvas.press({ x, y });
    expect(await selected()).toBe(ids.Outer);
  });

  test('a light is picked by its mark; its shape shows while it is selected', async () => {
    const { id, ids } = await buildRoom(suite.app, [
      { element: 'light', name: 'Lamp', position_x: -100, config: { light_type: 'spot_light', distance: 200 } },
      letters('Page', { position_x: 110 }),
    ]);
    const canvas = await open(id);
    expect(await canvas.draws('property-lines')).toBe(false);
    await canvas.press(await canvas.at(ids.Lamp!));
    expect((await canvas.outlined()).selected).toBe(ids.Lamp);
    expect(await canvas.draws('property-lines')).toBe(true);
    await canvas.press(await canvas.at(ids.Page!, [20, 20, 0]));
    expect(await canvas.draws('property-lines')).toBe(false);
  });
});
