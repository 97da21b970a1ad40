import type { Page } from 'playwright';
import { afterAll, afterEach } from 'vitest';
import type { Visitor } from './browser.ts';
import { type CanvasPage, type CanvasWindow, openCanvas } from './canvas-page.ts';
import { EditorDriver, type EditorOptions } from './editor-driver.ts';
import { closeMessages } from './left-windows.ts';
import type { WebSuite } from './web-suite.ts';

/** An editor whose window can navigate to another room. */
interface GoesOn {
  readonly visitor: Visitor;
  goOn(roomId: number): Promise<GoesOn>;
}

/** Storage entries to ignore: a setting of tests, and the session token, which changes with a new sign-in. */
const NOT_COMPARED = ['enfilade.add-without-file', 'enfilade.editor-token'];

/** Storage entries shared by all rooms, which the page may have read; keys of a single room contain a colon. */
const keptForAll = (page: Page): Promise<string> =>
  page.evaluate((left) => {
    const kept = Object.entries(localStorage).filter(([key]) => !key.includes(':') && !left.includes(key));
    return JSON.stringify(kept.sort());
  }, NOT_COMPARED);

/** Resets a window to its initial state, except for its room. */
async function tidy({ context, page, faults }: Visitor, size: { width: number; height: number }): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  if (JSON.stringify(page.viewportSize()) !== JSON.stringify(size)) await page.setViewportSize(size);
  await page.mouse.move(0, 0);
  if (!(await closeMessages(page))) throw new Error('A message that was closed is still shown.');
  faults.length = 0;
}

/**
 * Opens rooms for the tests of a file in one window. Each test navigates from the previous room, which costs a fraction
 * of a page load. The window is not reused after a failed test, after changes to storage entries of all rooms, or with
 * an open dialog that does not close with its room.
 */
function sharedWindow<T extends GoesOn>(openAnew: (roomId: number) => Promise<T>): (roomId: number) => Promise<T> {
  let last: { editor: T; keptAtFirst: string; size: { width: number; height: number } } | undefined;
  const leave = () => {
    const left = last?.editor.visitor;
    last = undefined;
    return left;
  };
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await leave()?.context.close();
  });
  afterAll(() => leave()?.close());
  const goOn = async (roomId: number): Promise<T | undefined> => {
    if (!last) return undefined;
    const { editor, keptAtFirst, size } = last;
    const { visitor } = editor;
    if (visitor.page.isClosed() || (await keptForAll(visitor.page)) !== keptAtFirst) return undefined;
    await tidy(visitor, size);
    const next = (await editor.goOn(roomId)) as T;
    if ((await visitor.page.getByRole('dialog').count()) > 0) return undefined;
    last.editor = next;
    return next;
  };
  return async (roomId) => {
    const next = await goOn(roomId);
    if (next) return next;
    await leave()?.close();
    const editor = await openAnew(roomId);
    const { page } = editor.visitor;
    last = { editor, keptAtFirst: await keptForAll(page), size: page.viewportSize()! };
    return editor;
  };
}

/** Opens editors for a file's tests in one window that stays open. Call it once, at the top level. */
export const sharedEditor = (web: WebSuite, options?: EditorOptions): ((roomId: number) => Promise<EditorDriver>) =>
  sharedWindow((roomId) => EditorDriver.open(web.app, web.browser, roomId, options));

/** As `sharedEditor`, for tests of the canvas. */
export const sharedCanvas = (web: WebSuite, window?: CanvasWindow): ((roomId: number) => Promise<CanvasPage>) =>
  sharedWindow((roomId) => openCanvas(web.app, web.browser, roomId, window));
