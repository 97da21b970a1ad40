import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';

describe.each(databases)('sites that may embed rooms on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const allow = (site: string, client = api.client()) => client.organizations.allowSite({ body: { site } });

  it.each([
    ['https://www.example.com/visit?id=1#top', 'https://www.example.com'],
    ['shop.example.com/rooms', 'https://shop.example.com'],
    ['  HTTP://Localhost:3000/ ', 'http://localhost:3000'],
  ])('are allowed by the address of a page: %s', async (page, site) => {
    const { sites } = await allow(page);
    expect(sites.at(-1)).toBe(site);
    expect((await allow(site)).sites).toEqual(sites);
  });

  it.each([
    '',
    'https://*.example.com',
    'https://eva:secret@example.com',
    'javascript:alert(1)',
    'https://a b.example',
  ])('security 38: are refused where a page policy could not name them: %s', async (site) =>
    expect((await refused(allow(site))).code).toBe('invalid'),
  );

  it('are in the policy of the page that is embedded', async () => {
    const client = api.client();
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    const { path } = await client.endpoints.create({ body: { name: 'Hall', room_id: room.id } });
    await allow('https://press.example.com/news');
    const { headers } = await api.send('HEAD', `/embed${path}`);
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'self' [^;]*https:\/\/press\.example\.com/);
  });

  it('two that are allowed at the same time are both kept', async () => {
    await Promise.all([allow('https://left.example'), allow('https://right.example')]);
    const { sites } = await api.client().organizations.embedding();
    expect(sites).toEqual(expect.arrayContaining(['https://left.example', 'https://right.example']));
  });

  it('whoever may not allow one sees the list and who may', async () => {
    const reader = api.client(await api.addUser(api.one, noRights()));
    const { name } = await api.client().users.read({ params: { id: api.one.admin.id } });
    const { sites, managers } = await reader.organizations.embedding();
    expect([sites.includes('https://www.example.com'), managers]).toEqual([true, [name]]);
    expect((await refused(allow('https://other.example', reader))).code).toBe('forbidden');
  });
});
