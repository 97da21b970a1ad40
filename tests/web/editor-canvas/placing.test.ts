import { describe, expect, test } from 'vitest';
import { buildRoom, type CanvasPage, type Written } from '../../harness/canvas-page.ts';
import { sharedCanvas } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
const open = sharedCanvas(suite);

const page = (name: string, fields: Partial<Written> = {}): Written => ({
  element: 'html',
  name,
  width: 100,
  height: 100,
  ...fields,
  config: { body: `<p>${name}</p>` },
});

describe('dragging an element itself', () => {
  test('it lies on the wall under the pointer, turns to the next one, snaps to its neighbor, and is one step', async () => {
    const { id, ids } = await buildRoom(suite.app, [
      page('A', { position_x: -250, position_z: -590 }),
      page('B', { position_x: 100, position_y: -37, position_z: -590 }),
      {
        element: 'model',
        name: 'Orrery',
        position_y: -200,
        position_z: -200,
        file_id: (await suite.app.upload('fixtures/media/orrery.glb')).id,
      },
    ]);
    const canvas = await open(id);
    const placeOf = async (name: string) => {
      const { position_x: x, position_y: y, position_z: z, rotation_y: turn } = await canvas.element(ids[name]!);
      return { x, y, z, turn };
    };
    // Not selected, it leaves the drag to the camera.
    const look = () => canvas.page.evaluate(() => window.enfiladeCanvas!.stage!.camera.quaternion.y);
    const before = await placeOf('B');
    await canvas.drag(await canvas.at(ids.B!, [20, 30, 0]), await canvas.at(ids.B!, [60, 30, 0]));
    expect(await placeOf('B')).toEqual(before);
    await expect.poll(look).not.toBe(0);
    await canvas.page.evaluate(() => {
      window.enfiladeCanvas!.stage!.rig.reset(false);
      window.enfiladeCanvas!.stage!.refresh();
    });
    await canvas.stands();
    // Along its own wall it keeps its distance, and comes to the height of its neighbor when it is near that.
    await canvas.press(await canvas.at(ids.B!, [-40, -40, 0]));
    await canvas.drag(await canvas.at(ids.B!, [-40, -40, 0]), await canvas.at(ids.B!, [10, -40 + 34, 0]), {
      release: false,
    });
    // Nothing but guides stands before what is carried.
    expect([await canvas.draws('guides'), await canvas.draws('handles')]).toEqual([true, false]);
    await canvas.page.mouse.up();
    await canvas.frames();
    const along = await placeOf('B');
    expect({ y: along.y, z: along.z, turn: along.turn }).toEqual({ y: 0, z: -590, turn: 0 });
    expect(along.x).toBeGreaterThan(130);
    expect([await canvas.draws('guides'), await canvas.draws('handles')]).toEqual([false, true]);
    // Onto the wall on the right, to which it turns.
    const from = await canvas.at(ids.B!, [-40, -40, 0]);
    const wall = await canvas.seen([500, 0, -250]);
    await canvas.drag(from, { x: wall.x, y: from.y });
    const turned = await placeOf('B');
    expect(turned.turn).toBeCloseTo(-Math.PI / 2, 5);
    expect(turned.x).toBe(490);
    await canvas.key('Control+z');
    await canvas.frames();
    expect(await placeOf('B'), 'one step').toEqual(along);
    // Esc in the middle puts it back.
    await canvas.drag(from, { x: from.x - 200, y: from.y }, { release: false });
    await canvas.key('Escape');
    await canvas.page.mouse.up();
    await canvas.frames();
    expect(await placeOf('B')).toEqual(along);
    // With Alt a copy is put down there, which is selected; what was dragged stays.
    await canvas.press(await canvas.at(ids.B!, [-40, -40, 0]));
    const grip = await canvas.at(ids.B!, [-40, -40, 0]);
    await canvas.page.keyboard.down('Alt');
    await canvas.drag(grip, { x: grip.x, y: grip.y - 90 });
    await canvas.page.keyboard.up('Alt');
    const named = () =>
      canvas.page.evaluate(() =>
        window.enfiladeCanvas!.document.room.elements.flatMap((each) =>
          each.name.startsWith('B') ? [[each.name, each.position_x, each.position_y > 40]] : [],
        ),
      );
    await expect.poll(named).toEqual([
      ['B', along.x, false],
      ['B 2', expect.any(Number), true],
    ]);
    expect(await canvas.selectedIds()).not.toEqual([ids.B]);
    expect(await placeOf('B')).toEqual(along);
    await canvas.key('Control+z');
    await expect.poll(named).toHaveLength(1);
    await canvas.key('Escape');
    // A body rests on its base, wherever on the floor it is brought.
    const lowest = () =>
      canvas.page.evaluate((wanted) => {
        const { object } = window.enfiladeCanvas!.stage!.viewOf(wanted)!;
        let low = Number.POSITIVE_INFINITY;
        object.updateWorldMatrix(true, true);
        object.traverse((node) => {
          const mesh = node as unknown as { isMesh?: boolean; geometry: import('three').BufferGeometry };
          if (!mesh.isMesh) return;
          mesh.geometry.computeBoundingBox();
          low = Math.min(low, mesh.geometry.boundingBox!.clone().applyMatrix4(node.matrixWorld).min.y);
        });
        return low;
      }, ids.Orrery!);
    await canvas.press(await canvas.at(ids.Orrery!));
    await canvas.key(' ');
    const body = await canvas.at(ids.Orrery!);
    await canvas.drag(body, { x: body.x + 120, y: body.y + 60 });
    await canvas.frames();
    expect(await lowest()).toBeCloseTo(-300, 0);
    expect((await placeOf('Orrery')).x).toBeGreaterThan(20);
    expect(canvas.faults).toEqual([]);
  });
});

