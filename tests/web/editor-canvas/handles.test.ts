import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOKED_AT } from '../../harness/browser.ts';
import { buildRoom, type CanvasPage, openCanvas } from '../../harness/canvas-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
let canvas: CanvasPage;
let id: number;

beforeAll(async () => {
  const room = await buildRoom(suite.app, [
    { element: 'html', name: 'Page', width: 100, height: 100, config: { body: '<p>Page</p>' } },
  ]);
  id = room.ids.Page!;
  // A turn of the wheel counts in pixels of the screen.
  canvas = await openCanvas(suite.app, suite.browser, room.id, LOOKED_AT);
});
afterAll(() => canvas?.close());

/** Puts everything back to where it was, selected, with nothing toggled. */
async function fresh(): Promise<void> {
  await canvas.page.evaluate((wanted) => {
    const store = window.enfiladeCanvas!;
    const zero = { position_x: 0, position_y: 0, position_z: 0, rotation_x: 0, rotation_y: 0, rotation_z: 0 };
    store.tools!.patch({
      type: 'element.update',
      id: wanted,
      fields: { ...zero, scale_x: 1, scale_y: 1, scale_z: 1 },
    });
    store.send({ type: 'mode.set', mode: 'translate' });
    store.tools!.camera.release();
    store.stage!.rig.reset(false);
    store.stage!.invalidate();
  }, id);
  await canvas.frames();
  if ((await canvas.outlined()).selected !== id) await canvas.press(await canvas.at(id, [30, 30, 0]));
  expect((await canvas.outlined()).selected).toBe(id);
}

const positionOf = async () => {
  const { position_x: x, position_y: y, position_z: z } = await canvas.element(id);
  return { x, y, z };
};

