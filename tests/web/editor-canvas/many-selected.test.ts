import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildRoom, type CanvasPage, openCanvas, type Written } from '../../harness/canvas-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
let canvas: CanvasPage;
let ids: Record<string, number>;

const LINK = { type: 'url', type_config: { url: 'https://example.com/' } };

const page = (name: string, fields: Partial<Written> = {}): Written => ({
  element: 'html',
  name,
  width: 80,
  height: 80,
  ...fields,
  config: { body: `<p>${name}</p>`, ...fields.config },
});

beforeAll(async () => {
  const room = await buildRoom(suite.app, [
    page('A', { position_x: -150, config: { navigation: LINK } }),
    page('B', { position_x: 0, position_y: 40 }),
    page('C', { position_x: 150, rotation_y: 0.3 }),
    { element: 'light', name: 'Lamp', position_y: -120 },
  ]);
  ids = room.ids;
  canvas = await openCanvas(suite.app, suite.browser, room.id);
});
afterAll(() => canvas?.close());
// Every test begins with the room as it was made.
beforeEach(async () => {
  for (let step = 0; step < 20 && (await undoable()); step++) await canvas.key('Control+z');
  await canvas.key('Escape');
});

const undoable = () => canvas.page.getByRole('button', { name: 'Undo' }).isEnabled();
const placeOf = async (name: string) => {
  const { position_x: x, position_y: y, position_z: z } = await canvas.element(ids[name]!);
  return { x, y, z };
};
const named = async () => {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return (await canvas.selectedIds()).map((id) => names.get(id) ?? 'new');
};

describe('selecting many', () => {
  test('Shift and Ctrl with a press, a box, the keys and the tree select many; the tree shows which', async () => {
    await canvas.press(await canvas.at(ids.A!));
    await canvas.page.keyboard.down('Shift');
    await canvas.press(await canvas.at(ids.B!));
    await canvas.page.keyboard.up('Shift');
    expect(await named()).toEqual(['A', 'B']);
    await canvas.page.keyboard.down('Control');
    await canvas.press(await canvas.at(ids.C!));
    await canvas.press(await canvas.at(ids.A!, [30, 30, 0]));
    await canvas.page.keyboard.up('Control');
    expect(await named()).toEqual(['B', 'C']);
    await canvas.page.getByRole('region', { name: 'Selection window' }).getByText('2 elements').waitFor();
    const rows = canvas.page.getByRole('tree', { name: 'Elements' });
    expect(await rows.locator('[aria-selected="true"]').allTextContents()).toEqual(['B', 'C']);
    await canvas.key('Control+a');
    expect((await named()).toSorted()).toEqual(['A', 'B', 'C', 'Lamp']);
    await canvas.key('Escape');
    expect(await named()).toEqual([]);
    // A box around the two on the left; the camera stands still meanwhile.
    const before = await canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.camera.quaternion.toArray());
    await canvas.page.keyboard.down('Shift');
    await canvas.drag(await canvas.at(ids.A!, [-60, 100, 0]), await canvas.at(ids.B!, [60, -90, 0]));
    await canvas.page.keyboard.up('Shift');
    expect(await named()).toEqual(['A', 'B']);
    expect(await canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.camera.quaternion.toArray())).toEqual(before);
    await canvas.key('Control+i');
    expect(await named()).toEqual(['C', 'Lamp']);
    await canvas.key('Escape');
    await canvas.key('b');
    await canvas.drag(await canvas.at(ids.C!, [60, 60, 0]), await canvas.at(ids.C!, [-60, -60, 0]));
    expect(await named()).toEqual(['C']);
    await canvas.key('Control+Shift+a');
    expect(await named(), 'of the same type; the one that was selected is active').toEqual(['A', 'B', 'C']);
    await rows.getByRole('button', { name: 'A', exact: true }).click();
    await rows.getByRole('button', { name: 'C', exact: true }).click({ modifiers: ['Shift'] });
    await canvas.frames();
    expect((await named()).toSorted()).toEqual(['A', 'B', 'C']);
    await rows.getByRole('button', { name: 'B', exact: true }).click({ modifiers: ['Control'] });
    await canvas.frames();
    expect((await named()).toSorted()).toEqual(['A', 'C']);
    // By the keyboard alone: Enter with Shift takes all between, with Ctrl one more or less.
    const row = (name: string) => rows.getByRole('treeitem', { name, exact: true });
    await row('A').press('Enter');
    await row('C').press('Shift+Enter');
    await canvas.frames();
    expect((await named()).toSorted()).toEqual(['A', 'B', 'C']);
    await row('B').press('Control+Enter');
    await canvas.frames();
    expect((await named()).toSorted()).toEqual(['A', 'C']);
  });
});

