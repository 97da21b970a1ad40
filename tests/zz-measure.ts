import { chromium } from 'playwright';
import { browserFlags, findChromium } from './harness/chromium.ts';
import { startWebApp } from './harness/web-app.ts';
const SLOW = { offline: false, latency: 200, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const app = await startWebApp({ demo: true });
for (const path of (process.argv[2] ?? '/gallery,/lake').split(',')) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW);
  await page.goto(app.origin + path, { waitUntil: 'commit' });
  await page.locator('#entrance.is-ready').waitFor({ timeout: 120_000 });
  const ready = await page.evaluate(() => performance.now());
  const _before = await page.evaluate(() => performance.getEntriesByType('resource').filter((e: any)=>e.responseEnd>0).map(e => e.name));
  await page.locator('#entrance').press('Enter');
  const pressed = await page.evaluate(() => performance.now());
  await page.getByRole('button', { name: 'More' }).waitFor({ timeout: 120_000 });
  const controls = await page.evaluate(() => performance.now());
  const list = await page.evaluate(() => (performance.getEntriesByType('resource') as any[]).map((e) => ({ n: new URL(e.name).pathname.split('/').pop() + new URL(e.name).search, s: Math.round(e.startTime), e: Math.round(e.responseEnd), b: e.transferSize })));
  const between = list.filter((r) => r.e > pressed || r.s > pressed);
  console.log(path, { ready: Math.round(ready), pressed: Math.round(pressed), controlsAfterPress: Math.round(controls - pressed), requestsAfterPress: between.length, total: list.length });
  console.log(list.filter(r=>/\.(js|css|woff2)/.test(r.n)).map((r) => `${r.s}-${r.e} ${r.b} ${r.n}`).join('\n'));
  await browser.close();
}
await app.close();
process.exit(0);
