import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { build, type Rollup } from 'vite';
import { LOOKED_AT } from '../../harness/browser.ts';
import { buildRoom, openCanvas, type Written } from '../../harness/canvas-page.ts';
import type { WebApp } from '../../harness/web-app.ts';
import { workOf } from './trace.ts';

/** Number of measured pointer moves, one per frame. */
const MOVES = 60;
/** Few pixels: software rendering would take CPU time from the page. */
const SMALL = { width: 1100, height: 480 };

/** Size of the editor's canvas in that window. */
const CANVAS = { width: 820, height: 380 };

/** Elements that follow the pointer. */
export type Moved = 'one' | 'all';

/** Milliseconds of CPU time of the main thread. */
export interface Dragged {
  /** A frame during a drag. */
  frame: number;
  /** The longest task while the drag ends, and is checked and saved. */
  saved: number;
}

const place = (index: number) => ({
  position_x: ((index % 40) - 20) * 60,
  position_y: (Math.floor(index / 40) % 10) * 60 - 270,
  position_z: -Math.floor(index / 400) * 150 - 200,
});

/** Creates a room whose elements are mostly pictures. @returns its id, and the id of the dragged element */
export async function furnishLarge(app: WebApp, count: number): Promise<{ id: number; dragged: number }> {
  const file = await app.upload('fixtures/media/panorama-poster.jpg');
  const elements = Array.from({ length: count }, (_, index): Written => {
    const name = `No. ${index}`;
    if (index % 20 === 1) return { element: 'view_point', name, ...place(index) };
    if (index % 40 === 2) return { element: 'text', name, ...place(index), scale_x: 0.3, config: { text: 'A' } };
    if (index % 100 === 3)
      return { element: 'html', name, width: 50, height: 50, ...place(index), config: { body: '<p>Words</p>' } };
    return { element: 'image', name, height: 50, file_id: file.id, ...place(index) };
  });
  elements[0] = { ...elements[0]!, position_x: -60, position_y: 0, position_z: 200 };
  const { id, ids } = await buildRoom(app, elements);
  return { id, dragged: ids['No. 0']! };
}

/** Disables drawing: software rendering would take seconds of CPU time per frame. */
export const drawNothing = (page: Page) =>
  page.evaluate(() => {
    const context = WebGL2RenderingContext.prototype;
    for (const draw of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced'] as const)
      context[draw] = () => undefined;
  });

const nextFrame = (page: Page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));

/** Drags and drops an element of a large room in the editor, alone or with all others. */
export async function measureDrag(
  app: WebApp,
  browser: Browser,
  { id, dragged }: { id: number; dragged: number },
  moved: Moved,
): Promise<Dragged> {
  const canvas = await openCanvas(app, browser, id, { ...SMALL, ...LOOKED_AT });
  const { page } = canvas;
  await canvas.press(await canvas.at(dragged, [12, 12, 0]));
  if (moved === 'all') await page.keyboard.press('Control+a');
  const from = await canvas.at(dragged, [20, 0, 0]);
  await page.mouse.move(from.x, from.y);
  await canvas.frames(5);
  await page.mouse.down();
  await page.mouse.move(from.x + 5, from.y);
  await canvas.frames(5);
  await drawNothing(page);
  await canvas.frames(10);
  const framesOf = () => page.evaluate(() => window.enfiladeCanvas!.stage!.frames);
  const before = await framesOf();
  const { position_x } = await canvas.element(dragged);
  const { all } = await workOf(page, async () => {
    for (let move = 1; move <= MOVES; move++) {
      await page.mouse.move(from.x + 5 + move, from.y);
      await canvas.frames(1);
    }
  });
  const frames = (await framesOf()) - before;
  const { longest: saved } = await workOf(page, async () => {
    await page.mouse.up();
    const saving = page.getByRole('status', { name: 'Saving' });
    await saving.getByText('Saved', { exact: true }).waitFor({ timeout: 60_000 });
  });
  if ((await canvas.element(dragged)).position_x <= position_x) throw new Error('The element did not follow.');
  await page.keyboard.press('Control+z');
  const isBack = async () => {
    const { elements } = await app.client.rooms.read({ params: { id } });
    return elements.some((element) => element.id === dragged && element.position_x === position_x);
  };
  // The next round starts at the same position.
  while (!(await isBack())) await canvas.frames(10);
  await canvas.close();
  return { frame: all / frames, saved };
}

/** The code of a page's script. @param name of its source in this folder */
export async function scriptOf(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2022', lib: { entry: join(import.meta.dirname, name), formats: ['es'] } },
  });
  const [{ output }] = built as Rollup.RollupOutput[] as [Rollup.RollupOutput];
  return output[0].code;
}

/** Content of the plain three.js page: boxes, or the room's content, on a canvas as large as the editor's. */
export type Plain = 'boxes' | 'pictures';

/** The same drag in plain three.js: as many objects, one or all following the pointer. */
export async function measurePlainDrag(
  browser: Browser,
  { moved, plain, count }: { moved: Moved; plain: Plain; count: number },
): Promise<number> {
  const context = await browser.newContext({ viewport: SMALL });
  const page = await context.newPage();
  await page.setContent('<!doctype html><style>body{margin:0}</style><body></body>');
  await page.evaluate(
    (given) => {
      window.plain = given;
    },
    {
      count,
      moving: moved === 'all' ? count : 1,
      areAlike: plain === 'pictures',
      ...(plain === 'pictures' ? CANVAS : SMALL),
    },
  );
  await drawNothing(page);
  await page.addScriptTag({ type: 'module', content: await scriptOf('plain-boxes.ts') });
  await page.locator('canvas').waitFor();
  for (let frame = 0; frame < 10; frame++) await nextFrame(page);
  await page.mouse.move(300, 200);
  // The button is held as in the editor, because it makes the driver do extra work in the page on each move.
  await page.mouse.down();
  await nextFrame(page);
  const { all } = await workOf(page, async () => {
    for (let move = 1; move <= MOVES; move++) {
      await page.mouse.move(300 + move, 200);
      await nextFrame(page);
    }
  });
  await context.close();
  return all / MOVES;
}
