import { describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin, settled } from '../../harness/admin-page.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

/** What each screen is called, its language names, and what an empty editor says. */
const LANGUAGES = [
  {
    code: 'nl',
    spaces: 'Ruimtes',
    settings: 'Algemene instellingen',
    dashboard: 'Dashboard',
    empty: 'Deze ruimte is leeg.',
    one: '1 ruimte',
  },
  {
    code: 'de',
    spaces: 'Räume',
    settings: 'Allgemeine Einstellungen',
    dashboard: 'Dashboard',
    empty: 'Dieser Raum ist leer.',
    one: '1 Raum',
  },
  {
    code: 'fr',
    spaces: 'Espaces',
    settings: 'Paramètres généraux',
    dashboard: 'Tableau de bord',
    empty: 'Cet espace est vide.',
    one: '1 espace',
  },
];

describe('the language of the back-office', () => {
  test.each(LANGUAGES)('$code is chosen in one’s account, for all screens, and stays', async (texts) => {
    const { code, spaces, settings, dashboard, empty, one } = texts;
    const room = await web.app.client.rooms.create({ body: { title: `Hall ${code}` } });
    const { page, context, faults } = await openAdmin(web.app, web.browser, '/admin/account', {
      viewport: { width: 1280, height: 801 },
    });
    await page.getByLabel('Language of the back-office').selectOption(code);
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.locator(`html[lang="${code}"]`).waitFor();
    await page.reload();
    await settled(page);
    expect(await page.locator('html').getAttribute('lang')).toBe(code);
    expect(await page.locator('select').first().inputValue()).toBe(code);

    await page.goto(`${web.app.origin}/admin`);
    await page.getByRole('heading', { level: 1, name: dashboard }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${web.app.origin}/admin/spaces?search=Hall%20${code}`);
    await page.getByRole('heading', { level: 1, name: spaces }).waitFor();
    await page.getByText(one, { exact: true }).first().waitFor();
    await page.goto(`${web.app.origin}/admin/settings`);
    await page.getByRole('heading', { level: 1, name: settings }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${web.app.origin}/admin/editor/${room.id}`);
    await page.getByText(empty).first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('labels, values and tabs of an edit window are in it', async () => {
    const { client } = web.app;
    const { id } = await client.rooms.create({ body: { title: 'Hall' } });
    await client.rooms.addElement({ params: { id }, body: { element: 'button', name: 'Wegweiser' } });
    const { page, context, faults } = await openAdmin(web.app, web.browser, `/admin/editor/${id}`, {
      viewport: { width: 1280, height: 803 },
      kept: { 'enfilade.language': 'de' },
    });
    await page.getByTitle('Wegweiser', { exact: true }).click();
    const window = page.getByRole('region', { name: 'Bearbeitungsfenster' });
    await window.getByRole('tab').first().waitFor();
    expect(await window.getByRole('tab').allTextContents()).toEqual(['Inhalt', 'Einstellungen', 'Navigation']);
    await window.getByText('Abgerundete Ecken', { exact: true }).waitFor();
    expect(await window.getByRole('combobox', { name: 'Darstellung', exact: true }).inputValue()).toBe('Tafel');
    await window.getByRole('tab', { name: 'Einstellungen', exact: true }).click();
    await window.getByText('Licht ignorieren', { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('follows the browser unless one is chosen, and its dates do, too', async () => {
    const context = await web.browser.newContext({ locale: 'de-AT', viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${web.app.origin}/admin/login`);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.evaluate(() => localStorage.setItem('enfilade.language', 'en'));
    await page.reload();
    await page.getByRole('button', { name: 'Login' }).waitFor();
    await context.close();
  });

  test('errors of the server and findings of the check are in it', async () => {
    const context = await web.browser.newContext({ locale: 'nl', viewport: { width: 1280, height: 800 } });
    const login = await context.newPage();
    await login.goto(`${web.app.origin}/admin/login`);
    await login.locator('input[type="email"]').fill('nobody@example.com');
    await login.locator('input[type="password"]').fill('A wrong password');
    await login.getByRole('button', { name: 'Inloggen', exact: true }).click();
    await login.getByText('Het e-mailadres of het wachtwoord klopt niet.').first().waitFor();
    await context.close();

    const { client } = web.app;
    const { id } = await client.rooms.create({ body: { title: 'Hal' } });
    await client.rooms.addElement({ params: { id }, body: { element: 'image', name: 'Nachtwacht' } });
    const editor = await openAdmin(web.app, web.browser, `/admin/editor/${id}`, {
      viewport: { width: 1280, height: 804 },
      kept: { 'enfilade.language': 'nl' },
    });
    await editor.page.getByTitle('Nachtwacht', { exact: true }).waitFor();
    await editor.page.getByRole('button', { name: /^Controle/ }).click();
    await editor.page.getByText('Afbeelding “Nachtwacht” heeft geen inhoud om te tonen of af te spelen.').waitFor();
    await editor.page.getByText('Kies een bestand of vul een URL in.').first().waitFor();
    expect(editor.faults).toEqual([]);
    await editor.context.close();
  });

  test('English loads no table', async () => {
    const { page, context } = await openAdmin(web.app, web.browser, '/admin', {
      viewport: { width: 1280, height: 802 },
    });
    await settled(page);
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(names.some((name) => /\/assets\/language-/.test(name))).toBe(true);
    expect(names.filter((name) => /\/assets\/(?:nl|de|fr)-/.test(name))).toEqual([]);
    await context.close();
  });
});