describe('dragging the handles', () => {
  test('the arrow of an axis moves along it only, in whole units, shown while it goes on', async () => {
    await fresh();
    const from = await canvas.at(id, [40, 0, 0]);
    const to = await canvas.at(id, [140.5, 30, 0]);
    await canvas.drag(from, to, { release: false });
    const shown = () => canvas.page.evaluate(() => window.enfiladeCanvas!.live!.position.x);
    await expect.poll(shown).toBeCloseTo(100, -1);
    const handlesShown = () =>
      canvas.page.evaluate(() => {
        const { children } = window.enfiladeCanvas!.stage!.three.getObjectByName('handles')!;
        return children.filter(({ visible }) => visible).length;
      });
    expect(await handlesShown(), 'the others are out of the way').toBe(1);
    expect(await positionOf(), 'the document waits for the end').toEqual({ x: 0, y: 0, z: 0 });
    expect((await canvas.at(id)).x - from.x, 'it follows the pointer').toBeGreaterThan((to.x - from.x) * 0.5);
    await canvas.page.mouse.up();
    await canvas.frames();
    const { x, y, z } = await positionOf();
    expect(x).toBeCloseTo(100, -1);
    expect(Number.isInteger(x)).toBe(true);
    expect({ y, z }).toEqual({ y: 0, z: 0 });
    expect((await canvas.outlined()).selected, 'a drag is no press').toBe(id);
    expect(await handlesShown()).toBeGreaterThan(1);
  });

  test('Esc during a drag puts the element back, and nothing is changed', async () => {
    await fresh();
    await canvas.drag(await canvas.at(id, [40, 0, 0]), await canvas.at(id, [140, 0, 0]), { release: false });
    await canvas.key('Escape');
    await canvas.page.mouse.up();
    await canvas.frames();
    expect(await positionOf()).toEqual({ x: 0, y: 0, z: 0 });
    expect((await canvas.outlined()).selected).toBe(id);
    const camera = await canvas.page.evaluate(() => window.enfiladeCanvas!.camera);
    expect(camera).toEqual({ x: 0, y: 0, z: 400 });
  });

  test('with Shift a drag snaps to hundreds; with snapping to whole units', async () => {
    await fresh();
    await canvas.page.keyboard.down('Shift');
    await canvas.drag(await canvas.at(id, [40, 0, 0]), await canvas.at(id, [110, 0, 0]));
    await canvas.page.keyboard.up('Shift');
    expect((await positionOf()).x).toBe(100);
    // The step is one's own.
    const { page } = canvas;
    const choose = async (step: string) => {
      await page.getByRole('button', { name: 'Steps and eye level' }).click();
      await page.getByLabel('Step of moving').first().click();
      await page.getByRole('option', { name: step, exact: true }).click();
      await page.keyboard.press('Escape');
      await page.getByText('Step of moving').waitFor({ state: 'detached' });
    };
    await choose('50 units');
    await fresh();
    await canvas.drag(await canvas.at(id, [40, 0, 0]), await canvas.at(id, [103, 0, 0]));
    expect((await positionOf()).x).toBe(50);
    await choose('1 unit');
  });

  test('the ring of an axis turns around it, in steps of 15 degrees unless snapping is switched off', async () => {
    await fresh();
    await canvas.key('r');
    // The ring around z lies in the picture's plane.
    const radius = await canvas.page.evaluate(() => {
      const { camera } = window.enfiladeCanvas!.stage!;
      // Half of the handles' size: a seventh of the picture's height at their distance.
      return (camera.position.z * Math.min((1.9 * Math.tan((Math.PI * camera.fov) / 360)) / camera.zoom, 7)) / 4;
    });
    const half = radius * 0.5 * Math.SQRT1_2;
    await canvas.drag(await canvas.at(id, [half, half, 0]), await canvas.at(id, [-half, half * 1.2, 0]));
    const { rotation_x, rotation_y, rotation_z } = await canvas.element(id);
    expect(rotation_x).toBeCloseTo(0);
    expect(rotation_y).toBeCloseTo(0);
    expect(Math.abs(rotation_z)).toBeGreaterThan(0.2);
    const steps = rotation_z / (Math.PI / 12);
    expect(steps - Math.round(steps)).toBeCloseTo(0, 3);
  });

  test('the cube of an axis sizes along it only', async () => {
    await fresh();
    await canvas.key('e');
    await canvas.drag(await canvas.at(id, [40, 0, 0]), await canvas.at(id, [90, 0, 0]));
    const { scale_x, scale_y, scale_z } = await canvas.element(id);
    expect(scale_x).toBeGreaterThan(1.5);
    expect([scale_y, scale_z]).toEqual([1, 1]);
  });

  test('the wheel over a handle adds a step per turn and ends half a second after the last', async () => {
    await fresh();
    const { x, y } = await canvas.at(id, [40, 0, 0]);
    await canvas.page.mouse.move(x, y);
    await canvas.frames();
    for (let turn = 0; turn < 3; turn++) await canvas.page.mouse.wheel(0, -100);
    await expect.poll(() => canvas.page.evaluate(() => window.enfiladeCanvas!.live!.position.x)).toBe(30);
    await expect.poll(async () => (await positionOf()).x).toBe(30);
  });

  test('the wheel over a handle moves the camera for who wants it so, but for while Alt is held', async () => {
    await fresh();
    await canvas.key('?');
    await canvas.page.getByRole('switch', { name: /^The wheel over a handle/ }).check({ force: true });
    await canvas.page.keyboard.press('Escape');
    await canvas.page.getByRole('dialog').waitFor({ state: 'detached' });
    const before = await positionOf();
    const { x, y } = await canvas.at(id, [40, 0, 0]);
    await canvas.page.mouse.move(x, y);
    await canvas.frames();
    await canvas.page.mouse.wheel(0, 100);
    await expect.poll(() => canvas.page.evaluate(() => window.enfiladeCanvas!.camera.z), { timeout: 30_000 }).toBe(500);
    expect(await positionOf()).toEqual(before);
    await canvas.stands();
    const again = await canvas.at(id, [40, 0, 0]);
    await canvas.page.mouse.move(again.x, again.y);
    await canvas.frames();
    await canvas.page.keyboard.down('Alt');
    await canvas.page.mouse.wheel(0, -100);
    await canvas.page.keyboard.up('Alt');
    await expect.poll(async () => (await positionOf()).x).toBe(before.x + 10);
    await canvas.page.evaluate(() => window.enfiladeCanvas!.setWheelNeedsAlt(false));
  });

  test('the wheel beside the handles moves the camera, whatever the room allows visitors', async () => {
    await fresh();
    const { x, y } = await canvas.at(id, [-200, 120, 0]);
    await canvas.page.mouse.move(x, y);
    await canvas.frames();
    await canvas.page.mouse.wheel(0, -100);
    await expect.poll(() => canvas.page.evaluate(() => window.enfiladeCanvas!.camera.z), { timeout: 30_000 }).toBe(300);
    await canvas.page.mouse.wheel(0, 100);
    await expect.poll(() => canvas.page.evaluate(() => window.enfiladeCanvas!.camera.z), { timeout: 30_000 }).toBe(400);
    expect((await canvas.outlined()).selected).toBe(id);
  });
});

