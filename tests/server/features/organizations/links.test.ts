import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { ApiApp, databases, formOf, PASSWORD, type TestOrganization } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';
import { confirmationOf } from '../../../harness/factors.ts';
import { MailServer, textOf } from '../../../harness/mail-server.ts';

/** Every place of the server that names an address of ours, for one organization. Gives the text that names it. */
const PLACES: Record<string, (api: ApiApp, mail: MailServer, organization: TestOrganization) => Promise<string>> = {
  'the signed-in user, of which screens make links': async (api, _, { admin }) =>
    (await api.client(admin).users.active()).organization.origin,
  'the answer to a sign-in': async (api, _, organization) => {
    const { email } = await api.addUser(organization, {});
    const answer = await api.client({ token: null }).users.login({ body: { email, password: PASSWORD } });
    return 'organization' in answer ? answer.organization.origin : '';
  },
  'an invitation': async (api, mail, { id, admin }) => {
    const email = `invited-${id}@example.com`;
    await api.client(admin).users.invite({ body: { email, name: 'Kim', policies: noRights() } });
    return textOf((await mail.wait(email)).source);
  },
  'a second invitation': async (api, mail, { id, admin }) => {
    const email = `again-${id}@example.com`;
    const member = await api.client(admin).users.invite({ body: { email, name: 'Lee', policies: noRights() } });
    await mail.wait(email);
    await api.client(admin).users.inviteAgain({ params: { id: member.id } });
    return textOf((await mail.wait(email, 2)).source);
  },
  'a link to set a password': async (api, mail, organization) => {
    const { email } = await api.addUser(organization, {});
    await api.call(calls.users.forgot, {}, { body: { email }, headers: { 'x-forwarded-host': 'evil.example' } });
    return textOf((await mail.wait(email)).source);
  },
  'a link to a new email address': async (api, mail, organization) => {
    const user = await api.addUser(organization, {});
    const email = `new-${user.email}`;
    await api.client(user).account.askEmail({ body: { email, confirmation: await confirmationOf(api, user) } });
    return textOf((await mail.wait(email)).source);
  },
  'the reset of a second factor': async (api, mail, organization) => {
    const user = await api.addUser(organization, {});
    await api.services.db.updateTable('users').set({ has_second_factor: 1 }).where('id', '=', user.id).execute();
    await api.client(organization.admin).secondFactor.reset({ params: { id: user.id } });
    return textOf((await mail.wait(user.email)).source);
  },
  'messages that wait for approval': async (api, mail, { id, host, admin }) => {
    const client = api.client(admin);
    const notify = [`moderator-${id}@example.com`];
    const feed = await client.feeds.create({
      body: { name: 'Wall', type: 'local', moderation: { hold: true, notify } },
    });
    const room = await client.rooms.create({ body: { title: 'Wall' } });
    const config = { feed_enabled: true, feed_id: feed.id };
    await client.rooms.addElement({ params: { id: room.id }, body: { element: 'group', config } });
    await client.endpoints.create({ body: { name: 'Wall', room_id: room.id } });
    const headers = { 'x-forwarded-for': `198.51.100.${id}`, ...(host && { 'x-forwarded-host': host }) };
    const form = formOf({ name: 'Eva', message: 'Hello', feed_id: String(feed.id) });
    expect((await api.call(calls.visit.share, {}, { form, headers })).status).toBe(201);
    return textOf((await mail.wait(notify[0]!)).source);
  },
  'where Instagram sends people back to': async (api, _, { admin }) => {
    const client = api.client(admin);
    await client.platforms.update({
      params: { platform: 'instagram' },
      body: { client_id: 'app-of-their-own', client_secret: 'secret-of-their-own' },
    });
    const { redirect_url } = await client.feeds.create({ body: { name: 'Posts', type: 'instagram' } });
    return new URL(redirect_url!).searchParams.get('redirect_uri')!;
  },
  'where their own sign-in sends people back to': async (api, _, { admin }) =>
    (await api.client(admin).signIn.read()).redirect_uri,
  'a preview link': async (api, _, { admin }) => {
    const client = api.client(admin);
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    await client.endpoints.create({ body: { name: 'Preview', room_id: room.id } });
    return (await client.publications.createPreviewLink({ params: { id: room.id }, body: { expires_in: 3600 } })).url;
  },
  'what search engines and link previews read of a page': async (api, _, { host, admin }) => {
    const client = api.client(admin);
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    const { path } = await client.endpoints.create({ body: { name: 'Page', room_id: room.id } });
    const { text } = await api.send('GET', path, { headers: host ? { 'x-forwarded-host': host } : {} });
    return text
      .split('\n')
      .filter((line) => /canonical|og:url/.test(line))
      .join('\n');
  },
};

/** Every origin that a text names. */
const originsIn = (text: string) => new Set([...text.matchAll(/https?:\/\/[^\s/"'<>]+/g)].map(([origin]) => origin));

describe.each(databases)('security 80: addresses of two organizations on %s', (kind) => {
  let api: ApiApp;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await MailServer.start();
    api = await ApiApp.start(kind, {
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: mail.url,
      PUBLIC_URL: 'https://rooms.example.com:8443',
    });
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  describe.each([
    ['one', 'https://rooms.example.com:8443'],
    ['two', 'https://two.example:8443'],
  ] as const)('of organization %s', (name, origin) => {
    it.each(Object.keys(PLACES))('are those of its own site: %s', async (place) => {
      expect([...originsIn(await PLACES[place]!(api, mail, api[name]))]).toEqual([origin]);
    });
  });
});

describe.each(databases)('addresses without a public address on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => api.close());

  const originFor = async ({ admin: { token } }: TestOrganization, headers: Record<string, string>) =>
    (await api.call(calls.users.active, {}, { token, headers })).body.data.organization.origin;

  it('screens use the address that they were opened at, unless it is of another organization', async () => {
    const { port } = new URL(api.origin);
    expect(await originFor(api.one, { 'x-forwarded-host': '192.168.1.20:8080' })).toBe('http://192.168.1.20:8080');
    expect(await originFor(api.two, { 'x-forwarded-host': '192.168.1.20:8080' })).toBe(`http://two.example:${port}`);
    expect(await originFor(api.one, { 'x-forwarded-host': 'two.example' })).toBe(`http://localhost:${port}`);
    expect(await originFor(api.two, { 'x-forwarded-host': 'two.example:8080' })).toBe('http://two.example:8080');
  });
});
