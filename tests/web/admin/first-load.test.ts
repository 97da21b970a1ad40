import { readFile, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { DIST } from '../../../src/server/app/app.ts';
import { openAdmin, settled } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

/** Most JavaScript, brotli, that the back-office loads before its first screen stands, in bytes. */
const BUDGET = 350_000;
/** Most files that is: a browser asks for six at a time. */
const FILES = 40;

const web = webSuite();

test(`the back-office loads at most ${BUDGET / 1000} kB of JavaScript, and nothing that draws rooms or edits text`, async () => {
  const { page, context } = await openAdmin(web.app, web.browser, '/admin');
  await settled(page);
  const names = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname.slice(1))
      .filter((name) => name.endsWith('.js')),
  );
  const files = [...new Set(names)];
  expect(files.length).toBeGreaterThan(1);
  expect(files.length).toBeLessThanOrEqual(FILES);
  const sizes = await Promise.all(files.map(async (file) => (await stat(`${DIST}/${file}.br`)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`Back-office: ${total} bytes of JavaScript in ${files.length} files (budget ${BUDGET}).`);
  expect(total).toBeLessThanOrEqual(BUDGET);
  for (const file of files)
    expect(await readFile(`${DIST}/${file}`, 'utf8'), file).not.toMatch(/WebGLRenderer|ql-editor|tweakpane/);
  await context.close();
});