describe('many as one', () => {
  const selectAll3 = async () => {
    await canvas.press(await canvas.at(ids.A!));
    await canvas.key('Control+Shift+a');
    await canvas.frames();
  };

  test('arrows move all as one step; turning and sizing go about the chosen pivot', async () => {
    await selectAll3();
    const before = await Promise.all(['A', 'B', 'C'].map(placeOf));
    await canvas.key('q');
    await canvas.key('ArrowUp');
    const after = await Promise.all(['A', 'B', 'C'].map(placeOf));
    const up = after[0]!.y - before[0]!.y;
    expect(up).toBeGreaterThanOrEqual(10);
    expect(after).toEqual(before.map(({ x, y, z }) => ({ x, y: y + up, z })));
    await canvas.key('Control+z');
    expect(await Promise.all(['A', 'B', 'C'].map(placeOf)), 'one step of the history').toEqual(before);
    await canvas.key('e');
    await canvas.key('ArrowRight');
    const [a, , c] = await Promise.all(['A', 'B', 'C'].map(placeOf));
    const { scale_x: factor } = await canvas.element(ids.A!);
    expect(factor).toBeGreaterThan(1.05);
    expect(c!.x - a!.x, 'farther from each other by as much').toBeCloseTo(300 * factor, -1);
    await canvas.key('Control+z');
    await canvas.page.getByLabel('Pivot').first().click();
    await canvas.page.getByRole('option', { name: 'Each about itself' }).click();
    await canvas.page.getByRole('application', { name: 'Room' }).focus();
    await canvas.key('r');
    await canvas.key('ArrowRight');
    expect(await Promise.all(['A', 'B', 'C'].map(placeOf))).toEqual(before);
    const turned = (await canvas.element(ids.A!)).rotation_y;
    expect(turned).toBeGreaterThan(0.04);
    expect((await canvas.element(ids.C!)).rotation_y).toBeCloseTo(0.3 + turned, 5);
    await canvas.key('w');
    await canvas.key('q');
  });

  test('their outlines go along while they are dragged, turned and put back, and are worked out anew only where need be', async () => {
    await selectAll3();
    /** How far the outlines stand from what they are around, units; and how often they were worked out. */
    const outlines = () =>
      canvas.page.evaluate(() => {
        const { three, scene } = window.enfiladeCanvas!.stage!;
        const { geometry, material, userData } = three.getObjectByName('selected') as import('three').Mesh<
          import('three').BufferGeometry,
          import('three').ShaderMaterial
        >;
        const { array, version } = geometry.attributes.box as import('three').InstancedBufferAttribute;
        const shift = material.uniforms.shift!.value.toArray() as number[];
        const world = new Float32Array(16);
        const away = (userData.element_ids as number[]).map((id, at) => {
          scene.worldMatrix(scene.entityOf(id)!, world);
          return Math.hypot(...[0, 1, 2].map((axis) => array[at * 16 + 12 + axis]! + shift[axis]! - world[12 + axis]!));
        });
        return { away: Math.max(...away), count: away.length, version, moved: Math.hypot(...shift) };
      });
    const from = await canvas.at(ids.A!, [20, 20, 0]);
    await canvas.drag(from, { x: from.x + 40, y: from.y - 20 }, { release: false });
    const early = await outlines();
    await canvas.page.mouse.move(from.x + 90, from.y - 40, { steps: 4 });
    await canvas.frames();
    const late = await outlines();
    expect([late.count, late.version], 'as one, they are only shifted').toEqual([3, early.version]);
    expect(late.moved).toBeGreaterThan(20);
    expect(late.away).toBeLessThan(2);
    await canvas.page.mouse.up();
    await canvas.frames();
    expect(await outlines()).toMatchObject({ count: 3, moved: 0 });
    expect((await outlines()).away).toBeLessThan(2);
    await canvas.key('r');
    await canvas.key('ArrowRight');
    expect((await outlines()).away).toBeLessThan(2);
    await canvas.key('Control+z');
    await canvas.key('Control+z');
    expect((await outlines()).away).toBeLessThan(2);
    await canvas.key('w');
  });

  test('the window aligns, distributes, sizes and sets what all have; a group is made in place and taken apart', async () => {
    await selectAll3();
    const panel = canvas.page.getByRole('region', { name: 'Selection window' });
    const press = async (name: string) => {
      await panel.getByRole('button', { name, exact: true }).click();
      await canvas.frames();
    };
    await press('Align centers up');
    const ys = await Promise.all(['A', 'B', 'C'].map(async (name) => (await placeOf(name)).y));
    expect(new Set(ys), 'all as high as the last selected').toEqual(new Set([ys[0]]));
    const width = panel.getByLabel('Width (units)');
    expect(await width.inputValue()).toBe('80');
    await width.fill('300/5');
    await width.press('Enter');
    expect(await Promise.all(['A', 'B', 'C'].map(async (name) => (await canvas.element(ids[name]!)).width))).toEqual([
      60, 60, 60,
    ]);
    await press('Same link');
    const links = await Promise.all(['B', 'C'].map(async (name) => (await canvas.element(ids[name]!)).config));
    expect(links).toMatchObject([{ navigation: LINK }, { navigation: LINK }]);
    const x = panel.getByLabel('Position X');
    expect([await x.inputValue(), await x.getAttribute('placeholder')]).toEqual(['', 'Mixed']);
    const places = await Promise.all(['A', 'B', 'C'].map((name) => canvas.at(ids[name]!)));
    await press('Group');
    const [group] = await canvas.selectedIds();
    await expect.poll(() => canvas.selectedIds()).toHaveLength(1);
    const made = await canvas.element((await canvas.selectedIds())[0] ?? group!);
    expect(made).toMatchObject({ element: 'group' });
    const inGroup = await canvas.page.evaluate(
      (parent) =>
        window.enfiladeCanvas!.document.room.elements.filter(({ parent_element_id }) => parent_element_id === parent)
          .length,
      made.id,
    );
    expect(inGroup).toBe(3);
    expect(await Promise.all(['A', 'B', 'C'].map((name) => canvas.at(ids[name]!)))).toEqual(places);
    await canvas.key('Control+Shift+g');
    expect((await named()).toSorted()).toEqual(['A', 'B', 'C']);
    expect(await Promise.all(['A', 'B', 'C'].map((name) => canvas.at(ids[name]!)))).toEqual(places);
    await press('Lock');
    expect(await named()).toEqual([]);
    expect((await canvas.element(ids.B!)).editable).toBe(false);
    const row = canvas.page.getByRole('tree', { name: 'Elements' }).locator(`[data-id="${ids.B}"]`);
    await row.hover();
    await row.getByRole('button', { name: 'Unlock B' }).click();
    await canvas.frames();
    expect(await named(), 'what is unlocked is selected').toEqual(['B']);
    await canvas.key('Control+z');
    await canvas.key('Control+z');
    await selectAll3();
    await canvas.key('Delete');
    await canvas.page.getByRole('dialog').getByText('Are you sure you want to remove 3 elements?').waitFor();
    await canvas.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect
      .poll(() => canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.scene.room.elements.length))
      .toBe(1);
    await canvas.key('Control+z');
    await canvas.frames();
    expect(await placeOf('A')).toMatchObject({ x: -150 });
    expect(canvas.faults).toEqual([]);
  });
});
