import { chromium } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { median } from '../server-process.ts';
import { furnish, LONG, measureLists } from './back-office.ts';
import { COUNT, furnishLarge, measureDrag, measurePlainDrag } from './drag.ts';
import { measurePlainLists } from './plain-page.ts';

/** Milliseconds of a task after which a person notices that a page halts. */
const HALT = 100;
/** Milliseconds of the main thread that a frame may take while something is dragged, and a task while it is saved. */
const DRAG = { frame: 8, saved: 50 } as const;

/** One line of the table: our figures of all rounds, those of the plain page where it does the same, and the limit. */
interface Row {
  name: string;
  ours: number[];
  plain: number[];
  limit: number;
}

function print({ name, ours, plain, limit }: Row): boolean {
  const middle = median(ours);
  const beside = plain.length > 0 ? median(plain) : undefined;
  const columns = [middle.toFixed(1), beside?.toFixed(1) ?? '', beside ? (middle / beside).toFixed(2) : '', `${limit}`];
  const verdict = middle > limit ? 'over its limit' : '';
  console.log([name.padEnd(44), ...columns.map((text) => text.padStart(9)), verdict].join('  '));
  return middle <= limit;
}

/**
 * Measures whether the back-office and the editor go on answering with very much in them, beside pages that hold nothing
 * else: processor time of the main thread, from Chromium's own trace.
 * @returns whether the limits are kept
 */
export async function compareScreens(rounds: number): Promise<boolean> {
  const app = await startWebApp();
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  try {
    const titles: Record<string, string> = {
      'list opened': `${LONG} structures: opened`,
      'list scrolled': `${LONG} structures: scrolled`,
      'page opened': '100000 access tokens: opened',
      'page scrolled': '100000 access tokens: scrolled',
      'tree scrolled': `${LONG} elements: scrolled`,
      'tree searched': `${LONG} elements: searched`,
      renamed: `${LONG} elements: one renamed and saved`,
    };
    const rows = new Map(
      Object.entries(titles).map(([key, name]): [string, Row] => [key, { name, ours: [], plain: [], limit: HALT }]),
    );
    const frame: Row = { name: `${COUNT} elements: a frame of dragging`, ours: [], plain: [], limit: DRAG.frame };
    const saved: Row = { name: `${COUNT} elements: let go and saved`, ours: [], plain: [], limit: DRAG.saved };
    const room = await furnish(app);
    const large = await furnishLarge(app);
    for (let round = 0; round < rounds; round++) {
      const [ours, plain] = [await measureLists(app, browser, room, round), await measurePlainLists(browser)];
      for (const [key, row] of rows) {
        row.ours.push(ours[key]!);
        row.plain.push(plain[key]!);
      }
      const drag = await measureDrag(app, browser, large);
      frame.ours.push(drag.frame);
      saved.ours.push(drag.saved);
      frame.plain.push(await measurePlainDrag(browser));
    }
    console.log(
      `\nScreens, milliseconds of the main thread: longest task, or a frame; medians of ${rounds} round(s)\n`,
    );
    console.log(
      `${''.padEnd(44)}  ${['enfilade', 'plain', 'ratio', 'limit'].map((title) => title.padStart(9)).join('  ')}`,
    );
    return [...rows.values(), frame, saved].map(print).every(Boolean);
  } finally {
    await browser.close();
    await app.close();
  }
}
