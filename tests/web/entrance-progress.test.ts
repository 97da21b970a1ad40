import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, test } from 'vitest';
import { newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

/** A slow line, on which either file takes seconds. */
const SLOW = { offline: false, latency: 20, downloadThroughput: 150_000, uploadThroughput: 50_000 } as const;

const suite = webSuite();

declare global {
  interface Window {
    /** What the bar showed, one after the other. */
    shown: number[];
  }
}

/** Notes each part of the whole that the entrance's bar shows. */
const watchBar = (page: Page) =>
  page.addInitScript(() => {
    window.shown = [];
    const note = () => {
      const { style } = document.getElementById('entrance-progress') ?? {};
      const part = Number(/scaleX\((.+)\)/.exec(style?.transform ?? '')?.[1]);
      if (part && part !== window.shown.at(-1)) window.shown.push(part);
    };
    new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ['style'] });
  });

/** A panorama too narrow for a small copy of it to come first, and so full of detail that it is large. */
async function detailed(): Promise<File> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = sharp({ create: { width: 960, height: 480, channels: 3, background: '#808080', noise } });
  const bytes = await picture.jpeg({ quality: 92 }).toBuffer();
  return new File([new Uint8Array(bytes)], 'detailed.jpg', { type: 'image/jpeg' });
}

/** Publishes a room that is one file. */
async function publish(model_type: 'model' | 'pano'): Promise<{ path: string; url: string }> {
  const { client } = suite.app;
  const { id: file_id, url } =
    model_type === 'model'
      ? await suite.app.upload('fixtures/media/gallery.glb')
      : await client.media.upload({ body: {}, files: { file: await detailed() } });
  const template = await client.templates.create({ body: { name: 'Slow', model_type, file_id } });
  return { path: await suite.app.publish({ template_id: template.id }), url };
}

describe('the bar of the entrance', () => {
  test.concurrent.for(['model', 'pano'] as const)(
    'follows the one file of a room over a slow line: %s',
    async (kind, { expect }) => {
      const { path, url } = await publish(kind);
      const { page, context, faults } = await newVisitor(suite.browser);
      await watchBar(page);
      // The line is slow for the room's file, not for the page around it.
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      await page.route(`**${url}`, async (route) => {
        await page.waitForFunction(() => window.enfilade?.stage);
        await session.send('Network.emulateNetworkConditions', SLOW);
        await route.continue();
      });
      await page.goto(suite.app.origin + path);
      await page.waitForFunction(() => window.shown.filter((part) => part > 0.05 && part < 0.95).length >= 4);
      expect(await page.locator('#entrance.is-ready').count()).toBe(0);
      await page.locator('#entrance.is-ready').waitFor();
      const shown = await page.evaluate(() => window.shown);
      expect(shown).toEqual(shown.toSorted((one, other) => one - other));
      expect(shown.at(-1)).toBe(1);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
