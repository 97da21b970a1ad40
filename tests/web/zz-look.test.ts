import { test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite({ demo: true });
const OUT = '/tmp/visit-shots';
const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true };

test('look', { timeout: 500_000 }, async () => {
  for (const [name, options] of [
    ['desk', DESK],
    ['phone', PHONE],
  ] as const) {
    const { page, close } = await newVisitor(suite.browser, options);
    for (const path of ['gallery', 'lake', 'lake/night', 'lake/cinema', 'lake/hours', 'observatory', 'workshop']) {
      await enterRoom(page, `${suite.app.origin}/${path}`).catch(() => undefined);
      await page.waitForTimeout(1200);
      await page.screenshot({ path: `${OUT}/${path.replace('/', '-')}-${name}.png` });
      if (path === 'gallery') {
        const button = page.getByRole('button', { name: 'Nine Peaks in Mist' });
        await button.first().press('Enter');
        await page.waitForTimeout(2500);
        await page.screenshot({ path: `${OUT}/closer-${name}.png` });
        await page.keyboard.press('+');
        await page.keyboard.press('+');
        await page.keyboard.press('+');
        await page.waitForTimeout(800);
        await page.screenshot({ path: `${OUT}/closer-zoomed-${name}.png` });
        await page.keyboard.press('Escape');
      }
    }
    await page.goto(`${suite.app.origin}/nowhere`);
    await page.screenshot({ path: `${OUT}/landing-${name}.png` });
    await close();
  }
});
