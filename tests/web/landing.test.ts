import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const small = { width: 800, height: 600, depth: 800 };
let front: string;
let hidden: string;

beforeAll(async () => {
  const { client } = suite.app;
  await client.organizations.update({ body: { name: 'Museum of Doors' } });
  front = await suite.app.publish({ ...small, title: 'Hall' });
  await suite.app.publish({ ...small, title: 'Attic' });
  const vault = await client.rooms.create({ body: { title: 'Vault' } });
  await client.endpoints.create({ body: { name: 'Vault', room_id: vault.id, is_protected: true } });
  const { slug } = await client.endpoints.create({ body: { name: 'Cellar', room_id: vault.id, is_visible: false } });
  hidden = `/${slug}`;
  const bare = await client.rooms.create({ body: { title: 'Bare' } });
  await client.endpoints.create({ body: { name: 'Bare', slug: 'bare', room_id: bare.id, shows: 'published' } });
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const seen = (page: Page) => page.locator('#landing').textContent();

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('a page that shows no room, %s', (_, javaScriptEnabled) => {
  test('explains the error and links onward, in the language of the browser', async () => {
    for (const [locale, words, title, link] of [
      ['en', 'This page does not exist.', 'This page does not exist', 'Go to the front page'],
      ['de', 'Diese Seite gibt es nicht.', 'Diese Seite gibt es nicht', 'Zur Startseite'],
      ['fr', 'Cette page n’existe pas.', 'Cette page n’existe pas', 'Aller à l’accueil'],
      ['nl', 'Deze pagina bestaat niet.', 'Deze pagina bestaat niet', 'Naar de voorpagina'],
      ['ja', 'このページは存在しません。', 'このページは存在しません', 'トップページへ'],
      ['ar', 'هذه الصفحة غير موجودة.', 'هذه الصفحة غير موجودة', 'الانتقال إلى الصفحة الرئيسية'],
    ] as const) {
      const { page, context } = await newVisitor(suite.browser, { locale, javaScriptEnabled });
      const answer = await page.goto(`${suite.app.origin}/nowhere`);
      expect(answer?.status()).toBe(404);
      await heading(page).getByText(words).waitFor();
      expect(await page.title()).toBe(`${title} – Museum of Doors`);
      expect(await page.getByRole('main').count()).toBe(1);
      const direction = await heading(page).evaluate((element) => getComputedStyle(element).direction);
      expect(direction).toBe(locale === 'ar' ? 'rtl' : 'ltr');
      expect(await page.locator('#landing').getByText('Museum of Doors').count()).toBe(1);
      expect(await page.locator('a[href*="?text"]').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Attic' }).count()).toBe(0);
      expect(await page.getByRole('button').count()).toBe(0);
      await page.getByRole('link', { name: link }).click();
      await page.waitForURL(`${suite.app.origin}/`);
      await context.close();
    }
  });

  test('lists the rooms that anyone may visit, and no others', async () => {
    const { page, context } = await newVisitor(suite.browser, { javaScriptEnabled });
    const { slug } = await suite.app.client.endpoints.read({ params: { id: 2 } });
    for (const path of ['/nowhere', hidden]) {
      await page.goto(suite.app.origin + path);
      await page.getByRole('heading', { name: 'Rooms to visit' }).waitFor();
      expect(await page.locator(`#landing a[href="/${slug}"]`).count()).toBe(1);
      for (const name of ['Vault', 'Cellar']) expect(await seen(page), name).not.toContain(name);
    }
    await page.goto(`${suite.app.origin}/embed/nowhere`);
    await heading(page).waitFor();
    expect(await page.locator('#landing a').count()).toBe(0);
    await context.close();
  });

  test('tells a structure without a room and an expired link from an unknown address', async () => {
    const { page, context } = await newVisitor(suite.browser, { javaScriptEnabled });
    for (const [path, status, words] of [
      ['/bare', 404, 'There is no room here yet.'],
      ['/bare?text', 404, 'There is no room here yet.'],
      ['/nowhere?text', 404, 'This page does not exist.'],
      [`${front}?preview=gone`, 403, 'This link no longer works.'],
    ] as const) {
      const answer = await page.goto(suite.app.origin + path);
      expect(answer?.status(), path).toBe(status);
      await heading(page).getByText(words).waitFor();
    }
    await context.close();
  });
});

test('an error of the server is a page that offers to try again', async () => {
  const { db } = suite.app.services;
  await db.schema.alterTable('rooms').renameTo('rooms_away').execute();
  try {
    const answer = await fetch(`${suite.app.origin}${front}?fresh`, { headers: { 'accept-language': 'nl' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    const page = await answer.text();
    expect(page).toContain('<h1>Er ging iets mis.</h1>');
    expect(page).toContain(`<a href="${front}?fresh">Opnieuw proberen</a>`);
  } finally {
    await db.schema.alterTable('rooms_away').renameTo('rooms').execute();
  }
});

test('trying again after an error of the server leads to the room', async () => {
  const { db } = suite.app.services;
  const { page, context } = await newVisitor(suite.browser, { locale: 'en' });
  await db.schema.alterTable('rooms').renameTo('rooms_away').execute();
  try {
    const answer = await page.goto(`${suite.app.origin}${front}?again`);
    expect(answer?.status()).toBe(500);
  } finally {
    await db.schema.alterTable('rooms_away').renameTo('rooms').execute();
  }
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().isNavigationRequest()),
    page.getByRole('link', { name: 'Try again' }).click(),
  ]);
  expect([answer.status(), answer.url()]).toEqual([200, `${suite.app.origin}${front}?again`]);
  await page.locator('canvas').first().waitFor();
  await context.close();
});
