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
