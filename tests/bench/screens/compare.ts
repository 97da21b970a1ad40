import { type Browser, chromium } from 'playwright';
import { browserFlags, findChromium } from '../../harness/chromium.ts';
import { startWebApp, type WebApp } from '../../harness/web-app.ts';
import { idsOf, median, type Outcomes, type Scope, whyNoChromium, without } from '../bench.ts';
import { furnish, type Longest, measureLists, measureMediaAnswers } from './back-office.ts';
import { furnishLarge, type Moved, measureDrag, measurePlainDrag, type Plain } from './drag.ts';
import { measurePlainLists } from './plain-page.ts';

const SIZES = {
  full: { long: 5270, spaces: 2000, files: 10_000, tokens: 10, dragged: 2000 },
  quick: { long: 1000, spaces: 300, files: 2000, tokens: 2, dragged: 1000 },
} as const;

/** Actions on each list. */
const LISTS: Record<string, readonly string[]> = {
  '10': ['list opened', 'list scrolled'],
  '10 spaces': ['spaces opened', 'spaces scrolled', 'spaces as cards'],
  '10 tokens': ['page opened', 'page scrolled'],
  tree: ['tree scrolled', 'tree searched', 'renamed'],
};

/** Drags, with the row of the frame beside each plain page, and that of saving. */
const DRAGS = [
  { moved: 'one', boxes: '6', pictures: '6 pictures', saved: 'saved' },
  { moved: 'all', boxes: 'drag all', pictures: 'drag all pictures', saved: 'saved all' },
] as const;

interface Place {
  app: WebApp;
  browser: Browser;
}

async function compareLists({ app, browser }: Place, { rounds, isQuick }: Scope): Promise<Outcomes> {
  const sizes = isQuick ? SIZES.quick : SIZES.full;
  const room = await furnish(app, sizes);
  const results: Longest[] = [];
  const plain: Longest[] = [];
  const answers: number[] = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await measureLists(app, browser, { room, round, sizes }));
    answers.push(await measureMediaAnswers(app, sizes.files));
    plain.push(await measurePlainLists(browser, sizes.long));
  }
  const beside = median(plain.map((result) => Object.values(result).reduce((sum, time) => sum + time, 0)));
  const outcomes: Outcomes = { '10 media list': { value: median(answers) } };
  for (const [id, actions] of Object.entries(LISTS)) {
    const times = actions.map((action) => median(results.map((result) => result[action]!)));
    const texts = actions.map((action, index) => {
      const others = plain.flatMap((result) => result[action] ?? []);
      const rest = others.length > 0 ? ` (plain page ${median(others).toFixed(0)})` : '';
      return `${action} ${times[index]!.toFixed(0)}${rest}`;
    });
    const detail = texts.join(' · ');
    outcomes[id] = { value: Math.max(...times), detail, beside };
  }
  return outcomes;
}

async function compareDrag(
  { app, browser }: Place,
  { moved, boxes, pictures, saved }: (typeof DRAGS)[number],
  { rounds, isQuick }: Scope,
): Promise<Outcomes> {
  const count = isQuick ? SIZES.quick.dragged : SIZES.full.dragged;
  const large = await furnishLarge(app, count);
  const frames: number[] = [];
  const saves: number[] = [];
  const beside: Record<Plain, number[]> = { boxes: [], pictures: [] };
  for (let round = 0; round < rounds; round++) {
    const drag = await measureDrag(app, browser, large, moved as Moved);
    frames.push(drag.frame);
    saves.push(drag.saved);
    for (const plain of ['boxes', 'pictures'] as const)
      beside[plain].push(await measurePlainDrag(browser, { moved, plain, count }));
  }
  const frame = median(frames);
  const besidePlain = (plain: Plain) => {
    const other = median(beside[plain]);
    return { value: frame / other, detail: `ms: ${frame.toFixed(1)} to ${other.toFixed(1)}` };
  };
  return {
    [boxes]: besidePlain('boxes'),
    [pictures]: besidePlain('pictures'),
    [saved]: { value: median(saves), beside: median(beside.boxes) },
  };
}

/**
 * Measures whether the back office and the editor stay responsive with very large data, and a drag beside plain
 * three.js: CPU time of the main thread, from Chromium's trace.
 */
export async function compareScreens(scope: Scope): Promise<Outcomes> {
  const missing = await whyNoChromium();
  if (missing) return without(idsOf('screens'), missing);
  const app = await startWebApp();
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  const place = { app, browser };
  try {
    const outcomes: Outcomes = {};
    if ([...Object.keys(LISTS), '10 media list'].some(scope.wants))
      Object.assign(outcomes, await compareLists(place, scope));
    for (const drag of DRAGS) {
      const ids = [drag.boxes, drag.pictures, drag.saved];
      if (!ids.some(scope.wants)) continue;
      const isLeftOut = scope.isQuick && drag.moved === 'all';
      Object.assign(outcomes, isLeftOut ? without(ids, 'only in the full run') : await compareDrag(place, drag, scope));
    }
    return outcomes;
  } finally {
    await browser.close();
    await app.close();
  }
}
