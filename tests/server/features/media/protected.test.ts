import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, type TestOrganization } from '../../../harness/api-app.ts';

const HOUR = 60 * 60 * 1000;

describe.each(databases)('security 23: files of protected rooms on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let url: string;
  let room: number;
  let door: number;
  let slug: string;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
    url = (await upload()).url;
    const file_id = (await client.media.list()).data[0]!.id;
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.rooms.addElement({ params: { id: room }, body: { element: 'image', file_id } });
    const body = { name: 'Door', room_id: room, is_protected: true };
    ({ id: door, slug } = await client.endpoints.create({ body }));
    await client.accessTokens.create({ body: { endpoint_id: door, token: 'open sesame' } });
  });
  afterAll(() => api.close());

  let colors = 0;
  const upload = async () => {
    const color = { r: ++colors % 256, g: colors >> 8, b: kind === 'sqlite' ? 0 : 1 };
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
      .png()
      .toBuffer();
    return client.media.upload({ body: {}, files: { file: new File([new Uint8Array(bytes)], 'picture.png') } });
  };
  const get = (headers: Record<string, string> = {}, path = url) => api.send('GET', path, { headers });
  const status = async (headers: Record<string, string> = {}, path = url) => (await get(headers, path)).status;
  const visit = (payload: object = {}, headers: Record<string, string> = {}) =>
    api.app.inject({
      method: 'POST',
      url: `/api/v1/endpoints/${slug}`,
      headers: { host: organization.host!, ...headers },
      payload,
    });
  const cookieOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers['set-cookie']);
  const pair = (cookie: string) => ({ cookie: cookie.split(';')[0]! });

  it('are for nobody without a grant, in whatever size and way they are asked for', async () => {
    for (const path of [url, `${url}?width=200`]) expect(await status({}, path)).toBe(403);
    for (const headers of [
      { cookie: 'enfilade_session=x' },
      { cookie: `enfilade_visit_${door}=${'a'.repeat(43)}` },
      { authorization: `Bearer ${'a'.repeat(43)}` },
      { range: 'bytes=0-3' },
      { 'if-none-match': '*' },
    ] as Record<string, string>[])
      expect(await status(headers)).toBe(403);
    const { body } = await get();
    expect(body.msg.error).toEqual(['This file belongs to a protected room. Enter the room first.']);
  });

  it('open for a visitor who has entered, for as long as the visit goes on', async () => {
    expect((await visit({ access_token: 'wrong' })).headers['set-cookie']).toBeUndefined();
    const entered = await visit({ access_token: 'open sesame' });
    const cookie = cookieOf(entered);
    expect(cookie).toMatch(
      new RegExp(`^enfilade_visit_${door}=[\\w-]{43}; Max-Age=\\d+; Path=/media; HttpOnly; SameSite=Lax$`),
    );
    const answer = await get(pair(cookie));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, max-age=600']);
    expect(await status(pair(cookie), `${url}?width=200`)).toBe(200);
    const { token } = entered.json();
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
    // Whoever comes back gets the cookie again.
    const again = await api.app.inject({
      url: `/api/v1/endpoints/${slug}`,
      headers: { host: organization.host!, authorization: `Bearer ${token}` },
    });
    expect(pair(cookieOf(again))).toEqual(pair(cookie));
    const [entry] = (await client.accessTokens.list()).data;
    await client.accessTokens.remove({ params: { id: entry!.id } });
    expect(await status(pair(cookie))).toBe(403);
  });

  it('the visit of another structure opens nothing', async () => {
    const other = await client.rooms.create({ body: { title: 'Other' } });
    const second = await client.endpoints.create({ body: { name: 'Second', room_id: other.id, is_protected: true } });
    await client.accessTokens.create({ body: { endpoint_id: second.id, token: 'elsewhere' } });
    slug = 'second';
    const cookie = cookieOf(await visit({ access_token: 'elsewhere' }));
    expect(cookie).toContain(`enfilade_visit_${second.id}`);
    expect(await status(pair(cookie))).toBe(403);
    expect(await status({ cookie: pair(cookie).cookie.replace(/_\d+=/, `_${door}=`) })).toBe(403);
  });

  it('over https the cookie also goes with a room that is embedded in another site, and with no other', async () => {
    const entered = await visit({ access_token: 'open sesame' }, { 'x-forwarded-proto': 'https' });
    const attributes = cookieOf(entered).split('; ');
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'Secure', 'SameSite=None', 'Partitioned']));
  });

  it('the users of the organization see them, those of others do not', async () => {
    const active = await api.call(calls.users.active, {}, { token: organization.admin.token });
    const cookie = active.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^enfilade_session=[\w-]{43}; .*Path=\/media; /);
    expect(await status(pair(cookie))).toBe(200);
    expect(await status({ authorization: `Bearer ${organization.admin.token}` })).toBe(200);
    const { key } = await client.apiKeys.create({ body: { name: 'K', policies: allPolicies() } });
    expect(await status({ authorization: `Bearer ${key}` })).toBe(200);
    const stranger = await api.call(calls.users.active, {}, { token: api.two.admin.token });
    expect(await status(pair(stranger.headers.get('set-cookie')!))).toBe(403);
    await client.users.logout();
    expect(await status(pair(cookie))).toBe(403);
  });

  it('a session that is renewed brings a new cookie; a file never takes the renewal', async () => {
    const user = await api.addUser(organization, allPolicies());
    api.clock.advance(HOUR);
    const old = { authorization: `Bearer ${user.token}` };
    expect(await status(old)).toBe(200);
    const renewed = await api.call(calls.rooms.list, {}, { token: user.token });
    const token = renewed.headers.get('authorization')!.slice('Bearer '.length);
    expect(renewed.headers.get('set-cookie')).toContain(`enfilade_session=${token};`);
    expect(await status(pair(renewed.headers.get('set-cookie')!))).toBe(200);
  });

  it('are open as soon as a structure without a code uses them, and closed when the last one does no longer', async () => {
    const open = await client.endpoints.create({ body: { name: 'Open', room_id: room } });
    expect(await status()).toBe(200);
    expect((await get()).headers.get('cache-control')).toContain('immutable');
    const update = (id: number, body: object) => client.endpoints.update({ params: { id }, body });
    await update(open.id, { is_visible: false });
    expect(await status()).toBe(403);
    await update(open.id, { is_visible: true });
    expect(await status()).toBe(200);
    await update(open.id, { is_protected: true });
    expect(await status()).toBe(403);
    await client.endpoints.remove({ params: { id: open.id } });
    await update(door, { is_protected: false });
    expect(await status()).toBe(200);
  });

  it('open and close by what their own organization shows, not by what another one does', async () => {
    const other = await api.addOrganization(`other-${count}.example`);
    const stranger = api.client(other.admin);
    const under = ({ host }: TestOrganization, path = url) =>
      api.app.inject({ url: path, headers: { host: host! } }).then(({ statusCode }) => statusCode);
    const show = async (of: Client, body: string, isProtected: boolean) => {
      const { id } = await of.rooms.create({ body: { title: 'Shown' } });
      await of.rooms.addElement({ params: { id }, body: { element: 'html', config: { body } } });
      await of.endpoints.create({ body: { name: `Shown ${id}`, room_id: id, is_protected: isProtected } });
    };
    const open = await upload();
    await show(client, `<img src="${open.url}">`, false);
    // Somebody else names both files, one in a public room and one in a protected one, and has neither.
    await show(stranger, `<img src="${url}">`, false);
    await show(stranger, `<img src="${open.url}">`, true);
    expect([await under(organization), await under(other), await status()]).toEqual([403, 403, 403]);
    expect([await under(organization, open.url), await under(other, open.url)]).toEqual([200, 200]);
    // Then they have the same files, and decide for themselves.
    for (const path of [url, open.url]) {
      const bytes = await (
        await fetch(api.origin + path, {
          headers: { authorization: `Bearer ${organization.admin.token}` },
        })
      ).bytes();
      await stranger.media.upload({ body: {}, files: { file: new File([bytes], 'picture.png') } });
    }
    api.clock.advance(5000);
    expect([await under(organization), await under(other)]).toEqual([403, 200]);
    expect([await under(organization, open.url), await under(other, open.url)]).toEqual([200, 403]);
    const mine = { authorization: `Bearer ${other.admin.token}` };
    expect(await status(mine, open.url)).toBe(200);
  });

  it('that visitors share into a protected room are as protected as the room', async () => {
    const feed = await client.feeds.create({ body: { name: 'Guests', type: 'local' } });
    const config = { feed_enabled: true, feed_id: feed.id };
    const fill = (id: number) => client.rooms.addElement({ params: { id }, body: { element: 'group', config } });
    await fill(room);
    const { token } = (await visit({ access_token: 'open sesame' })).json();
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: { r: count, g: 99, b: 0 } } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('name', 'Guest');
    form.append('message', '');
    form.append('feed_id', String(feed.id));
    form.append('file', new Blob([new Uint8Array(bytes)]), 'shared.png');
    const boundary = new Response(form);
    const shared = await api.app.inject({
      method: 'POST',
      url: '/api/v1/share',
      headers: {
        host: organization.host!,
        authorization: `Bearer ${token}`,
        'content-type': boundary.headers.get('content-type')!,
      },
      payload: Buffer.from(await boundary.arrayBuffer()),
    });
    expect(shared.statusCode).toBe(201);
    const path: string = shared.json().data.file_url;
    expect(await status({}, path)).toBe(403);
    expect(await status({ authorization: `Bearer ${token}` }, path)).toBe(200);
    const open = await client.rooms.create({ body: { title: 'Open' } });
    await client.endpoints.create({ body: { name: 'Open', room_id: open.id } });
    expect(await status({}, path)).toBe(403);
    await fill(open.id);
    expect(await status({}, path)).toBe(200);
  });

  it('count wherever a room names them: in texts and templates too; what no protected room uses is open', async () => {
    const [inText, inTemplate, unused] = [await upload(), await upload(), await upload()];
    expect(await status({}, inText.url)).toBe(200);
    const body = `<p><img src="${inText.url}" alt=""></p>`;
    await client.rooms.addElement({ params: { id: room }, body: { element: 'html', config: { body } } });
    const template = await client.templates.create({ body: { name: 'T', logo_file_id: inTemplate.id } });
    await client.rooms.update({ params: { id: room }, body: { template_id: template.id } });
    expect([await status({}, inText.url), await status({}, inTemplate.url)]).toEqual([403, 403]);
    expect(await status({}, unused.url)).toBe(200);
    const other = await client.rooms.create({ body: { title: 'Open', template_id: template.id } });
    await client.endpoints.create({ body: { name: 'Open', room_id: other.id } });
    expect([await status({}, inText.url), await status({}, inTemplate.url)]).toEqual([403, 200]);
  });
});
