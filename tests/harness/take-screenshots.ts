/** Takes the README's screenshots of the demo rooms, and their posters: `npm run screenshots`. */
import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { browserFlags, findChromium } from './chromium.ts';
import { startWebApp } from './web-app.ts';

const FOLDER = 'fixtures/screenshots';
const ROOMS = {
  lake: '/lake',
  night: '/lake/night',
  gallery: '/gallery',
  observatory: '/observatory',
  workshop: '/workshop',
};
const SIZES = [
  { suffix: '', width: 1440, height: 900 },
  { suffix: '-phone', width: 390, height: 844 },
];
/** Folder of the demo's posters. */
const POSTERS = 'fixtures/posters';
const POSTERS_ONLY = { cinema: '/lake/cinema', hours: '/lake/hours' };
const POSTER_SIZE = { width: 1200, height: 630 };

async function enter(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('#entrance.is-ready').waitFor({ timeout: 120_000 });
  await page.locator('#entrance').press('Enter');
  await page.locator('#room[data-state="ready"]').waitFor({ timeout: 120_000 });
  await page.locator('#entrance').waitFor({ state: 'hidden' });
  // Controls hide while a slow machine renders; moving the mouse shows them again.
  await page.mouse.move(200, 200);
  await page.locator('[data-idle="false"]').waitFor();
}

const app = await startWebApp({ demo: true });
const browser = await chromium.launch({ executablePath: findChromium(), args: browserFlags() });
await mkdir(FOLDER, { recursive: true });
for (const [name, path] of Object.entries(ROOMS)) {
  for (const { suffix, width, height } of SIZES) {
    const page = await browser.newPage({ viewport: { width, height } });
    await enter(page, app.origin + path);
    const picture = await page.screenshot({ timeout: 120_000 });
    await sharp(picture).jpeg({ quality: 82, mozjpeg: true }).toFile(`${FOLDER}/${name}${suffix}.jpg`);
    console.log(`${FOLDER}/${name}${suffix}.jpg`);
    await page.close();
  }
}
await mkdir(POSTERS, { recursive: true });
for (const [name, path] of Object.entries({ ...ROOMS, ...POSTERS_ONLY })) {
  const page = await browser.newPage({ viewport: POSTER_SIZE, reducedMotion: 'reduce' });
  await enter(page, app.origin + path);
  await page.locator('#overlay').evaluate((overlay) => {
    overlay.style.display = 'none';
  });
  const picture = await page.screenshot({ timeout: 120_000 });
  await sharp(picture).jpeg({ quality: 80, mozjpeg: true }).toFile(`${POSTERS}/${name}.jpg`);
  console.log(`${POSTERS}/${name}.jpg`);
  await page.close();
}
await browser.close();
await app.close();
