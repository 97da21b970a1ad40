import { expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { pixelsOf } from '../harness/picture.ts';
import type { ElementInput } from '../harness/web-app.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

test('nothing behind the page shines through along the edges of panels, however they are turned', async () => {
  const body = '<p>Words</p>';
  const turned = (rotation_y: number, rotation_z: number, place: Partial<ElementInput>): ElementInput[] => [
    {
      element: 'html',
      width: 200,
      height: 120,
      position_x: -220,
      position_z: -500,
      rotation_y,
      rotation_z,
      config: { body },
      ...place,
    } as ElementInput,
    {
      element: 'button',
      width: 200,
      height: 120,
      position_x: 220,
      position_z: -500,
      rotation_y,
      rotation_z,
      config: { title: 'Press' },
      ...place,
    } as ElementInput,
  ];
  const elements = [...turned(0.4, 0.07, { position_y: 90 }), ...turned(-0.7, 0.2, { position_y: -90 })];
  const path = await suite.app.publish({ width: 1600, height: 900, depth: 1600 }, elements);
  const { page, close } = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: { width: 1000, height: 700 } });
  await enterRoom(page, suite.app.origin + path);
  // No color of the room is like this one.
  await page.addStyleTag({ content: 'body { background: #f0f } #overlay { display: none }' });
  const { data, width } = await pixelsOf(page);
  const channels = data.length / (width * 700);
  const pink: string[] = [];
  for (let at = 0; at < data.length; at += channels) {
    const [red, green, blue] = data.subarray(at, at + 3);
    const pixel = at / channels;
    if (Math.min(red!, blue!) - green! > 6) pink.push(`${pixel % width},${Math.floor(pixel / width)}`);
  }
  expect(pink).toEqual([]);
  await close();
});
