import { describe, expect, test } from 'vitest';
import { webSuite } from '../harness/web-suite.ts';
import { newGuest, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();

describe('what can’t be drawn', () => {
  test('is logged and skipped: without a file, and of a type that nobody knows', async () => {
    const guest = await newGuest(suite.app, suite.browser);
    const { page } = guest;
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const without = ['image', 'model', 'audio', 'native_video', 'iframe', 'motion', 'live_stream'] as const;
    await visitTree(suite.app, guest, [
      ...without.map((element) => ({ element, name: element }) as Written),
      { element: 'video', config: { type: 'local' } },
      { element: 'text', name: 'Still there', position_y: -40, config: { text: 'Here' } },
    ]);
    for (const word of ['image', 'model', 'audio', 'video', 'frame', 'motion', 'live stream'])
      expect(said.join('\n')).toMatch(new RegExp(`The ${word} has no`));
    expect(await page.evaluate(() => window.enfilade!.stage!.memory.views)).toBe(1);
    await page.evaluate(() => {
      const { endpoint } = JSON.parse(document.getElementById('visit')!.textContent!);
      endpoint.room.elements[0].element = 'hologram';
      window.enfilade!.open({ endpoint, at: performance.now() });
    });
    await expect.poll(() => said.join('\n')).toMatch(/Invalid element/);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });
});
