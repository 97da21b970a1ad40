import { chromium } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp } from '../../harness/web-app.ts';
import { median } from '../server-process.ts';
import { furnish, LONG, measureLists, SPACES } from './back-office.ts';
import { COUNT, furnishLarge, type Moved, measureDrag, measurePlainDrag, type Plain } from './drag.ts';
import { measurePlainLists } from './plain-page.ts';

/** Milliseconds of a task that users perceive as a freeze. */
const HALT = 100;
/** Maximum milliseconds of a main-thread task while a drag is saved. */
const SAVED = { one: 50, all: 100 } as const;
/** Maximum ratio to plain three.js of the frame time while one of many elements is dragged, or all are. */
const FRAME = { one: 1, all: 2.5 } as const;

/** A table row: our results of all rounds, those of the plain page if it does the same, and the limit. */
interface Row {
  name: string;
  ours: number[];
  plain: number[];
  limit: number;
  /** Whether the limit applies to the ratio. */
  isRatio?: boolean;
}

function print({ name, ours, plain, limit, isRatio = false }: Row): boolean {
  const middle = median(ours);
  const beside = plain.length > 0 ? median(plain) : undefined;
  const ratio = beside ? middle / beside : undefined;
  const columns = [
    middle.toFixed(1),
    beside?.toFixed(1) ?? '',
    ratio?.toFixed(2) ?? '',
    isRatio ? `×${limit}` : `${limit}`,
  ];
  const isKept = (isRatio ? ratio! : middle) <= limit;
  const verdict = isKept ? '' : 'over its limit';
  console.log([name.padEnd(56), ...columns.map((text) => text.padStart(9)), verdict].join('  '));
  return isKept;
}

/**
 * Measures whether the back office and the editor stay responsive with very large data, compared with minimal pages:
 * CPU time of the main thread, from Chromium's trace.
 * @returns whether the limits are met
 */
export async function compareScreens(rounds: number): Promise<boolean> {
  const app = await startWebApp();
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  try {
    const titles: Record<string, string> = {
      'list opened': `${LONG} structures: opened`,
      'list scrolled': `${LONG} structures: scrolled`,
      'spaces opened': `${SPACES} spaces with posters: opened`,
      'spaces scrolled': `${SPACES} spaces with posters: scrolled`,
      'spaces as cards': `${SPACES} spaces with posters: as cards`,
      'page opened': '100000 access tokens: opened',
      'page scrolled': '100000 access tokens: scrolled',
      'tree scrolled': `${LONG} elements: scrolled`,
      'tree searched': `${LONG} elements: searched`,
      renamed: `${LONG} elements: one renamed and saved`,
    };
    const rows = new Map(
      Object.entries(titles).map(([key, name]): [string, Row] => [key, { name, ours: [], plain: [], limit: HALT }]),
    );
    const frames = (moved: Moved, plain: Plain): Row => {
      const name = `${COUNT} elements: a frame of dragging ${moved}, beside ${plain}`;
      return { name, ours: [], plain: [], limit: FRAME[moved], isRatio: true };
    };
    const dragging = (['one', 'all'] as const).flatMap((moved) =>
      (['boxes', 'pictures'] as const).map((plain) => ({ moved, plain, row: frames(moved, plain) })),
    );
    const lettingGo = (moved: Moved): Row => {
      const name = `${COUNT} elements: ${moved} let go and saved`;
      return { name, ours: [], plain: [], limit: SAVED[moved] };
    };
    const saved = { one: lettingGo('one'), all: lettingGo('all') };
    const room = await furnish(app);
    const large = await furnishLarge(app);
    for (let round = 0; round < rounds; round++) {
      const [ours, plain] = [await measureLists(app, browser, room, round), await measurePlainLists(browser)];
      for (const [key, row] of rows) {
        row.ours.push(ours[key]!);
        if (plain[key] !== undefined) row.plain.push(plain[key]);
      }
      for (const moved of ['one', 'all'] as const) {
        const drag = await measureDrag(app, browser, large, moved);
        saved[moved].ours.push(drag.saved);
        for (const { plain, row } of dragging.filter((each) => each.moved === moved)) {
          row.ours.push(drag.frame);
          row.plain.push(await measurePlainDrag(browser, moved, plain));
        }
      }
    }
    console.log(
      `\nScreens, milliseconds of the main thread: longest task, or a frame; medians of ${rounds} round(s)\n`,
    );
    console.log(
      `${''.padEnd(56)}  ${['enfilade', 'plain', 'ratio', 'limit'].map((title) => title.padStart(9)).join('  ')}`,
    );
    return [...rows.values(), ...dragging.map(({ row }) => row), saved.one, saved.all].map(print).every(Boolean);
  } finally {
    await browser.close();
    await app.close();
  }
}
