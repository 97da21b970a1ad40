import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

/** The language in which a screen reader says what a selector finds first; empty where none is known. */
const languageOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.closest('[lang]')!.getAttribute('lang'));

test('what the viewer says has its language; what the room says has none, as nobody knows it', async () => {
  const path = await suite.app.publish(
    {
      title: 'Morning',
      description: '<p>Good morning.</p>',
      config: {
        show_start_popup: true,
        top_right_link: {
          name: 'Further',
          navigation: { type: 'modal_content', type_config: { title: 'Further on', content: '<p>Words</p>' } },
        },
      },
    },
    [{ element: 'view_point', config: { name: 'The window' } }],
  );
  const { page, close } = await newVisitor(suite.browser);
  await page.goto(`${suite.app.origin}${path}?lang=nl`);
  await page.locator('#entrance.is-ready').waitFor();
  expect(await languageOf(page, '#entrance-text')).toBe('nl');
  expect(await languageOf(page, '#entrance-title')).toBe('');
  await enterRoom(page, `${suite.app.origin}${path}?lang=nl`);
  await page.getByText('Good morning.').waitFor();
  const found = {
    page: await languageOf(page, 'html'),
    room: await languageOf(page, '#room canvas'),
    controls: await languageOf(page, '#overlay section'),
    title: await languageOf(page, '#overlay h1'),
    link: await languageOf(page, 'button:text("Further")'),
    popup: await languageOf(page, 'dialog p:text("Good morning.")'),
    close: await languageOf(page, 'dialog footer button'),
  };
  expect(found).toEqual({ page: 'nl', room: '', controls: 'nl', title: '', link: '', popup: '', close: 'nl' });
  await page.keyboard.press('Escape');
  await page.locator('#overlay nav [aria-expanded]').press('Enter');
  expect(await languageOf(page, '[data-list] span:text("The window")')).toBe('');
  expect(await accessibilityFaults(page)).toEqual([]);
  await close();
});

test.each([
  ['de', 'Klicken, um die Welt zu betreten …', 'Vollbild', 'Den Raum betreten'],
  ['pl', 'Kliknij, aby wejść do świata…', 'Pełny ekran', 'Wejdź do sali'],
  ['fr', 'Cliquez pour entrer dans le monde…', 'Plein écran', 'Entrer dans la salle'],
])('a browser in %s gets controls and the text page in its language', async (locale, invitation, control, enter) => {
  const path = await suite.app.publish({ title: 'Morning' });
  const { page, close } = await newVisitor(suite.browser, { locale });
  await page.goto(suite.app.origin + path);
  await page.locator('#entrance').getByText(invitation).waitFor();
  await enterRoom(page, suite.app.origin + path);
  await page.getByRole('button', { name: control }).waitFor();
  expect(await languageOf(page, 'html')).toBe(locale);
  const text = await fetch(`${suite.app.origin}${path}?text`, {
    headers: { 'accept-language': `${locale}-CH,en;q=0.5` },
  });
  expect(await text.text()).toContain(enter);
  await close();
});

test('in Arabic, the interface runs from right to left, and content keeps its own direction', async () => {
  const path = await suite.app.publish(
    {
      title: 'Morning',
      width: 800,
      height: 600,
      depth: 800,
      config: {
        camera: { rotate: true },
        top_right_link: {
          name: 'Further',
          navigation: { type: 'modal_content', type_config: { title: 'Further on', content: '<p>Words</p>' } },
        },
      },
    },
    [
      { element: 'view_point', config: { name: 'The window' } },
      { element: 'view_point', config: { name: '' } },
    ],
  );
  const { page, close } = await newVisitor(suite.browser, { locale: 'en', viewport: { width: 390, height: 844 } });
  const address = `${suite.app.origin}${path}?lang=ar-EG`;
  const directionOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).direction);
  const leftOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!.x;
  await page.goto(address);
  await page.locator('#entrance').getByText('انقر للدخول إلى العالم…').waitFor();
  await enterRoom(page, address);
  await page.getByRole('button', { name: 'Further' }).waitFor();
  expect({
    page: await directionOf('html'),
    controls: await directionOf('#overlay section'),
    room: await directionOf('#room canvas'),
    title: await directionOf('#overlay h1'),
  }).toEqual({ page: 'rtl', controls: 'rtl', room: 'ltr', title: 'ltr' });
  // The header begins on the right.
  expect(await leftOf('#overlay h1')).toBeGreaterThan(await leftOf('button:text("Further")'));
  await page.getByRole('button', { name: 'نقاط المشاهدة' }).press('Enter');
  await page.getByRole('button', { name: 'نقطة المشاهدة 2' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const outside = await page.locator('#overlay button:visible, #overlay a:visible').evaluateAll((parts) =>
    parts.flatMap((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      return width > 1 && (left < 0 || right > innerWidth) ? [part.textContent || part.ariaLabel] : [];
    }),
  );
  expect(outside).toEqual([]);
  await page.getByRole('button', { name: 'Further' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'موافق' }).waitFor();
  expect(await directionOf('dialog')).toBe('rtl');
  expect(await directionOf('dialog h2')).toBe('ltr');
  expect(await directionOf('dialog p')).toBe('ltr');
  expect(await accessibilityFaults(page)).toEqual([]);
  await close();
});
