import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Area } from '../../src/contract/entities.ts';
import { accessibilityFaults, colorFaults, follow, onlyPolicies, openAdmin, settled } from '../harness/admin-page.ts';
import type { Visitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

/** Every screen: where it is, what it is called, and whose `view_any` it needs. */
const SCREENS: readonly [path: string, title: string, area: Area | null][] = [
  ['/admin', 'Dashboard', null],
  ['/admin/structures', 'Structures', 'endpoints'],
  ['/admin/structures/add', 'Add structure', 'endpoints'],
  ['/admin/structures/:structure', 'Hall', 'endpoints'],
  ['/admin/spaces', 'Spaces', 'rooms'],
  ['/admin/spaces/add', 'Add space', 'rooms'],
  ['/admin/spaces/new', 'New space', 'rooms'],
  ['/admin/spaces/:space', 'Great hall', 'rooms'],
  ['/admin/spaces/templates', 'Templates', 'templates'],
  ['/admin/spaces/templates/add', 'Add template', 'templates'],
  ['/admin/spaces/templates/:template', 'Shell', 'templates'],
  ['/admin/spaces/blocks', 'Blocks', 'rooms'],
  ['/admin/spaces/blocks/:block', 'Places of “Desk”', 'rooms'],
  ['/admin/media', 'Media', 'media'],
  ['/admin/live-streams', 'Live streams', 'live_streams'],
  ['/admin/live-streams/add', 'Add live stream', 'live_streams'],
  ['/admin/access-tokens', 'Access tokens', 'access_tokens'],
  ['/admin/access-tokens/add', 'Add access token', 'access_tokens'],
  ['/admin/access-tokens/:token', 'Access token', 'access_tokens'],
  ['/admin/statistics', 'Statistics', 'endpoints'],
  ['/admin/settings', 'General settings', 'settings'],
  ['/admin/settings/branding', 'Branding', 'settings'],
  ['/admin/settings/embed', 'Embed settings', 'settings'],
  ['/admin/settings/texts', 'Texts', 'settings'],
  ['/admin/settings/feed', 'Feeds', 'settings'],
  ['/admin/settings/feed/add', 'Add feed', 'settings'],
  ['/admin/settings/feed/:feed', 'Guest book', 'settings'],
  ['/admin/settings/platforms', 'Platforms', 'settings'],
  ['/admin/settings/users', 'Users', 'settings'],
  ['/admin/settings/users/add', 'Invite a user', 'settings'],
  ['/admin/settings/usage', 'Usage', 'settings'],
  ['/admin/settings/sign-in', 'Sign-in', 'settings'],
  ['/admin/settings/history', 'History', 'settings'],
  ['/admin/settings/api-keys', 'API keys', 'settings'],
  ['/admin/settings/shares', 'Visitors’ messages', 'settings'],
  ['/admin/settings/audit', 'Audit log', 'settings'],
  ['/admin/settings/privacy', 'Privacy', 'settings'],
  ['/admin/settings/accessibility', 'Accessibility', 'settings'],
  ['/admin/settings/mail', 'E-mail', 'settings'],
  ['/admin/settings/translation', 'Translation', 'settings'],
  ['/admin/access-tokens/e-mails', 'E-mails', 'access_tokens'],
  ['/admin/access-tokens/e-mails/add', 'Add e-mail', 'access_tokens'],
  ['/admin/webhooks', 'Webhooks', 'settings'],
  ['/admin/bin', 'Bin', null],
  ['/admin/account', 'Your account', null],
];

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

const web = webSuite();

describe('every screen of the back-office', () => {
  let ids: Promise<Record<string, number>> | undefined;
  const furnish = async () => {
    const { client } = web.app;
    const template = await client.templates.create({ body: { name: 'Shell' } });
    const space = await client.rooms.create({ body: { title: 'Great hall', template_id: template.id } });
    const structure = await client.endpoints.create({ body: { name: 'Hall', room_id: space.id, is_protected: true } });
    const token = await client.accessTokens.create({ body: { endpoint_id: structure.id } });
    const feed = await client.feeds.create({ body: { name: 'Guest book', type: 'local' } });
    const element = { id: 1, element: 'group' };
    const block = await client.blocks.create({ body: { name: 'Desk', element } });
    return {
      block: block.id,
      template: template.id,
      space: space.id,
      structure: structure.id,
      token: token.id,
      feed: feed.id,
    };
  };
  const pathOf = async (path: string) => {
    ids ??= furnish();
    const known = await ids;
    return path.replace(/:(\w+)/, (_, name: string) => String(known[name]));
  };

  describe('each by itself', () => {
    let visitor: Visitor;
    beforeAll(async () => {
      visitor = await openAdmin(web.app, web.browser, '/admin');
    });
    afterAll(() => visitor.close());

    test.each(SCREENS)(
      '%s shows “%s” without a fault; axe finds nothing, light or dark; it fits a phone',
      async (path, title) => {
        const { page, faults } = visitor;
        await page.setViewportSize(DESK);
        await follow(page, await pathOf(path));
        await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
        await settled(page);
        expect(await page.title()).toBe(`${title} · Enfilade`);
        expect(await accessibilityFaults(page)).toEqual([]);
        const turn = async (scheme: 'Dark' | 'Light') => {
          await page.getByRole('button', { name: `${scheme} mode`, exact: true }).click();
          await page.locator(`[data-mantine-color-scheme="${scheme.toLowerCase()}"]`).waitFor();
        };
        await turn('Dark');
        expect(await colorFaults(page)).toEqual([]);
        await turn('Light');
        await page.setViewportSize(PHONE);
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
          .toBeLessThanOrEqual(PHONE.width);
        expect(faults.splice(0)).toEqual([]);
      },
    );
  });

  test('without a right, a screen says so, and the menu does not lead there', async () => {
    const { page, close } = await openAdmin(web.app, web.browser, '/admin', { policies: onlyPolicies({}) });
    const nav = page.getByRole('navigation', { name: 'Main' });
    expect(await nav.getByRole('link').allTextContents()).toEqual(['Dashboard']);
    for (const [path, title, area] of SCREENS) {
      if (area === null) continue;
      // The screen before says the same.
      await follow(page, '/admin');
      await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
      await follow(page, await pathOf(path));
      await page.getByText("You don't have access", { exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'Add new' }).count(), title).toBe(0);
    }
    await close();
  });

  test.each([
    ['endpoints', 'Structures', '/admin/structures'],
    ['rooms', 'Spaces', '/admin/spaces'],
    ['templates', 'Templates', '/admin/spaces/templates'],
    ['access_tokens', 'Access tokens', '/admin/access-tokens'],
    ['settings', 'Feeds', '/admin/settings/feed'],
  ] as const)('who may only see %s finds the list without any way to change it', async (area, title, path) => {
    await pathOf(path);
    const view = { view_any: true, create: false, update: false, delete: false };
    const { page, close } = await openAdmin(web.app, web.browser, path, { policies: onlyPolicies({ [area]: view }) });
    const list = page
      .getByRole('list', { name: title })
      .or(page.getByRole('table', { name: title }))
      .or(page.getByRole('tree', { name: title }));
    await list.getByRole('listitem').or(list.getByRole('treeitem')).or(list.getByRole('rowheader')).first().waitFor();
    expect(await page.getByRole('link', { name: 'Add new' }).count()).toBe(0);
    expect(await list.getByRole('link', { name: /^(?!View: )/ }).count()).toBe(0);
    expect(await list.getByRole('button', { name: /Remove|Settings|Copy|Reorder|Add below/ }).count()).toBe(0);
    await close();
  });
});
