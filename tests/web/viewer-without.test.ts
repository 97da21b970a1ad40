import { describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const small = { width: 800, height: 600, depth: 800 };

describe('without WebGL', () => {
  test('the way to the room as text is seen', async () => {
    const { page, context } = await newVisitor(suite.browser);
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = (() => null) as never;
    });
    await page.goto(suite.app.origin + (await suite.app.publish(small)));
    await page.getByText('This room needs WebGL').waitFor();
    const link = page.getByRole('link', { name: 'Read this room as text' });
    expect((await link.boundingBox())!.height).toBeGreaterThan(30);
    await link.click();
    await page.waitForURL(/\?text$/);
    await context.close();
  });
});

describe('without scripts', () => {
  /** Contrast of a text against the page's ink. */
  const contrast = (color: string) => {
    const light = [...color.matchAll(/[\d.]+/g)].slice(0, 3).reduce((sum, [value], at) => {
      const part = Number(value) / 255;
      return sum + [0.2126, 0.7152, 0.0722][at]! * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
    return (light + 0.05) / (0.009 + 0.05);
  };

  test('a page says what it needs and where the text is, to be read; a wrong address what is wrong', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const { page, close } = await newVisitor(suite.browser, { javaScriptEnabled: false });
    await page.goto(suite.app.origin + path);
    expect(await page.locator('noscript').textContent()).toContain('This room needs JavaScript and WebGL.');
    const link = page.locator('noscript a');
    expect(contrast(await link.evaluate((each) => getComputedStyle(each).color))).toBeGreaterThan(4.5);
    await close();
    const plain = await fetch(`${suite.app.origin}/nothing-here`).then((answer) => answer.text());
    expect(plain).toContain('<h1>This page does not exist.</h1>');
    // There is nothing to read as text.
    expect(plain).not.toContain('?text');
  });

  test('what opens carries its title before any script', async () => {
    const path = await suite.app.publish({ ...small, title: 'Hall' });
    const { name } = await suite.app.client.visit.one({ params: { slugOne: path.slice(1) } });
    const html = await fetch(suite.app.origin + path).then((answer) => answer.text());
    expect(html).toContain(`<span id="entrance-title" lang="" dir="auto">${name}</span>`);
  });
});

describe('links in what an administrator wrote', () => {
  test('lead to other rooms within the visit, from a panel and from a dialog', async () => {
    const next = await suite.app.publish({ ...small, title: 'Next' });
    const body = `<p><a href="${next}">Next door</a></p>`;
    const navigation = { type: 'modal_content' as const, type_config: { title: 'Ways', content: body } };
    const here = await suite.app.publish({ ...small, config: { top_right_link: { name: 'Ways', navigation } } }, [
      { element: 'html', position_z: -300, width: 300, height: 200, config: { body } },
    ]);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + here);
    const mark = () => page.evaluate(() => Object.assign(window, { same: true }));
    const isSame = () => page.evaluate(() => 'same' in window);
    await mark();
    await page.locator('.stage-panel a').dispatchEvent('click', { bubbles: true, cancelable: true, button: 0 });
    await page.waitForURL(suite.app.origin + next);
    expect(await isSame()).toBe(true);
    await page.goBack();
    await page.getByRole('button', { name: 'Ways' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Next door' }).click();
    await page.waitForURL(suite.app.origin + next);
    expect(await isSame()).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await close();
  });
});

describe('a graphics context that was lost', () => {
  test('comes back with the light from all around', async () => {
    const path = await suite.app.publish(small, [
      { element: 'model', file_id: (await suite.app.upload('fixtures/media/orrery.glb')).id, position_z: -300 },
    ]);
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const light = () => page.evaluate(() => window.enfilade!.stage!.three.environment?.uuid);
    await expect.poll(light).toBeTruthy();
    const before = await light();
    const extension = await page.evaluateHandle(
      () => document.querySelector('canvas')!.getContext('webgl2')!.getExtension('WEBGL_lose_context')!,
    );
    await extension.evaluate((each) => each.loseContext());
    await page.getByText('Graphics were interrupted. Restoring…').waitFor();
    await extension.evaluate((each) => each.restoreContext());
    await expect.poll(async () => [undefined, before].includes(await light())).toBe(false);
    await close();
  });
});
