import { describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { colorCount, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite({ demo: true });

const ROOMS = ['/lake', '/lake/night', '/lake/cinema', '/lake/hours', '/gallery', '/observatory', '/workshop'];
/** A desk's and a phone's, with few pixels: they are drawn in software. */
const SIZES = [
  { width: 480, height: 300 },
  { width: 240, height: 520 },
] as const;

describe('the demo', () => {
  test('its rooms are the ones that visitors find', async () => {
    const rows = await suite.app.client.visit.list();
    const paths = rows.flatMap((row) => [row.path, ...row.children.map(({ path }) => path)]);
    expect(paths.toSorted()).toEqual(ROOMS.toSorted());
  });

  test.each(ROOMS)('%s shows its room on a desk and turned on a phone, and nothing goes wrong', async (path) => {
    const [desk, phone] = SIZES;
    const { page, close, faults } = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: desk });
    await enterRoom(page, suite.app.origin + path);
    for (const size of [desk, phone]) {
      await page.setViewportSize(size);
      // A large picture reaches the screen some frames after it was drawn, where graphics are drawn by software.
      await expect.poll(async () => colorCount(await pixelsOf(page)), { timeout: 60_000 }).toBeGreaterThan(100);
    }
    expect(faults).toEqual([]);
    await close();
  });

  test('every link in it leads to one of its rooms', async () => {
    for (const path of ROOMS) {
      const [slugOne, slugTwo] = path.slice(1).split('/') as [string, string?];
      const params = { slugOne, slugTwo: slugTwo ?? '' };
      const { room } = slugTwo
        ? await suite.app.client.visit.two({ params })
        : await suite.app.client.visit.one({ params });
      const links = JSON.stringify(room).matchAll(/"slug_one":"([^"]*)","slug_two":"([^"]*)"/g);
      for (const [, one, two] of links) expect(ROOMS).toContain(two ? `/${one}/${two}` : `/${one}`);
    }
  });
});
