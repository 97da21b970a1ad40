import { expect, test } from 'vitest';
import { hashOfText } from '../../engine/document/translation-state.ts';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const translation = (text: string, source: string) => ({ text, source: hashOfText(source) });

const publish = () =>
  suite.app.publish(
    {
      title: 'Harbour',
      config: {
        language: 'en',
        languages: ['nl', 'ar'],
        translations: {
          'nl:title': translation('Haven', 'Harbour'),
          'ar:title': translation('ميناء', 'Harbour'),
          'nl:config.top_left_link.name': translation('Winkel', 'Shop'),
        },
        top_left_link: {
          name: 'Shop',
          navigation: { type: 'modal_content', type_config: { title: 'Shop', content: '<p>Open</p>' } },
        },
      },
    },
    [],
  );

test('visitors choose the language of a space by keyboard, and stay in it', async () => {
  const path = await publish();
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, `${suite.app.origin}${path}`);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  await page.getByRole('button', { name: 'Language' }).press('Enter');
  const names = page.getByRole('list', { name: 'Language' }).getByRole('button');
  expect(await names.allTextContents()).toEqual(['English', 'Nederlands', 'العربية']);
  expect(await names.nth(0).getAttribute('aria-current')).toBe('true');
  expect(await names.nth(1).getAttribute('lang')).toBe('nl');
  expect(await accessibilityFaults(page)).toEqual([]);
  await names.nth(1).press('Enter');
  await page.getByRole('heading', { name: 'Haven' }).waitFor();
  expect(await page.locator('#entrance').isVisible()).toBe(false);
  expect(new URL(page.url()).searchParams.get('lang')).toBe('nl');
  expect(await page.locator('html').getAttribute('lang')).toBe('nl');
  expect(await page.locator('#overlay h1').getAttribute('lang')).toBe('nl');
  expect(await page.getByRole('button', { name: 'Winkel' }).getAttribute('lang')).toBe('nl');
  // The controls speak Dutch, too, and name what stays in English.
  await page.getByRole('button', { name: 'Taal' }).press('Enter');
  await page.getByText('Sommige teksten zijn alleen beschikbaar in het Engels.').waitFor();
  await close();
});

test('a space in Arabic runs from right to left', async () => {
  const path = await publish();
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, `${suite.app.origin}${path}?lang=ar`);
  await page.getByRole('heading', { name: 'ميناء' }).waitFor();
  expect(await page.locator('html').evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual(['ar', 'rtl']);
  expect(await page.locator('#overlay').getAttribute('dir')).toBe('rtl');
  await page.getByRole('button', { name: 'اللغة' }).press('Enter');
  await page.getByText('بعض النصوص متوفرة بهذه اللغة فقط').waitFor();
  await close();
});
