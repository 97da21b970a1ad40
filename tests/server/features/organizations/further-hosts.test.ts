import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeHosts, type HostChanges } from '../../../../src/server/features/organizations/further-hosts.ts';
import { suspendOrganization } from '../../../../src/server/features/organizations/life-cycle.ts';
import { createOrganization } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, PASSWORD } from '../../../harness/api-app.ts';

const [PRIMARY, FURTHER] = ['two.example', 'www.two.example'];

describe.each(databases)('several host names of an organization, on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    for (const { admin } of [api.one, api.two]) {
      const client = api.client(admin);
      const { id } = await client.rooms.create({ body: { title: 'Hall' } });
      await client.endpoints.create({ body: { name: 'Hall', slug: 'hall', room_id: id } });
      await client.organizations.update({ body: { lists_rooms: true } });
    }
    await change({ add: [FURTHER] });
  });
  afterAll(() => api.close());

  const change = (changes: HostChanges, id = api.two.id) => changeHosts(api.services, id, changes);
  const get = (host: string, url: string, headers = {}) => api.app.inject({ url, headers: { host, ...headers } });
  const nameUnder = async (host: string) => (await get(host, '/api/v1/settings')).json().data?.name;

  it('all of them lead to it; visitors of the further ones are redirected to the primary one, with path and query', async () => {
    expect(await nameUnder(FURTHER)).toBe('two.example');
    for (const url of ['/', '/hall', '/hall?lang=nl&a=b', '/hall?text', '/Hall/', '/nowhere/at-all?x=1']) {
      const { statusCode, headers } = await get(`${FURTHER}:8080`, url);
      expect([statusCode, headers.location], url).toEqual([301, `http://${PRIMARY}:8080${url}`]);
      // Another host can become the primary one.
      expect(headers['cache-control']).toBe('no-cache');
    }
    expect((await get(PRIMARY, '/hall')).statusCode).toBe(200);
  });

  it('a path with several slashes is not followed to another site', async () => {
    const { headers } = await get(FURTHER, '//evil.example/hall');
    expect(new URL(headers.location as string).host).toBe(PRIMARY);
  });

  it('embeds, API, files for search engines and the back-office are served on them, and name the primary one', async () => {
    const embed = await get(FURTHER, '/embed/hall');
    expect(embed.statusCode).toBe(200);
    expect(embed.body).toContain(`<link rel="canonical" href="http://${PRIMARY}/hall"`);
    expect((await get(FURTHER, '/sitemap.xml')).body).toContain(`<loc>http://${PRIMARY}/</loc>`);
    expect((await get(FURTHER, '/robots.txt')).body).toContain(`http://${PRIMARY}/sitemap.xml`);
    expect((await get(FURTHER, '/api/v1/endpoints')).statusCode).toBe(200);
    expect((await get(FURTHER, '/admin')).statusCode).not.toBe(301);
  });

  it('passkeys are asked for under the host in the browser', async () => {
    const askUnder = async (host: string) => {
      const answer = await api.app.inject({
        method: 'POST',
        url: '/api/v1/backend/users/login/passkey/begin',
        headers: { host },
        payload: {},
      });
      return answer.json().data.options.rpId;
    };
    expect(await askUnder(FURTHER)).toBe(FURTHER);
    expect(await askUnder(PRIMARY)).toBe(PRIMARY);
  });

  it('another one becomes the primary one, and then redirects are the other way round', async () => {
    expect(await change({ primary: FURTHER })).toEqual([FURTHER, PRIMARY]);
    expect((await get(PRIMARY, '/hall')).headers.location).toBe(`http://${FURTHER}/hall`);
    expect((await get(FURTHER, '/hall')).statusCode).toBe(200);
    expect(await change({ primary: PRIMARY })).toEqual([PRIMARY, FURTHER]);
    // The primary one may be removed, too: the oldest of the others takes its place.
    expect(await change({ remove: [PRIMARY] })).toEqual([FURTHER]);
    expect(await change({ add: [PRIMARY], primary: PRIMARY })).toEqual([PRIMARY, FURTHER]);
  });

  it('names are normalized', async () => {
    expect(await change({ add: ['MÜNCHEN.Example.:443'] })).toContain('xn--mnchen-3ya.example');
    expect(await nameUnder('xn--mnchen-3ya.example')).toBe('two.example');
    expect(await change({ remove: ['münchen.example'] })).toEqual([PRIMARY, FURTHER]);
    expect(await nameUnder('xn--mnchen-3ya.example')).toBe('Museum');
  });

  it.each<[string, HostChanges, RegExp]>([
    ['taken as a primary one', { add: ['TWO.example'] }, /two\.example is already used by two\.example/],
    ['taken as a further one', { add: [FURTHER] }, /www\.two\.example is already used by two\.example/],
    ['malformed', { add: ['https://three.example/'] }, /Invalid host name: https:/],
    ['empty', { add: [''] }, /Invalid host name/],
    ['of nobody', { remove: ['nobody.example'] }, /has no host name nobody\.example/],
    ['no own one', { primary: FURTHER }, /has no host name www\.two\.example/],
    ['the last one', { add: ['only.example'], remove: ['only.example'] }, /the last host name/],
  ])('a name that is %s is refused, and nothing is changed', async (_, changes, message) => {
    const before = await api.dump();
    await expect(change(changes, api.one.id)).rejects.toThrow(message);
    expect(await api.dump()).toBe(before);
  });

  it('a new organization cannot take one either, and an unknown one has none', async () => {
    const email = 'new@example.com';
    const created = createOrganization(api.services, { name: 'New', host: FURTHER, email, password: PASSWORD });
    await expect(created).rejects.toThrow('www.two.example is already used by two.example.');
    await expect(change({ add: ['new.example'] }, 999)).rejects.toThrow('Organization 999 not found.');
  });

  it('a suspended organization has them still, and shows the same page on all', async () => {
    await suspendOrganization(api.services, api.two.id);
    for (const host of [PRIMARY, FURTHER]) expect((await get(host, '/hall')).statusCode).toBe(503);
  });
});
