import type { Group, Mesh } from 'three';
import { describe, expect, test } from 'vitest';
import { LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { newGuest, nextFrames, visitTree } from './elements/play.ts';

const suite = webSuite();

describe('3D text in letters that the font lacks', () => {
  test('is drawn in fonts of the browser: Greek, Cyrillic and joined Arabic letters', async () => {
    const guest = await newGuest(suite.app, suite.browser);
    const words = ['Ω', 'Ж', 'سلام', 'س ل ا م', 'Room'];
    await visitTree(
      suite.app,
      guest,
      words.map((text, index) => ({
        element: 'text',
        position_z: -500,
        position_y: index * 120 - 240,
        config: { text },
      })),
    );
    await nextFrames(guest.page, 3);
    const shapes = await guest.page.evaluate(() =>
      window.enfilade!.state.endpoint!.room!.elements.map(({ id }) => {
        const { geometry } = (window.enfilade!.stage!.viewOf(id)!.object as Group).children[0] as Mesh;
        geometry.computeBoundingBox();
        const { min, max } = geometry.boundingBox!;
        return { points: geometry.attributes.position!.count, width: max.x - min.x, height: max.y - min.y };
      }),
    );
    const [omega, zhe, joined, apart, latin] = shapes as [Shape, Shape, Shape, Shape, Shape];
    // Boxes for missing glyphs would have the same points.
    expect(omega.points).not.toBe(zhe.points);
    for (const { width, height } of [omega, zhe, joined]) {
      expect(height).toBeGreaterThan(30);
      expect(height).toBeLessThan(120);
      expect(width).toBeGreaterThan(30);
    }
    expect(joined.width).toBeLessThan(apart.width * 0.8);
    expect(latin.width).toBeGreaterThan(150);
    await guest.close();
  });
});

interface Shape {
  points: number;
  width: number;
  height: number;
}

describe('right-to-left text', () => {
  test('sets the direction of titles, buttons and paragraphs', async () => {
    const path = await suite.app.publish({ width: 800, height: 600, depth: 800, title: 'مرحبا بالعالم!' }, [
      { element: 'button', position_z: -300, width: 240, height: 60, config: { title: 'ابدأ الآن!' } },
      {
        element: 'html',
        position_z: -300,
        position_y: 150,
        width: 300,
        height: 120,
        config: { body: '<p>مرحبا!</p><p>Hello!</p>' },
      },
    ]);
    const { page, close } = await newVisitor(suite.browser, LOOKED_AT);
    await page.goto(suite.app.origin + path);
    await page.getByText('Click to enter').click();
    const directionOf = (text: string) =>
      page
        .getByText(text, { exact: true })
        .first()
        .evaluate((each) => getComputedStyle(each).direction);
    await page.getByRole('heading', { name: 'مرحبا' }).waitFor();
    expect(await directionOf('مرحبا بالعالم!')).toBe('rtl');
    expect(await directionOf('ابدأ الآن!')).toBe('rtl');
    const aligned = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const [words, paragraph] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
        return words.left - paragraph.left > paragraph.right - words.right ? 'right' : 'left';
      });
    expect([await aligned('مرحبا!'), await aligned('Hello!')]).toEqual(['right', 'left']);
    await close();
  });
});
