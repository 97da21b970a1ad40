import { describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { zipOf } from '../harness/zip.ts';
import { asset, hasOpenAssets, publishTree, sayIfAbsent } from './elements/play.ts';

sayIfAbsent();
const suite = webSuite();

/** The page of a zip as a visitor sees it in a room: the words and pictures that it shows. */
async function shown(file_id: number): Promise<{ words: string; pictures: number; styled: string }> {
  const path = await publishTree(suite.app, {}, [{ element: 'iframe', width: 800, height: 600, file_id }]);
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, suite.app.origin + path);
  const handle = await page.locator('#room iframe').elementHandle();
  const frame = (await handle!.contentFrame())!;
  await frame.waitForLoadState('load');
  const seen = await frame.evaluate(() => ({
    words: document.body.textContent.trim(),
    pictures: [...document.images].filter(({ naturalWidth }) => naturalWidth > 0).length,
    styled: getComputedStyle(document.querySelector('h1') ?? document.body).fontFamily,
  }));
  await close();
  return seen;
}

describe('a page that comes as a zip', () => {
  test('is unpacked and shown with its styles and pictures, also from a folder and beside what a Mac adds', async () => {
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
      'base64',
    );
    const zip = zipOf([
      { name: 'tour/', content: '' },
      {
        name: 'tour/index.html',
        content:
          '<!doctype html><link rel="stylesheet" href="style.css"><h1>Tour</h1><img src="images/one.png" alt=""><img src="images/two.png" alt="">',
      },
      { name: 'tour/style.css', content: 'h1 { font-family: monospace }' },
      { name: 'tour/images/', content: '' },
      { name: 'tour/images/one.png', content: pixel },
      { name: '__MACOSX/tour/images/._one.png', content: 'of the Mac' },
      { name: 'tour/images/two.png', content: pixel },
    ]);
    const file = new File([new Uint8Array(zip)], 'tour.zip');
    const { id } = await suite.app.client.media.upload({ body: {}, files: { file } });
    expect(await shown(id)).toEqual({ words: 'Tour', pictures: 2, styled: 'monospace' });
  });

  test.skipIf(!hasOpenAssets)('made by others is shown: a template of a site, and a gallery in a folder', async () => {
    const template = await suite.app.upload(asset('site/html5-boilerplate.zip'));
    expect((await shown(template.id)).words).toContain('Hello world!');
    const gallery = await suite.app.upload(asset('site/mdn-gallery-nested.zip'));
    const { words, pictures } = await shown(gallery.id);
    expect(words).toContain('Image gallery');
    expect(pictures).toBeGreaterThan(0);
  });
});
