import { chromium } from 'playwright';
import { createClient } from '../../../src/contract/client.ts';
import { browserFlags, findChromium, findDrawing } from '../../harness/chromium.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { type Hall, type Latency, latencyOf } from './crowd.ts';

/** Number of measured edits, and milliseconds between them. */
const EDITS = 40;
const EVERY = 150;
/** Text of the panel that is moved. */
const SIGN = 'Measured';

/** Milliseconds since 1970, from the same clock in this process and in the browser. */
const now = () => performance.timeOrigin + performance.now();

/**
 * Measures the delay between an edit and its display on another editor's canvas: a panel is moved through the API of
 * the first server, and shown in Chromium on the last one.
 */
export async function measureCanvas({ origins, token, room }: Hall): Promise<Latency> {
  const client = createClient({ origin: origins[0]!, token: () => token });
  const body = { element: 'html' as const, name: SIGN, config: { body: `<p>${SIGN}</p>` }, position_z: -400 };
  const { id } = await client.rooms.addElement({ params: { id: room }, body });
  const executablePath = findChromium();
  const browser = await chromium.launch({ executablePath, args: browserFlags(await findDrawing(executablePath)) });
  try {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, reducedMotion: 'reduce' });
    await context.addInitScript((value) => localStorage.setItem('enfilade.editor-token', value), token);
    const page = await context.newPage();
    let shown: ((at: number) => void) | undefined;
    await page.exposeFunction('wasDrawn', (at: number) => shown?.(at));
    await page.goto(`${origins.at(-1)}/admin/editor/${room}`);
    await EditorDriver.of({ context, page, faults: [], close: () => context.close() }, room);
    const panel = page.locator('.stage-html', { hasText: SIGN });
    await panel.waitFor();
    await panel.evaluate((element) => {
      const drawn = () => Reflect.get(window, 'wasDrawn')(performance.timeOrigin + performance.now());
      const observer = new MutationObserver(drawn);
      for (let above: Element | null = element; above && !above.matches('.stage'); above = above.parentElement)
        observer.observe(above, { attributeFilter: ['style'] });
    });
    const took: number[] = [];
    for (let edit = 1; edit <= EDITS; edit++) {
      const begun = now();
      const arrived = new Promise<number>((resolve, reject) => {
        shown = resolve;
        setTimeout(reject, 10_000, new Error('An edit did not reach the canvas.'));
      });
      const commands = [{ type: 'element.update' as const, id, fields: { position_x: edit } }];
      await client.rooms.commit({ params: { id: room }, body: { client: 'canvas', mutation: edit, commands } });
      took.push((await arrived) - begun);
      shown = undefined;
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
    return latencyOf(took);
  } finally {
    await browser.close();
  }
}
