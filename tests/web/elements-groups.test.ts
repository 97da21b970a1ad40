import { describe, expect, test } from 'vitest';
import { colorCount, pixelsOf } from '../harness/picture.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, newGuest, nextFrames, plainRoom, send, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();

describe('pictures and groups', () => {
  test('a picture’s title, author and date stand beside it, on the side and in the color that are set', async () => {
    const { id } = await suite.app.upload('fixtures/media/panorama-poster.jpg');
    const words = { title: 'Red title', author: 'Somebody', date: '2024', title_color: '#FF0000', title_size: 30 };
    const picture = (title_alignment: string): Written =>
      ({
        element: 'image',
        file_id: id,
        width: 150,
        height: 150,
        ignore_light: true,
        config: { ...words, title_alignment },
      }) as Written;
    const reds: Record<string, [number, number]> = {};
    for (const side of ['left', 'right']) {
      const guest = await newGuest(suite.app, suite.browser);
      await visitTree(suite.app, guest, [picture(side)]);
      await nextFrames(guest.page, 5);
      const { width, height, data } = await pixelsOf(guest.page);
      const count: [number, number] = [0, 0];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const at = (y * width + x) * 3;
          if (data[at]! > 200 && data[at + 1]! < 60 && data[at + 2]! < 60) count[x < width / 2 ? 0 : 1]++;
        }
      reds[side] = count;
      expect([guest.faults, guest.strays]).toEqual([[], []]);
      await guest.close();
    }
    expect(reds.left![0]).toBeGreaterThan(100);
    expect(reds.left![1]).toBe(0);
    expect(reds.right![1]).toBeGreaterThan(100);
    expect(reds.right![0]).toBe(0);
  });

  test('a press inside a slider opens it, at what was pressed; a feed fills a group with pictures', async () => {
    const { id, url } = await suite.app.upload('fixtures/media/panorama-poster.jpg');
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    const picture = (name: string, x: number): Written => ({
      element: 'image',
      name,
      file_id: id,
      width: 150,
      position_x: x,
    });
    await visitTree(suite.app, guest, [
      {
        element: 'group',
        name: 'Slider',
        config: { slider_enabled: true },
        children: [picture('One', -100), picture('Two', 100)],
      },
      { element: 'group', name: 'Feed', position_y: 500, config: { feed_enabled: true, feed_layout: 'fixed' } },
    ]);
    await page.mouse.click(320, 150);
    const state = () => page.evaluate(() => window.enfilade!.stage!.scene.state());
    await expect
      .poll(async () => (await state()).slider)
      .toEqual({
        element_id: await idOf(page, 'Slider'),
        slide: await idOf(page, 'Two'),
      });
    const before = await page.evaluate(() => window.enfilade!.stage!.memory.views);
    const items = [
      { file_url: url, title: 'First' },
      { file_url: url, author: 'Second' },
    ];
    await send(page, { type: 'feed', element_id: await idOf(page, 'Feed'), items });
    await page.waitForFunction((count) => window.enfilade!.stage!.memory.views === count + 2, before);
    await send(page, { type: 'feed', element_id: await idOf(page, 'Feed'), items: [] });
    await page.waitForFunction((count) => window.enfilade!.stage!.memory.views === count, before);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('other visitors are drawn as discs, or as the room’s model, until they are gone', async () => {
    const { id } = await suite.app.upload('fixtures/media/orrery.glb');
    const look = { ...plainRoom.config, realtime: true };
    const looks = [look, { ...look, realtime_file_id: id, realtime_scale: { x: 60, y: 60, z: 60 } }];
    const draw = async (config: typeof look) => {
      const guest = await newGuest(suite.app, suite.browser);
      const { page } = guest;
      await visitTree(suite.app, guest, [], { ...plainRoom, config });
      const before = await pixelsOf(page);
      const empty = colorCount(before);
      const colors = async () => colorCount(await pixelsOf(page));
      // Sent again and again, as a visitor who stays does: a marker is gone after some seconds of silence.
      const seen = async () => {
        await send(page, { type: 'presence', ref: 'somebody', x: 0, y: 0, z: 0 });
        return colors();
      };
      await expect.poll(seen, { timeout: 40_000 }).toBeGreaterThan(empty);
      await page.waitForFunction(() => window.enfilade!.stage!.scene.state().markers === undefined);
      await expect.poll(colors, { timeout: 20_000 }).toBe(empty);
      expect([guest.faults, guest.strays]).toEqual([[], []]);
      await guest.close();
    };
    await Promise.all(looks.map(draw));
  });
});
