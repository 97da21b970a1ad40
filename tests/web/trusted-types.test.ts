import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { openAdmin, settled } from '../harness/admin-page.ts';
import { newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();

/** Writes markup as a library could, and tells what became of it. */
const write = (page: Page) =>
  page.evaluate(() => {
    const place = document.createElement('div');
    try {
      place.innerHTML = '<b>bold</b><img src="data:," onerror="window.ran = true">';
    } catch {
      return 'refused';
    }
    return place.innerHTML;
  });
const workerFrom = (page: Page, address: string) =>
  page.evaluate((from) => {
    try {
      new Worker(from).terminate();
      return 'made';
    } catch {
      return 'refused';
    }
  }, address);

describe('texts that a library writes into a page', () => {
  test('become elements neither before visitors nor in the back-office', async () => {
    const { page, close } = await newVisitor(web.browser, {});
    await page.goto(web.app.origin);
    expect(await write(page)).toBe('refused');
    await close();
    const admin = await openAdmin(web.app, web.browser, '/admin');
    await settled(admin.page);
    expect(await write(admin.page)).toBe('refused');
    expect(await workerFrom(admin.page, 'https://evil.example/x.js')).toBe('refused');
    expect(await workerFrom(admin.page, '/assets/none.js')).toBe('made');
    await admin.close();
  });

  test('become clean ones in the editor, whose text field writes them', async () => {
    const { client } = web.app;
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    const { page, close } = await openAdmin(web.app, web.browser, `/admin/editor/${id}`);
    await page.locator('[aria-label="Room"][data-state="ready"]').waitFor();
    expect(await write(page)).toBe('<b>bold</b><img src="data:,">');
    await close();
  });
});
