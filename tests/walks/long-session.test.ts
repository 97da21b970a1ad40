import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import type { Element } from '../../engine/document/element.ts';
import { BLUNT } from '../harness/browser.ts';
import { buildRoom, type CanvasPage, openCanvas } from '../harness/canvas-page.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

/** From the middle of the room, where the camera stands, to its walls. */
const WALL = 500;
const ROOM = {
  width: 2 * WALL,
  height: 600,
  depth: 2 * WALL,
  config: {
    camera: { fov: 75, position: { x: 0, y: 0, z: 0 }, angle: { x: 0, y: 0, z: -100 } },
    ambient_light: 1,
    pixelratio: BLUNT,
  },
};
/** Where images hang on a wall: across from its middle, and up. */
const SPOTS = [-240, -120, 0, 120, 240].flatMap((across) => [110, -90].map((up) => [across, up] as const));

const folder = await mkdtemp(join(tmpdir(), 'images-'));
afterAll(() => rm(folder, { recursive: true }));

/** A small image of a color of its own. */
async function image(index: number): Promise<string> {
  const path = join(folder, `image-${index}.png`);
  const background = { r: (index * 37) % 256, g: (index * 91) % 256, b: 160 };
  await writeFile(
    path,
    await sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return path;
}

/** Whoever hangs images: what is done is counted, and must neither ask anything nor move the camera. */
class Curator {
  readonly canvas: CanvasPage;
  actions = 0;

  constructor(canvas: CanvasPage) {
    this.canvas = canvas;
  }

  get page() {
    return this.canvas.page;
  }

  elements(): Promise<Element[]> {
    return this.page.evaluate(() => JSON.parse(JSON.stringify(window.enfiladeCanvas!.document.room.elements)));
  }

  count(): Promise<number> {
    return this.page.evaluate(() => window.enfiladeCanvas!.document.room.elements.length);
  }

  camera(): Promise<number[]> {
    return this.page.evaluate(() => [...window.enfiladeCanvas!.stage!.camera.matrixWorld.elements]);
  }

  async act(what: string, action: () => Promise<unknown>): Promise<void> {
    const before = await this.camera();
    await action();
    const { dialogs, after } = await this.page.evaluate(async () => {
      await new Promise(requestAnimationFrame);
      const dialogs = document.querySelectorAll('[role="dialog"], dialog[open]').length;
      return { dialogs, after: [...window.enfiladeCanvas!.stage!.camera.matrixWorld.elements] };
    });
    this.actions++;
    expect(dialogs, `${what}: asks`).toBe(0);
    // It may still come to rest.
    const way = Math.max(...after.map((value, index) => Math.abs(value - before[index]!)));
    expect(way, `${what}: the camera jumps`).toBeLessThan(0.01);
  }

  /** Waits until an image is seen: nobody takes hold of one before that. */
  async sees(id: number): Promise<void> {
    await this.page.waitForFunction((wanted) => window.enfiladeCanvas!.stage!.viewOf(wanted), id);
    await this.canvas.frames();
  }

  /** Where a spot of the wall ahead is seen. */
  async spot([across, up]: readonly [number, number]) {
    const { x, z } = await this.page.evaluate(() => {
      const { camera } = window.enfiladeCanvas!.stage!;
      const [dx, , dz] = camera.getWorldDirection(camera.position.clone()).toArray();
      return { x: Math.round(dx), z: Math.round(dz) };
    });
    return this.canvas.seen([x * WALL - z * across, up, z * WALL + x * across]);
  }

  async pointAt(spot: readonly [number, number]): Promise<void> {
    const { x, y } = await this.spot(spot);
    await this.page.mouse.move(x, y);
  }

  async addsTo(count: number): Promise<void> {
    await expect.poll(() => this.count(), { timeout: 20_000 }).toBe(count);
  }

  /** Turns a quarter by dragging the empty canvas, until the next wall is ahead. */
  async turn(): Promise<void> {
    const yaw = () =>
      this.page.evaluate(() => {
        const { camera } = window.enfiladeCanvas!.stage!;
        const [x, , z] = camera.getWorldDirection(camera.position.clone()).toArray();
        return Math.atan2(x, -z);
      });
    const from = await yaw();
    const left = async () => {
      const turned = (await yaw()) - from;
      return Math.PI / 2 - Math.atan2(Math.sin(turned), Math.cos(turned));
    };
    const [x, y] = [700, 160];
    let perPixel = 0;
    for (let attempt = 0; attempt < 8 && Math.abs(await left()) > 0.004; attempt++) {
      const rest = await left();
      const by = perPixel === 0 ? -40 : Math.max(-300, Math.min(300, rest / perPixel));
      await this.canvas.drag({ x, y }, { x: x + by, y }, { steps: 4 });
      await this.canvas.stands();
      if (perPixel === 0) perPixel = (rest - (await left())) / by;
    }
    expect(Math.abs(await left())).toBeLessThan(0.02);
    this.actions++;
  }

  /** Draws a box around everything on the wall ahead. */
  async boxWall(): Promise<void> {
    const [from, to] = [await this.spot([-400, 260]), await this.spot([400, -260])];
    await this.page.keyboard.down('Shift');
    await this.canvas.drag(from, to, { steps: 4 });
    await this.page.keyboard.up('Shift');
    await this.page.getByRole('region', { name: 'Selection window' }).getByText('10 elements').waitFor();
  }
}

test('forty images are hung on four walls by hand; all of it is undone and done again', async () => {
  const { id } = await buildRoom(suite.app, [], ROOM);
  const canvas = await openCanvas(suite.app, suite.browser, id);
  const { page } = canvas;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const devtools = await page.context().newCDPSession(page);
  const curator = new Curator(canvas);
  const start = await curator.elements();
  const paths = await Promise.all(Array.from({ length: 16 }, (_, index) => image(index)));
  let hung = 0;

  /** Copies an image from another program, and pastes it where the pointer is. */
  const pasteImage = async (path: string, spot: readonly [number, number]) => {
    const bytes = [...(await readFile(path))];
    await page.evaluate(
      (data) =>
        navigator.clipboard.write([
          new ClipboardItem({ 'image/png': new Blob([new Uint8Array(data)], { type: 'image/png' }) }),
        ]),
      bytes,
    );
    await curator.pointAt(spot);
    await page.keyboard.press('Control+v');
    await curator.addsTo(++hung);
  };
  /** Lets files fall that are dragged here from the desk. */
  const dropFiles = async (files: string[], spot: readonly [number, number]) => {
    const { x, y } = await curator.spot(spot);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x, y, data });
    hung += files.length;
    await curator.addsTo(hung);
  };
  const pasteCopy = async (spot: readonly [number, number]) => {
    await curator.pointAt(spot);
    await page.keyboard.press('Control+v');
    await curator.addsTo(++hung);
  };
  const press = async (name: string) => {
    await page.getByRole('region', { name: 'Selection window' }).getByRole('button', { name, exact: true }).click();
  };
  const newest = async () => (await curator.elements()).at(-1)!.id;

  for (let wall = 0; wall < 4; wall++) {
    if (wall > 0) await curator.turn();
    await page.mouse.move(700, 160);
    if (wall === 0) {
      for (const [index, spot] of SPOTS.slice(0, 5).entries())
        await curator.act('pasting an image', () => pasteImage(paths[index]!, spot));
      await curator.act('copying', () => page.keyboard.press('Control+c'));
      for (const spot of SPOTS.slice(5)) await curator.act('pasting a copy', () => pasteCopy(spot));
    } else if (wall === 1) {
      for (const [index, spot] of SPOTS.entries())
        await curator.act('dropping a file', () => dropFiles([paths[5 + index]!], spot));
    } else if (wall === 2) {
      await curator.act('dropping a file', () => dropFiles([paths[15]!], SPOTS[0]!));
      await curator.act('copying', () => page.keyboard.press('Control+c'));
      for (const spot of SPOTS.slice(1)) await curator.act('pasting a copy', () => pasteCopy(spot));
    } else {
      for (const spot of SPOTS) await curator.act('pasting a copy', () => pasteCopy(spot));
    }
    // The last one is dragged by itself, and by a step of the keys.
    const last = await newest();
    await curator.sees(last);
    await curator.act('dragging', async () => {
      const at = await canvas.at(last, [0, 0, 0]);
      const grip = { x: at.x + 6, y: at.y + 10 };
      await page.keyboard.press('Space');
      await canvas.drag(grip, { x: grip.x - 24, y: grip.y - 10 }, { steps: 4 });
      await page.keyboard.press('Space');
    });
    await curator.act('a step of the keys', () => page.keyboard.press('ArrowUp'));
    await curator.act('deselecting', () => page.keyboard.press('Escape'));
    await curator.act('selecting by a box', () => curator.boxWall());
    await curator.act('a width for all', async () => {
      const width = page.getByRole('region', { name: 'Selection window' }).getByLabel('Width (units)', { exact: true });
      await width.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('90');
      await page.keyboard.press('Enter');
    });
    // Those that fell onto others hang before them.
    await curator.act('bringing all to the wall', () => press('Same distance to the wall'));
    await curator.act('aligning', () => press('Align centers up'));
    await curator.act('distributing', () =>
      press(wall % 2 === 0 ? 'Same space between, across (x)' : 'Same space between, depth (z)'),
    );
    await curator.act('moving all by keys', async () => {
      await page.getByRole('application', { name: 'Room' }).focus();
      await page.keyboard.press('ArrowUp');
    });
    await curator.act('deselecting', () => page.keyboard.press('Escape'));
  }

  const end = await curator.elements();
  expect(end).toHaveLength(40);
  // On each wall ten, in one row, with the same space between.
  for (const [axis, along, side] of [
    ['z', 'x', -1],
    ['x', 'z', 1],
    ['z', 'x', 1],
    ['x', 'z', -1],
  ] as const) {
    const wall = end.filter((each) => each[`position_${axis}`] * side > WALL - 40);
    expect(wall, `wall ${axis} ${side}`).toHaveLength(10);
    expect(new Set(wall.map(({ position_y }) => Math.round(position_y))).size).toBe(1);
    const places = wall.map((each) => each[`position_${along}`]).sort((a, b) => a - b);
    const gaps = places.slice(1).map((place, index) => place - places[index]!);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(3);
  }

  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  const redo = page.getByRole('button', { name: 'Redo', exact: true });
  let steps = 0;
  for (; await undo.isEnabled(); steps++) await curator.act('undoing', () => page.keyboard.press('Control+z'));
  expect(await curator.elements()).toEqual(start);
  for (; await redo.isEnabled(); ) await curator.act('redoing', () => page.keyboard.press('Control+Shift+z'));
  expect(await curator.elements()).toEqual(end);
  await page.getByRole('status', { name: 'Saving' }).getByText('Saved', { exact: true }).waitFor({ timeout: 30_000 });
  const stored = (await suite.app.client.rooms.read({ params: { id } })).elements;
  expect(
    stored.map(({ id: each, name, position_x, position_y, position_z }) => [
      each,
      name,
      position_x,
      position_y,
      position_z,
    ]),
  ).toEqual(
    end.map(({ id: each, name, position_x, position_y, position_z }) => [
      each,
      name,
      position_x,
      position_y,
      position_z,
    ]),
  );
  console.log(`${curator.actions} actions, ${steps} steps of the history`);
  expect(canvas.faults).toEqual([]);
  await canvas.close();
});
