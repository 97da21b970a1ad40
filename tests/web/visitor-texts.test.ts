import { afterEach, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/contract/viewer-texts/limits.ts';
import { errors as nlErrors } from '../../src/contract/viewer-texts/nl.ts';
import { accessibilityFaults, openAdmin, settled } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { startSite } from '../harness/site.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const small = { width: 800, height: 600, depth: 800 };

afterEach(() => suite.app.client.organizations.update({ body: { texts: {}, embed_domains: [] } }));

describe('what the server refuses', () => {
  test('is said in the visitor’s language; in English as the server says it', async () => {
    const { client, origin } = suite.app;
    const room = await client.rooms.create({ body: { title: 'Vault' } });
    const { slug } = await client.endpoints.create({ body: { name: 'Vault', room_id: room.id, is_protected: true } });
    for (let guess = 0; guess < 20; guess++) {
      const body = JSON.stringify({ access_token: `guess ${guess}`, after_login: true });
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(`${origin}/api/v1/endpoints/${slug}`, { method: 'POST', headers, body });
      expect(status).toBe(400);
    }
    for (const [locale, field, button, sentence] of [
      [
        'nl-NL',
        'Je persoonlijke code',
        'Inloggen',
        /^Te veel pogingen\. Wacht \d+ (?:minuut|minuten) en probeer het dan opnieuw\.$/,
      ],
      ['en-US', 'Your personal code', 'Login', /^Too many attempts\. Wait \d+ minutes?, then try again\.$/],
    ] as const) {
      const { page, close } = await newVisitor(suite.browser, { locale });
      await page.goto(`${origin}/${slug}`);
      await page.getByLabel(field).fill('nonsense');
      await page.getByRole('button', { name: button }).click();
      await page.getByText(sentence, { exact: true }).waitFor();
      await close();
    }
  });

  test('a picture that is none is refused in Dutch, and what was typed stays', async () => {
    const feed = await suite.app.client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const navigation = {
      type: 'modal_share' as const,
      type_config: { feed_id: feed.id, success_message: '', reload_room: false },
    };
    const path = await suite.app.publish({ ...small, config: { top_right_link: { name: 'Schrijf', navigation } } });
    const { page, close } = await newVisitor(suite.browser, { locale: 'nl-NL' });
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('button', { name: 'Schrijf' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delen' });
    await dialog.getByLabel('Je naam').fill('Anna');
    await dialog.getByLabel('Je bericht').fill('Hallo');
    await dialog
      .getByLabel('Afbeelding')
      .setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no') });
    await dialog.getByRole('button', { name: 'Nu toevoegen' }).click();
    await dialog.getByText(nlErrors.wrong_type, { exact: true }).waitFor();
    expect(await dialog.getByLabel('Je bericht').inputValue()).toBe('Hallo');
    await close();
  });
});

describe('the texts of the settings', () => {
  test('are grouped, filtered by place, set back one by one, and shown while they are typed: in a room and before it', async () => {
    const { client, clock } = suite.app;
    // What was guessed too often before is forgotten by then.
    clock.advance(60 * 60_000);
    await suite.app.publish({ ...small, config: { camera: { rotate: true } } });
    const room_id = (await client.rooms.create({ body: { title: 'Cellar' } })).id;
    await client.endpoints.create({ body: { name: 'Cellar', room_id, is_protected: true } });
    const { page, close } = await openAdmin(suite.app, suite.browser, '/admin/settings/texts');
    await page.getByRole('region', { name: 'Share form' }).waitFor();
    await page.getByRole('combobox', { name: 'Where they appear' }).click();
    await page.getByRole('option', { name: 'Menus and dialogs' }).click();
    await expect.poll(() => page.getByRole('region', { name: 'Share form' }).count()).toBe(0);
    const more = page.getByLabel('More', { exact: true });
    await more.fill('Even {more}');
    await page.getByText('Unknown placeholder: {more}').waitFor();
    const room = page.frameLocator('iframe');
    await room.getByRole('button', { name: 'Even {more}' }).waitFor();
    await page.getByText('1 changed').waitFor();
    await page.getByRole('button', { name: 'Reset to default: More' }).click();
    expect(await more.inputValue()).toBe('');
    await room.getByRole('button', { name: 'More', exact: true }).waitFor();

    const place = async (name: string) => {
      await page.getByRole('combobox', { name: 'Where they appear' }).click();
      await page.getByRole('option', { name }).click();
    };
    await place('Access token form');
    await room.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await page.getByLabel('Enter your code').fill('Your ticket');
    await page.getByLabel('Login', { exact: true }).fill('Let me in');
    await room.getByRole('heading', { name: 'Your ticket' }).waitFor();
    await page.getByRole('textbox', { name: 'That code isn’t valid' }).fill('No such ticket.');
    await page.getByRole('button', { name: 'Use preview' }).click();
    await room.getByLabel('Your personal code').fill('nonsense');
    await room.getByRole('button', { name: 'Let me in' }).click();
    await room.getByText('No such ticket.').waitFor();
    await page.getByRole('textbox', { name: 'That code isn’t valid' }).fill('Not one of ours.');
    await room.getByText('Not one of ours.').waitFor();
    expect(await room.getByLabel('Your personal code').inputValue()).toBe('nonsense');

    await place('Entrance');
    await room.getByText('Click to enter the world...').waitFor();
    await page.getByLabel('Click to enter the world...').fill('Come in');
    await room.getByText('Come in', { exact: true }).waitFor();
    await page.getByText('Updates as you type.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await close();
  });
});

describe('an organization’s own texts', () => {
  test('are typed in the back-office, per language, and stand in the rooms; an empty field is ours again', async () => {
    const path = await suite.app.publish(small);
    const admin = await openAdmin(suite.app, suite.browser, '/admin/settings/texts');
    const { page } = admin;
    await settled(page);
    await page.getByRole('searchbox', { name: 'Search texts' }).fill('click to enter');
    await expect.poll(() => page.getByRole('textbox').count()).toBe(1);
    await page.getByLabel('Click to enter the world...').fill('Step <b>inside</b>, {name}');
    await page.getByRole('searchbox', { name: 'Search texts' }).fill('');
    await page.getByLabel('More', { exact: true }).fill('And more');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Nederlands' }).click();
    await page.getByLabel('Meer', { exact: true }).fill('En meer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    const { texts } = await suite.app.client.organizations.read();
    expect(texts).toEqual({
      ...Object.fromEntries(LANGUAGES.map((language) => [language, {}])),
      en: { invitation: 'Step <b>inside</b>, {name}', more: 'And more' },
      nl: { more: 'En meer' },
    });

    const english = await newVisitor(suite.browser);
    await english.page.goto(suite.app.origin + path);
    await english.page.getByText('Step <b>inside</b>, {name}', { exact: true }).waitFor();
    await english.page.locator('#entrance').press('Enter');
    await english.page.getByRole('button', { name: 'And more' }).waitFor();
    await english.close();
    const dutch = await newVisitor(suite.browser, { locale: 'nl-NL' });
    await dutch.page.goto(suite.app.origin + path);
    await dutch.page.getByText('Klik om de wereld te betreden...').waitFor();
    await dutch.page.locator('#entrance').press('Enter');
    await dutch.page.getByRole('button', { name: 'En meer' }).waitFor();
    await dutch.close();

    await page.reload();
    await settled(page);
    await page.getByRole('switch', { name: 'Customized only (2)' }).click();
    await expect.poll(() => page.getByRole('textbox').count()).toBe(2);
    await page.getByLabel('More', { exact: true }).fill('');
    await page.getByText('Customized only (1)').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings have been saved.').waitFor();
    expect((await suite.app.client.organizations.read()).texts.en).toEqual({
      invitation: 'Step <b>inside</b>, {name}',
    });
    await admin.close();
  });

  test('stand on text pages too, as plain text, in each language', async () => {
    const { client, origin } = suite.app;
    const path = await suite.app.publish(small, [{ element: 'model', name: 'Globe' }]);
    const room = await client.rooms.create({ body: { title: 'Archive' } });
    const { slug } = await client.endpoints.create({ body: { name: 'Archive', room_id: room.id, is_protected: true } });
    const en = { textEnter: 'Come <i>in</i>', textModel: 'Thing: {name}', codeTitle: 'Your ticket', noPage: 'Lost?' };
    await client.organizations.update({ body: { texts: { en, nl: { textEnter: 'Kom erin' } } } });
    const read = async (address: string) => (await fetch(`${origin}${address}`)).text();
    const page = await read(`${path}?text`);
    expect(page).toContain('>Come &lt;i&gt;in&lt;/i&gt;</a>');
    expect(page).toContain('Thing: Globe');
    const dutch = await read(`${path}?text&lang=nl`);
    expect([dutch.includes('Kom erin'), dutch.includes('3D-model: Globe')]).toEqual([true, true]);
    expect(await read(`/${slug}?text`)).toContain('<h1>Your ticket</h1>');
    expect(await read('/nowhere?text')).toContain('<h1>Lost?</h1>');
  });

  test('give way to those of the page that shows the room in a frame', async () => {
    const path = await suite.app.publish(small);
    const { origin } = suite.app;
    const site = await startSite(
      () => `<!doctype html><title>Host</title><script type="module">
        await import('${origin}/embed.js');
        const { room } = document.querySelector('enfilade-room');
        await room.replaceTexts({ more: 'Theirs', nonsense: 'x' });
      </script><enfilade-room src="${origin}/embed${path}" autoload style="width:600px;height:380px"></enfilade-room>`,
    );
    const own = { more: 'Ours', toStart: 'Our start' };
    await suite.app.client.organizations.update({
      body: { texts: { en: own }, embed_domains: [{ domain: site.origin }] },
    });
    const { page, close } = await newVisitor(suite.browser);
    await page.goto(site.origin);
    const room = page.frameLocator('iframe');
    await room.getByRole('button', { name: 'Theirs' }).waitFor();
    expect(await room.getByRole('button', { name: 'Ours' }).count()).toBe(0);
    await close();
    await site.close();
  });
});
