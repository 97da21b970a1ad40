import { test } from 'vitest';
import { openAdmin } from '../harness/admin-page.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite({ demo: true });
const shots = (process.env.SHOTS ?? '').split(',').filter(Boolean);

test('shots', { timeout: 300_000 }, async () => {
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    const { page, close } = await openAdmin(web.app, web.browser, '/admin', {
      scheme,
      deviceScaleFactor: 1,
      viewport: { width, height: width === 390 ? 844 : 900 },
    });
    for (const path of shots) {
      await page.goto(web.app.origin + path.replaceAll(';', ','));
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await page.waitForTimeout(400);
      await page.screenshot({ path: `/tmp/shots/${path.replace(/[^a-z0-9]+/gi, '_')}-${scheme}-${width}.png` });
    }
    await close();
  }
});
