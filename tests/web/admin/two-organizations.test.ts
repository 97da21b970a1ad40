import { expect, test } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { createOrganization } from '../../../src/server/features/organizations/service.ts';
import { newVisitor } from '../../harness/browser.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

const SECOND = { email: 'ada@gallery.example', password: 'a gallery of their own' };

/** Signs the administrator of a second organization in on the main host. */
async function signInSecond() {
  const { services, origin } = web.app;
  await createOrganization(services, { name: 'Gallery North', host: 'gallery.localhost', ...SECOND });
  let token: string | null = null;
  const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
  await client.users.login({ body: SECOND });
  return { client, token: token! as string };
}

test('a second organization on the main host sees its own name, and only links to its own site', async () => {
  const { origin } = web.app;
  const site = origin.replace(/\/\/[^:]+/, '//gallery.localhost');
  const theirs = await web.app.client.rooms.create({ body: { title: 'Hall of the first' } });
  await web.app.client.endpoints.create({ body: { name: 'Hall', room_id: theirs.id } });
  const { client, token } = await signInSecond();
  const room = await client.rooms.create({ body: { title: 'North hall' } });
  const hall = await client.endpoints.create({ body: { name: 'Hall', room_id: room.id, is_protected: true } });
  const code = await client.accessTokens.create({ body: { endpoint_id: hall.id, token: 'NORTH-1' } });
  const { page, close } = await newVisitor(web.browser, {
    viewport: { width: 1280, height: 900 },
    kept: { origin, entries: { 'enfilade.editor-token': token } },
  });

  await page.goto(`${origin}/admin/structures/${hall.id}`);
  await page.getByTitle('Gallery North').waitFor();
  const home = page.getByRole('link', { name: new URL(site).host, exact: true });
  expect(await home.getAttribute('href')).toBe(`${site}/`);
  const card = page.getByRole('region', { name: 'Public address' });
  for (const name of [`${site}/hall`, 'Visit'])
    expect(await card.getByRole('link', { name }).getAttribute('href')).toBe(`${site}/hall`);
  await card.getByRole('button', { name: 'QR code' }).click();
  await page.getByRole('img', { name: `QR code of ${site}/hall` }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Embed' }).click();
  expect(await page.getByRole('textbox', { name: 'Embed code' }).inputValue()).toContain(`src="${site}/embed/hall"`);

  await page.goto(`${origin}/admin/access-tokens/${code.id}`);
  await page.getByRole('button', { name: 'QR code' }).click();
  await page.getByRole('img', { name: `QR code of ${site}/hall#access_token=NORTH-1` }).waitFor();

  await page.goto(`${origin}/admin`);
  expect(await page.getByRole('link', { name: 'Hall opens in a new tab' }).getAttribute('href')).toBe(`${site}/hall`);

  await page.goto(`${origin}/admin/spaces/new`);
  await page.getByRole('button', { name: 'Start with an empty space' }).click();
  await page.getByText(`${site}/…`).waitFor();
  await page.getByLabel('Title').fill('West wing');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('img', { name: `QR code of ${site}/west-wing` }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Embed code' }).inputValue()).toContain(
    `src="${site}/embed/west-wing"`,
  );

  await page.goto(`${site}/west-wing`);
  await expect.poll(() => page.title()).toBe('West wing');
  await close();
});
