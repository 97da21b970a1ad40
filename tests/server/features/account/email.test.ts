import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, databases, PASSWORD, refused, type TestUser } from '../../../harness/api-app.ts';
import { confirmationOf } from '../../../harness/factors.ts';

const HOUR = 60 * 60_000;

describe.each(databases)('one’s own e-mail address on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  let count = 0;
  const newAddress = () => `new-${++count}@example.com`;
  /** Messages to an address. */
  const messagesTo = async (email: string) => {
    const folder = join(api.services.settings.DATA_DIR, 'outbox');
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts
      .filter((text) => text.includes(`To: ${email}`))
      .map((text) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
  };
  const linkTo = async (email: string) => {
    await expect.poll(async () => (await messagesTo(email)).length).toBeGreaterThan(0);
    const carried = /\?email=([\w-]+)/.exec((await messagesTo(email)).at(-1)!)![1]!;
    return JSON.parse(Buffer.from(carried, 'base64url').toString()) as { email: string; token: string };
  };
  const ask = async (user: TestUser, email: string) =>
    api.client(user).account.askEmail({ body: { email, confirmation: await confirmationOf(api, user) } });

  it('changes when the link that was sent to the new one is opened; the old one is told', async () => {
    const user = await api.addUser(api.one, {});
    const email = newAddress();
    await ask(user, email);
    const link = await linkTo(email);
    expect(link.email).toBe(email);
    expect((await api.client(user).users.active()).email).toBe(user.email);
    expect((await api.client(user).account.changeEmail({ body: link })).email).toBe(email);
    expect((await api.client(user).users.active()).email).toBe(email);
    const anybody = api.client({ token: null }).users;
    expect((await refused(anybody.login({ body: { email: user.email, password: PASSWORD } }))).code).toBe(
      'wrong_login',
    );
    await anybody.login({ body: { email, password: PASSWORD } });
    await expect.poll(async () => (await messagesTo(user.email)).some((text) => text.includes(email))).toBe(true);
    expect((await refused(api.client(user).account.changeEmail({ body: link }))).msg).toHaveProperty('token');
    const events = await api.client().audit.list({ query: { event: 'email_changed' } });
    expect(events.data[0]).toMatchObject({ subject: email, details: { before: user.email } });
  });

  it('stays without a confirmation, with one of somebody else, and where the address is taken or the same', async () => {
    const [user, other] = [await api.addUser(api.one, {}), await api.addUser(api.two, {})];
    const { account } = api.client(user);
    const body = { email: newAddress(), confirmation: await confirmationOf(api, other) };
    expect((await refused(account.askEmail({ body }))).msg).toHaveProperty('confirmation');
    expect((await refused(ask(user, other.email))).msg).toHaveProperty('email');
    expect((await refused(ask(user, user.email))).msg).toHaveProperty('email');
    expect(await messagesTo(body.email)).toEqual([]);
  });

  it('a link works for whoever asked for it only, for its address, within an hour', async () => {
    const [user, other] = [await api.addUser(api.one, {}), await api.addUser(api.one, {})];
    const email = newAddress();
    await ask(user, email);
    const link = await linkTo(email);
    expect((await refused(api.client(other).account.changeEmail({ body: link }))).msg).toHaveProperty('token');
    const elsewhere = { ...link, email: newAddress() };
    expect((await refused(api.client(user).account.changeEmail({ body: elsewhere }))).msg).toHaveProperty('token');
    api.clock.advance(HOUR + 1);
    expect((await refused(api.client(user).account.changeEmail({ body: link }))).msg).toHaveProperty('token');
    expect((await api.client(user).users.active()).email).toBe(user.email);
  });

  it('of two who want the same address, one gets it', async () => {
    const [user, other] = [await api.addUser(api.one, {}), await api.addUser(api.two, {})];
    const email = newAddress();
    await ask(user, email);
    const mine = await linkTo(email);
    await ask(other, email);
    await expect.poll(async () => (await messagesTo(email)).length).toBe(2);
    const links = await Promise.all(
      (await messagesTo(email)).map(async (text) => {
        const carried = /\?email=([\w-]+)/.exec(text)![1]!;
        return JSON.parse(Buffer.from(carried, 'base64url').toString()) as typeof mine;
      }),
    );
    const theirs = links.find(({ token }) => token !== mine.token)!;
    await api.client(user).account.changeEmail({ body: mine });
    expect((await refused(api.client(other).account.changeEmail({ body: theirs }))).msg).toHaveProperty('email');
  });

  it('is asked for five times in an hour, and not with an API key', async () => {
    const user = await api.addUser(api.one, {});
    for (let time = 0; time < 5; time++) await ask(user, newAddress());
    expect((await refused(ask(user, newAddress()))).status).toBe(429);
    const admin = api.one.admin;
    const { policies } = await api.client(admin).users.active();
    const { key } = await api.client(admin).apiKeys.create({ body: { name: 'K', policies } });
    const body = { email: newAddress(), confirmation: await confirmationOf(api, admin) };
    expect((await refused(api.client({ token: key }).account.askEmail({ body }))).status).toBe(403);
  });

  it('that somebody had is erased with the person', async () => {
    const user = await api.addUser(api.one, {});
    const email = newAddress();
    await ask(user, email);
    await api.client(user).account.changeEmail({ body: await linkTo(email) });
    await expect.poll(async () => (await messagesTo(user.email)).length).toBe(1);
    await api.client().privacy.eraseUser({ body: { email } });
    expect(await api.dump()).not.toContain(user.email);
    expect([...(await messagesTo(user.email)), ...(await messagesTo(email))]).toEqual([]);
  });
});