describe('the keys of the canvas', () => {
  test('W, E and R choose the mode, Q the axes, X Y Z switch an axis, Space the handles, + and − their size', async () => {
    await fresh();
    for (const [key, mode] of [
      ['e', 'scale'],
      ['r', 'rotate'],
      ['w', 'translate'],
    ] as const) {
      await canvas.key(key);
      expect((await canvas.context()).mode).toBe(mode);
      await expect
        .poll(() =>
          canvas.page
            .getByRole('toolbar', { name: 'Coordinates' })
            .getByRole('button', { name: { translate: 'Move', rotate: 'Rotate', scale: 'Scale' }[mode] })
            .getAttribute('aria-pressed'),
        )
        .toBe('true');
    }
    await canvas.key('q');
    expect((await canvas.context()).space).toBe('world');
    await canvas.key('q');
    for (const axis of ['x', 'y', 'z'] as const) {
      await canvas.key(axis);
      expect((await canvas.context()).axes[axis]).toBe(false);
      await canvas.key(axis);
    }
    await canvas.key(' ');
    expect(await canvas.draws('handles')).toBe(false);
    // The bar shows what is off, and switches it on again.
    const inBar = (name: string) =>
      canvas.page.getByRole('toolbar', { name: 'Coordinates' }).getByRole('button', { name, exact: true });
    await canvas.key('x');
    for (const name of ['Handles', 'X axis']) {
      await expect.poll(() => inBar(name).getAttribute('aria-pressed')).toBe('false');
      await inBar(name).click();
      await expect.poll(() => inBar(name).getAttribute('aria-pressed')).toBe('true');
    }
    expect((await canvas.context()).axes.x).toBe(true);
    expect(await canvas.draws('handles')).toBe(true);
    await canvas.page.getByRole('application', { name: 'Room' }).focus();
    await canvas.key('+');
    expect((await canvas.context()).handleSize).toBe(1.1);
    for (let press = 0; press < 15; press++) await canvas.key('-');
    expect((await canvas.context()).handleSize).toBe(0.1);
    for (let press = 0; press < 9; press++) await canvas.key('+');
    expect((await canvas.context()).handleSize).toBe(1);
    await canvas.key('g');
    expect(await canvas.draws('floor-grid')).toBe(false);
    await canvas.key('g');
    expect(await canvas.draws('floor-grid')).toBe(true);
  });

  test('arrows move by 10, turn by 0.05 and size by 0.1, again every 100 ms, as one step at the end', async () => {
    await fresh();
    // On a busy machine even a short press may be held for a second step.
    const isSteps = (value: number, step: number) => value / step > 0.5 && Math.abs((value / step) % 1) < 1e-6;
    await canvas.key('ArrowRight');
    const first = await positionOf();
    expect(isSteps(first.x, 10), `x is ${first.x}`).toBe(true);
    expect(first).toEqual({ x: first.x, y: 0, z: 0 });
    await canvas.key('ArrowUp');
    const second = await positionOf();
    expect(isSteps(second.y, 10), `y is ${second.y}`).toBe(true);
    await canvas.key('y');
    await canvas.key('ArrowUp');
    const third = await positionOf();
    expect(isSteps(third.z, -10), `z stands in for an axis that is off, got ${third.z}`).toBe(true);
    expect(third.y).toBe(second.y);
    await canvas.key('y');
    await canvas.page.keyboard.down('ArrowLeft');
    const shown = () => canvas.page.evaluate(() => window.enfiladeCanvas!.live!.position.x);
    await expect.poll(shown).toBeLessThanOrEqual(first.x - 30);
    expect((await positionOf()).x, 'the document waits for the end').toBe(first.x);
    await canvas.page.keyboard.up('ArrowLeft');
    await canvas.frames();
    const { x } = await positionOf();
    expect(first.x - x).toBeGreaterThanOrEqual(30);
    expect(isSteps(first.x - x, 10)).toBe(true);
    await canvas.key('Control+z');
    expect((await positionOf()).x, 'all of it was one step of the history').toBe(first.x);
    expect(await canvas.page.evaluate(() => window.enfiladeCanvas!.live!.position.x)).toBe(first.x);
    await fresh();
    await canvas.key('r');
    await canvas.key('ArrowRight');
    expect(isSteps((await canvas.element(id)).rotation_y, 0.05)).toBe(true);
    await canvas.key('e');
    await canvas.key('ArrowUp');
    const { scale_x, scale_y, scale_z } = await canvas.element(id);
    expect(isSteps(scale_x - 1, 0.1), `scale is ${scale_x}`).toBe(true);
    expect([scale_y, scale_z]).toEqual([scale_x, scale_x]);
  });

  test('F frames the selection; Alt and 1, 3 or 7 look along an axis; dragging turns around what is framed', async () => {
    await fresh();
    const pose = () =>
      canvas.page.evaluate(() => {
        const { camera } = window.enfiladeCanvas!.stage!;
        const way = camera.getWorldDirection(camera.position.clone());
        return { way: way.toArray().map((value) => Math.round(value) || 0), at: camera.position.toArray() };
      });
    await canvas.key('f');
    await expect.poll(async () => Math.round((await pose()).at[2]!)).toBeLessThan(330);
    await canvas.stands();
    // In the middle of what the edit window leaves free.
    const free = await canvas.page.evaluate(() => {
      const [room, panel] = ['Room', 'Edit window'].map((name) =>
        document.querySelector(`[aria-label="${name}"]`)!.getBoundingClientRect(),
      );
      return { middle: (room!.left + panel!.left) / 2, top: room!.top + room!.height / 2 };
    });
    const framed = await canvas.at(id);
    expect(framed.x).toBeCloseTo(free.middle, -1);
    expect(framed.y).toBeCloseTo(free.top, -1);
    for (const [key, way] of [
      ['Alt+3', [-1, 0, 0]],
      ['Alt+7', [0, -1, 0]],
      ['Alt+1', [0, 0, -1]],
    ] as const) {
      await canvas.key(key);
      await expect.poll(async () => (await pose()).way).toEqual(way);
    }
    await canvas.stands();
    const { x, y } = await canvas.at(id, [-60, 50, 0]);
    await canvas.drag({ x, y }, { x: x + 150, y });
    await expect.poll(async () => Math.abs((await pose()).at[0]!)).toBeGreaterThan(30);
    const { at: turned } = await pose();
    expect(Math.hypot(...turned), 'as far away as before').toBeCloseTo(Math.hypot(...(await pose()).at), 0);
    await canvas.key('Alt+1');
    await expect.poll(async () => (await pose()).way).toEqual([0, 0, -1]);
    // What hangs on a wall at the side is seen from its front, not at its edge.
    await canvas.page.evaluate((wanted) => {
      window.enfiladeCanvas!.tools!.patch({ type: 'element.update', id: wanted, fields: { rotation_y: Math.PI / 2 } });
    }, id);
    await canvas.frames();
    await canvas.key('f');
    await expect.poll(async () => (await pose()).way).toEqual([-1, 0, 0]);
    // The compass leads to each side.
    await canvas.page.getByRole('button', { name: 'Look from above' }).click();
    await expect.poll(async () => (await pose()).way).toEqual([0, -1, 0]);
    await canvas.page.getByRole('application', { name: 'Room' }).focus();
    await fresh();
  });

  test('nothing happens while somebody types in a field', async () => {
    await fresh();
    const field = canvas.page.getByLabel('Position X');
    await field.focus();
    await canvas.page.keyboard.press('w');
    await canvas.page.keyboard.press('r');
    await canvas.page.keyboard.press('ArrowRight');
    await canvas.frames();
    expect((await canvas.context()).mode).toBe('translate');
    expect(await positionOf()).toEqual({ x: 0, y: 0, z: 0 });
    await field.blur();
  });
});

