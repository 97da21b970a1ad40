import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { changeLimits } from '../../../src/server/core/limits/quotas.ts';
import { accessibilityFaults, onlyPolicies, openAdmin, settled } from '../../harness/admin-page.ts';
import { VimeoStandIn } from '../../harness/stand-ins/vimeo.ts';
import { WOWZA, WowzaStandIn } from '../../harness/stand-ins/wowza.ts';
import { webSuite } from '../../harness/web-suite.ts';

const OWN = 'vimeo-token-of-our-own-4321';
const wowza = new WowzaStandIn();
const vimeo = new VimeoStandIn();
vimeo.accounts.set(OWN, 'Our films');
const web = webSuite({
  environment: async () => {
    await Promise.all([wowza.start(), vimeo.start()]);
    return { ...WOWZA, WOWZA_URL: wowza.url, VIMEO_URL: vimeo.url };
  },
});
// A request that the platform would not understand fails the test, whatever the screen made of the answer.
afterEach(() => expect([wowza, vimeo].flatMap(({ wrong }) => wrong.splice(0))).toEqual([]));
afterAll(() => Promise.all([wowza.stop(), vimeo.stop()]));

describe('platforms', () => {
  test('an account is entered, checked, replaced and removed, and its token is never seen again', async () => {
    const { page, close, faults } = await openAdmin(web.app, web.browser, '/admin/settings/platforms');
    const section = page.getByRole('region', { name: 'Vimeo' });
    await section.getByText('Not set up').waitFor();
    expect(await section.getByRole('button', { name: 'Check Vimeo' }).isDisabled()).toBe(true);
    await section.getByLabel('Access token').fill('two words');
    await section.getByRole('button', { name: 'Save Vimeo' }).click();
    await section.getByText('Enter 1 to 4096 characters without spaces.').waitFor();
    await section.getByLabel('Access token').fill(OWN);
    await section.getByRole('button', { name: 'Save Vimeo' }).click();
    await section.getByText('Set, ending in …4321').waitFor();
    await section.getByRole('button', { name: 'Check Vimeo' }).click();
    await section.getByText('Signed in to Vimeo as “Our films”.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.content()).not.toContain(OWN);

    await page.reload();
    await section.getByText('Set, ending in …4321').waitFor();
    await section.getByRole('button', { name: 'Replace: Access token' }).click();
    await section.getByLabel('Access token').fill('vimeo-token-of-nobody-9999');
    await section.getByRole('button', { name: 'Save Vimeo' }).click();
    await section.getByText('Set, ending in …9999').waitFor();
    await section.getByRole('button', { name: 'Check Vimeo' }).click();
    await section.getByText(/rejected the credentials/).waitFor();
    await section.getByRole('button', { name: 'Remove: Access token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await section.getByText('Not set up').waitFor();
    expect(faults.filter((fault) => !/422/.test(fault))).toEqual([]);
    await close();
  });

  test('of the server’s own credentials it is only said that they are there, and own ones take their place', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/platforms');
    const section = page.getByRole('region', { name: 'Wowza' });
    await section.getByText('From the server’s settings').first().waitFor();
    expect(await page.content()).not.toContain(WOWZA.WOWZA_API_TOKEN.slice(-4));
    await section.getByRole('button', { name: 'Check Wowza' }).click();
    await section.getByText(/Wowza accepts the token/).waitFor();
    expect(await section.getByRole('button', { name: /Remove/ }).count()).toBe(0);
    await section.getByRole('button', { name: 'Replace: API token' }).click();
    await section.getByLabel('API token').fill('wowza-token-of-our-own-5678');
    await section.getByRole('button', { name: 'Save Wowza' }).click();
    await section.getByText('Set, ending in …5678').waitFor();
    await close();
  });

  test('who may only see the settings finds nothing to change there', async () => {
    const view = { view_any: true, create: false, update: false, delete: false };
    const policies = onlyPolicies({ settings: view });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/platforms', { policies });
    await page.getByRole('region', { name: 'YouTube' }).waitFor();
    expect(await page.getByRole('button', { name: /Save|Check|Replace|Remove/ }).count()).toBe(0);
    expect(await page.getByLabel('API key', { exact: true }).isDisabled()).toBe(true);
    await close();
  });
});

test('the usage screen shows what is used of what there may be', async () => {
  const { services, client } = web.app;
  const space = await client.rooms.create({ body: { title: 'Hall' } });
  await changeLimits(services.db, 1, { storage: 500_000_000, spaces: 4 });
  const { page, close } = await openAdmin(web.app, web.browser, '/admin/settings/usage');
  await settled(page);
  await page.getByText('0 of 500 MB').waitFor();
  await page.getByText('1 of 4').waitFor();
  expect(await page.getByRole('progressbar', { name: 'Spaces' }).getAttribute('aria-valuenow')).toBe('25');
  expect(await page.getByRole('progressbar').count()).toBe(2);
  await page.getByText('0, no limit').first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await client.rooms.remove({ params: { id: space.id } });
  await close();
});
