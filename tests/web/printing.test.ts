import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
let path: string;

beforeAll(async () => {
  const { id: file_id } = await suite.app.upload(
    join(import.meta.dirname, '../../fixtures/media/pictures/chapel-light.webp'),
  );
  const navigation = {
    type: 'modal_content' as const,
    type_config: { title: 'More', content: '<p>Glass of 1901.</p>' },
  };
  path = await suite.app.publish({ title: 'Chapel', description: '<p>Open on Sundays.</p>', depth: 800 }, [
    { element: 'image', file_id, position_z: -300, config: { title: 'Rose window', author: 'S. Brandt', navigation } },
    { element: 'html', position_z: -300, position_x: 200, config: { body: '<p>Built of brick.</p>' } },
  ]);
});

/** Runs what the browser's print dialog runs, and lays the page out for paper. */
async function toPaper(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
}

test('a room on paper is its current view, its title and its texts, without controls', async () => {
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, suite.app.origin + path);
  await page.getByRole('button', { name: 'More' }).waitFor();
  await toPaper(page);
  for (const words of ['Chapel', 'Open on Sundays.', 'Rose window', 'S. Brandt', 'Built of brick.'])
    expect(await page.locator('article').getByText(words, { exact: true }).isVisible(), words).toBe(true);
  expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0);
  const picture = page.locator('#room > img.stage-canvas');
  expect(await picture.isVisible()).toBe(true);
  const { width, height } = (await picture.boundingBox())!;
  expect([Math.round(width), Math.round(height)]).toEqual([680, 425]);
  const article = (await page.locator('article').boundingBox())!;
  expect(article.y).toBeGreaterThan(height - 1);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await picture.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More' }).waitFor();
  await close();
});

test('a printed text page expands its details and places captions beside their images', async () => {
  const { page, close } = await newVisitor(suite.browser, { javaScriptEnabled: false });
  await page.goto(`${suite.app.origin}${path}?text`);
  const folded = page.getByText('Glass of 1901.');
  expect(await folded.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await folded.isVisible()).toBe(true);
  const image = (await page.locator('figure img').boundingBox())!;
  const caption = (await page.locator('figcaption').boundingBox())!;
  expect(caption.x).toBeGreaterThanOrEqual(image.x + image.width);
  expect(await page.getByText('Enter the room').isVisible()).toBe(false);
  await close();
});