describe('the coordinates bar', () => {
  test('typing shows at once and counts with Enter; Esc takes it back', async () => {
    await fresh();
    const field = canvas.page.getByLabel('Position Y');
    await field.fill('75');
    await expect.poll(() => canvas.page.evaluate(() => window.enfiladeCanvas!.live!.position.y)).toBe(75);
    expect((await positionOf()).y).toBe(0);
    await field.press('Escape');
    await expect.poll(() => canvas.page.evaluate(() => window.enfiladeCanvas!.live!.position.y)).toBe(0);
    expect(await field.inputValue()).toBe('0');
    expect((await canvas.outlined()).selected).toBe(id);
    // Once more, with nothing typed, it cancels: what was typed into the window is discarded with it.
    const typed = canvas.page.getByRole('region', { name: 'Edit window' }).getByLabel('Padding (px)');
    await typed.fill('12');
    await field.focus();
    await canvas.page.keyboard.press('Escape');
    await typed.waitFor({ state: 'detached' });
    await canvas.page.getByText(/^Discarded the changes of/).waitFor();
    await fresh();
    await field.fill('75');
    await field.press('Enter');
    expect((await positionOf()).y).toBe(75);
    await canvas.page.getByRole('toolbar').getByRole('button', { name: 'Rotate' }).click();
    await canvas.page.getByLabel('Rotation Z').fill('90');
    await canvas.page.getByLabel('Rotation Z').press('Enter');
    expect((await canvas.element(id)).rotation_z).toBeCloseTo(Math.PI / 2, 5);
    expect(canvas.faults).toEqual([]);
  });

  test.each(['1,000', '1/0', '500px', '1e9', '12 3'])(
    '%s is refused beside the field, and changes nothing',
    async (text) => {
      await fresh();
      const { page } = canvas;
      const field = page.getByLabel('Position Y');
      const live = () => page.evaluate(() => window.enfiladeCanvas!.live!.position.y);
      await field.focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page
        .getByRole('alert')
        .filter({ hasText: /^(?:Enter a number|Must be)/ })
        .waitFor();
      expect(await field.inputValue()).toBe(text);
      expect([await live(), (await positionOf()).y]).toEqual([0, 0]);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('1 000');
      await page.keyboard.press('Enter');
      expect((await positionOf()).y).toBe(1000);
    },
  );

  test('the camera is read out in whole units, as the arrow pad moves it', async () => {
    await fresh();
    const readOut = canvas.page.getByLabel('Camera position');
    const before = await canvas.page.evaluate(() => window.enfiladeCanvas!.camera);
    await expect.poll(() => readOut.textContent()).toBe(`X${before.x}Y${before.y}Z${before.z}`);
    await canvas.page.getByRole('button', { name: 'Up', exact: true }).click();
    const above = `X${before.x}Y${before.y + 100}Z${before.z}`;
    await expect.poll(() => readOut.textContent(), { timeout: 30_000 }).toBe(above);
  });
});