describe('new elements', () => {
  const add = async ({ page: tab }: CanvasPage, label: string) => {
    await tab
      .getByRole('dialog', { name: 'Add an item' })
      .getByRole('button', { name: new RegExp(`^${label}`) })
      .click();
    await tab.getByRole('region', { name: 'Edit window' }).waitFor();
  };
  const places = ({ page: tab }: CanvasPage) =>
    tab.evaluate(() =>
      window.enfiladeCanvas!.document.room.elements.map(
        ({ position_x: x, position_y: y, position_z: z, rotation_y }) => ({
          at: [x, y, z],
          turn: rotation_y,
        }),
      ),
    );
  const look = async (canvas: CanvasPage, from: number[], to: number[]) => {
    await canvas.page.evaluate(
      ([[x, y, z], [tx, ty, tz]]) => {
        const stage = window.enfiladeCanvas!.stage!;
        stage.rig.moveTo({ x: x!, y: y!, z: z! }, { x: tx!, y: ty!, z: tz! }, undefined, false);
        stage.refresh();
      },
      [from, to] as const,
    );
    await canvas.stands();
  };

  test('go to x − 100, y, z − 400 of the camera, along its own view, whatever surface is nearer', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    const { page: tab } = canvas;
    const addButton = tab.getByRole('button', { name: 'Add an item' });
    await addButton.click();
    await add(canvas, 'Rich text');
    expect(await places(canvas)).toEqual([{ at: [-100, 0, 0], turn: 0 }]);
    // To the right: what is ahead of the camera is on its x axis.
    await look(canvas, [0, 20, 100], [100, 20, 100]);
    await canvas.key('Escape');
    await canvas.key('a');
    await add(canvas, 'Light');
    const [, light] = await places(canvas);
    expect(light!.at).toEqual([400, 20, 0]);
    await addButton.click();
    await add(canvas, 'Group');
    await canvas.page.keyboard.press('Escape');
    const [, , beside] = await places(canvas);
    expect(beside!.at, 'the place is taken').not.toEqual([400, 20, 0]);
    await look(canvas, [0, 0, 450], [100, 0, 450]);
    await addButton.click();
    await add(canvas, 'Rich text');
    const text = (await places(canvas)).at(-1)!;
    expect(text.at).toEqual([400, 0, 350]);
    expect(text.turn, 'it faces the camera').toBeCloseTo(-Math.PI / 2, 5);
    expect(canvas.faults).toEqual([]);
  });

  test('go on the surface where the menu of the canvas was opened, beside what is there, and within the room', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    const { page: tab } = canvas;
    await look(canvas, [0, 0, 0], [100, 0, 0]);
    const wall = await canvas.seen([500, 0, 0]);
    const addHere = async () => {
      await tab.mouse.move(wall.x, wall.y);
      await canvas.frames();
      await tab.mouse.click(wall.x, wall.y, { button: 'right' });
      await tab.getByRole('menuitem', { name: /^Add an item/ }).click();
    };
    for (let count = 0; count < 3; count++) {
      await addHere();
      await add(canvas, 'Rich text');
    }
    const three = await places(canvas);
    expect(three[0]!.at[0]).toBe(490);
    expect(three[0]!.turn, 'it faces away from the wall').toBeCloseTo(-Math.PI / 2, 5);
    const zs = three.map(({ at }) => at[2]!).toSorted((a, b) => a - b);
    for (const [nth, z] of zs.entries()) if (nth > 0) expect(z - zs[nth - 1]!).toBeGreaterThanOrEqual(190);
    for (const z of zs) expect(Math.abs(z)).toBeLessThanOrEqual(600);
    // A menu whose dialog was closed places nothing later.
    await addHere();
    await tab.getByRole('dialog', { name: 'Add an item' }).waitFor();
    await tab.keyboard.press('Escape');
    await tab.getByRole('dialog', { name: 'Add an item' }).waitFor({ state: 'hidden' });
    await tab.getByRole('button', { name: 'Add an item' }).click();
    await add(canvas, 'Rich text');
    expect((await places(canvas)).at(-1)!.at).toEqual([400, 0, -100]);
    expect(canvas.faults).toEqual([]);
  });
});

test('steps along the own axes of what is turned lead exactly back, and none of them drifts', async () => {
  const { id, ids } = await buildRoom(suite.app, [page('Turned', { rotation_y: 0.7 })]);
  const canvas = await open(id);
  await canvas.press(await canvas.at(ids.Turned!, [10, 35, 0]));
  const place = async () => {
    const { position_x: x, position_y: y, position_z: z } = await canvas.element(ids.Turned!);
    return { x, y, z };
  };
  // Steps of which every one is its own: a key that is held on a busy machine may step twice.
  const step = (key: string) =>
    canvas.page.evaluate((pressed) => {
      const { machine } = window.enfiladeCanvas!;
      machine.send({ type: 'key.down', key: pressed as 'ArrowLeft' });
      machine.send({ type: 'key.up', key: pressed as 'ArrowLeft' });
    }, key);
  for (let count = 0; count < 10; count++) await step('ArrowRight');
  const { x, z } = await place();
  expect(x).toBe(Math.floor(100 * Math.cos(0.7)));
  expect(z).toBe(Math.floor(-100 * Math.sin(0.7)));
  for (let count = 0; count < 10; count++) await step('ArrowLeft');
  expect(await place()).toEqual({ x: 0, y: 0, z: 0 });
});
