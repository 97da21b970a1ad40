import { expect, test } from 'vitest';
import { allPolicies } from '../../../src/server/features/organizations/service.ts';
import { openAdmin } from '../../harness/admin-page.ts';
import { newVisitor } from '../../harness/browser.ts';
import { startSite } from '../../harness/site.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

async function addStructure(name: string): Promise<{ id: number }> {
  const room = await web.app.client.rooms.create({ body: { title: name } });
  return web.app.client.endpoints.create({ body: { name, room_id: room.id } });
}

test('the embed tab allows a site on the spot, and the code then works there', async () => {
  const { id } = await addStructure('Hall');
  const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`, { deviceScaleFactor: 1 });
  await page.getByRole('tab', { name: 'Embed' }).click();
  const sites = page.getByRole('group', { name: 'Allowed sites' });
  await sites.getByText('No sites allowed yet').waitFor();
  const code = await page.getByRole('textbox', { name: 'Embed code' }).inputValue();
  const site = await startSite(() => `<!doctype html><title>News</title>${code.replace('loading="lazy"', '')}`);
  await sites.getByLabel('Add a site').fill(`${site.origin}/news/today?id=1`);
  await sites.getByLabel('Add a site').press('Enter');
  await sites.getByText('Works: this site can embed the page.').waitFor();
  await sites.getByText(site.origin, { exact: true }).waitFor();
  await close();
  const visitor = await newVisitor(web.browser);
  await visitor.page.goto(site.origin);
  await visitor.page.frameLocator('iframe').locator('#entrance').waitFor();
  await visitor.close();
  await site.close();
});

test('whoever may not allow sites is told who can', async () => {
  const { id } = await addStructure('Annex');
  const policies = { ...allPolicies(), settings: { view_any: false, create: false, update: false, delete: false } };
  const { page, close } = await openAdmin(web.app, web.browser, `/admin/structures/${id}`, { policies });
  await page.getByRole('tab', { name: 'Embed' }).click();
  const sites = page.getByRole('group', { name: 'Allowed sites' });
  await sites.getByLabel('Check a site').fill('www.example.com');
  await sites.getByRole('button', { name: 'Check' }).click();
  await sites
    .getByText(/https:\/\/www\.example\.com is not allowed to embed your spaces yet\. Ask .+ to add it\./)
    .waitFor();
  await close();
});

test('a new space offers the same beside its embed code', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces/new');
  await page.getByRole('button', { name: 'Start with an empty space' }).click();
  await page.getByLabel('Title').fill('Attic');
  await page.getByRole('button', { name: 'Create' }).click();
  const sites = page.getByRole('group', { name: 'Allowed sites' });
  await sites.getByLabel('Add a site').fill('https://partner.example/events');
  await sites.getByRole('button', { name: 'Allow and test' }).click();
  await sites.getByText('Works: this site can embed the page.').waitFor();
  expect((await web.app.client.organizations.embedding()).sites).toContain('https://partner.example');
  await close();
});

test('an invitation without a mail server shows its link to copy', async () => {
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/users/add', { deviceScaleFactor: 1 });
  await page.getByLabel('E-mail').fill('kim@example.com');
  await page.getByLabel('Name').fill('Kim');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Link to set a password' });
  await dialog.getByText('No mail server is set up. Send this link to Kim yourself.').waitFor();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  expect(link).toMatch(new RegExp(`^${web.app.origin}/admin/password/[\\w-]+/reset$`));
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  const visitor = await newVisitor(web.browser);
  await visitor.page.goto(link);
  await visitor.page.getByRole('button', { name: 'Set password' }).waitFor();
  await visitor.close();
  await close();
});
