import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { Policies } from '../../../../src/contract/entities.ts';
import { openDatabase } from '../../../../src/server/core/db/database.ts';
import { addAttempts } from '../../../../src/server/core/limits/attempts.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import {
  ApiApp,
  databases,
  PASSWORD,
  refused,
  type TestOrganization,
  type TestUser,
} from '../../../harness/api-app.ts';
import { MailServer, readLink, textOf } from '../../../harness/mail-server.ts';

const DAY = 24 * 60 * 60 * 1000;
const all = { view_any: true, create: true, update: true, delete: true };
const none = { view_any: false, create: false, update: false, delete: false };
const rightsOf = (rights: Partial<Policies>): Policies => ({
  ...(Object.fromEntries(Object.keys(allPolicies()).map((area) => [area, none])) as Policies),
  ...rights,
});

describe.each(databases)('users on %s', (kind) => {
  let api: ApiApp;
  let mail: MailServer;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    mail = await MailServer.start();
    api = await ApiApp.start(kind, { SMTP_URL: mail.url });
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
    await api.services.db.deleteFrom('attempts').execute();
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  const active = ({ token }: { token: string }) => api.call(calls.users.active, {}, { token });
  const update = (as: Client, id: number, body: object) => as.users.update({ params: { id }, body });
  const invite = (email: string, policies = rightsOf({})) =>
    client.users.invite({ body: { email, name: 'Newcomer', policies } });
  const refusal = async (attempt: Promise<unknown>) => {
    const { status, msg } = await refused(attempt);
    return [status, ...Object.keys(msg)];
  };

  it('security 22: an organization sends no more than 200 invitations in an hour, and five to one mailbox', async () => {
    const home = await api.addOrganization(`busy-${kind}.example`);
    const own = api.client(home.admin).users;
    const body = (email: string, name = 'New') => ({ body: { email, name, policies: rightsOf({}) } });
    const mailbox = `often-${kind}@example.com`;
    const { id } = await own.invite(body(mailbox));
    for (let again = 0; again < 4; again++) expect(await refusal(own.invite(body(mailbox)))).toEqual([422, 'email']);
    expect((await refused(own.invite(body(mailbox)))).status).toBe(429);
    expect((await refused(own.inviteAgain({ params: { id } }))).status).toBe(429);
    // Those before the last one are counted as they would have been.
    await addAttempts(api.services.db, api.clock, Array(194).fill(`invitation:organization:${home.id}`));
    await own.invite(body(`guest-${kind}@example.com`));
    expect((await refused(own.invite(body(`late-${kind}@example.com`)))).status).toBe(429);
    api.clock.advance(60 * 60 * 1000 + 1);
    await own.invite(body(`late-${kind}@example.com`));
  });

  it('security 22: nobody is invited under somebody else’s address, and no message greets an address', async () => {
    const home = await api.addOrganization(`names-${kind}.example`);
    const own = api.client(home.admin).users;
    const body = (email: string, name: string) => ({ body: { email, name, policies: rightsOf({}) } });
    const attempt = own.invite(body(`one-${kind}@example.com`, 'boss@example.com'));
    expect(await refusal(attempt)).toEqual([422, 'name']);
    for (const [index, name] of ['https://evil.example/win', `two-1-${kind}@example.com`].entries()) {
      const email = `two-${index}-${kind}@example.com`;
      await own.invite(body(email, name));
      const text = textOf((await mail.wait(email)).source);
      expect(text).toContain('Hello,');
      expect(text).not.toContain(name);
    }
  });

  it('an invited person sets a password with the link of a message, and signs in', async () => {
    const member = await invite(' Anna@Example.com ', rightsOf({ rooms: all }));
    expect(member).toMatchObject({ email: 'anna@example.com', is_active: true, is_invited: true, last_seen_at: null });
    const login = { body: { email: member.email, password: PASSWORD } };
    expect((await api.call(calls.users.login, {}, login)).status).toBe(422);
    const first = readLink((await mail.wait(member.email)).source);
    api.clock.advance(7 * DAY - 1);
    client = api.client({ token: await api.signIn(organization.admin) });
    await client.users.inviteAgain({ params: { id: member.id } });
    const { token, email } = readLink((await mail.wait(member.email, 2)).source);
    const body = { email, password: PASSWORD, password_confirmation: PASSWORD };
    expect((await api.call(calls.users.reset, {}, { body: { ...body, token: first.token } })).status).toBe(422);
    expect((await api.call(calls.users.reset, {}, { body: { ...body, token } })).status).toBe(200);
    expect((await api.call(calls.users.login, {}, login)).status).toBe(200);
    const seen = await client.users.read({ params: { id: member.id } });
    expect(seen).toMatchObject({ is_invited: false, last_seen_at: new Date(api.clock.now()).toISOString() });
    expect(await refusal(client.users.inviteAgain({ params: { id: member.id } }))).toEqual([422, 'error']);
  });

  it('an address belongs to one user, whatever its case, and stands in no header', async () => {
    await invite(`bert-${kind}@example.com`);
    expect(await refusal(invite(`BERT-${kind}@example.com`))).toEqual([422, 'email']);
    for (const email of [
      'x',
      'a@b',
      'a b@example.com',
      'a@example.com\nBcc: b@example.com',
      `${'a'.repeat(250)}@example.com`,
    ])
      expect(await refusal(invite(email)), email).toEqual([422, 'email']);
    await client.users.invite({
      body: {
        email: `carla-${kind}@example.com`,
        name: 'Carla = "Ünïcode" <x@y.z>, b@example.com',
        policies: rightsOf({}),
      },
    });
    expect((await mail.wait(`carla-${kind}@example.com`)).to).toEqual([`carla-${kind}@example.com`]);
  });

  it('lists by name whatever the case, finds by name and address, a page at a time', async () => {
    for (const name of ['beta', 'Alpha', 'gamma']) {
      const body = { email: `${name}-${count}@example.com`, name, policies: rightsOf({}) };
      await client.users.invite({ body });
    }
    const names = async (query: object) => (await client.users.list({ query })).data.map(({ name }) => name);
    expect((await names({})).slice(0, 3)).toEqual(['Alpha', 'beta', 'gamma']);
    expect(await names({ search: 'ALPHA-' })).toEqual(['Alpha']);
    expect(await names({ per_page: 1, page: 2 })).toEqual(['beta']);
    expect((await client.users.list({ query: { per_page: 1 } })).meta).toEqual({ total: 4, page: 1, last_page: 4 });
    const text = JSON.stringify(await client.users.list());
    expect(text).not.toMatch(/argon2|password_hash/);
  });

  it('security 10: nobody gives a right that they do not have, nor changes their own, nor locks themselves out', async () => {
    const policies = rightsOf({ settings: all, rooms: { ...none, view_any: true } });
    const some = await api.addUser(organization, policies);
    const target = await api.addUser(organization, { templates: all });
    const weaker = await api.addUser(organization, { rooms: { ...none, view_any: true } });
    const limited = api.client(some);
    const before = await api.dump(['changes', 'attempts']);
    const more = rightsOf({ rooms: { ...none, update: true } });
    const attempts: [string, () => Promise<unknown>][] = [
      ['policies', () => limited.users.invite({ body: { email: 'd@example.com', name: 'D', policies: more } })],
      ['policies', () => update(limited, weaker.id, { policies: more })],
      ['policies', () => limited.apiKeys.create({ body: { name: 'K', policies: more } })],
      ['policies', () => update(limited, some.id, { policies: rightsOf({ settings: all }) })],
      ['policies', () => update(client, organization.admin.id, { policies: rightsOf({}) })],
      ['is_active', () => update(client, organization.admin.id, { is_active: false })],
    ];
    for (const [field, attempt] of attempts) expect(await refusal(attempt())).toEqual([403, field]);
    expect(await api.dump(['changes', 'attempts'])).toBe(before);
    await update(limited, weaker.id, { policies: rightsOf({ settings: { ...none, view_any: true } }) });
    await update(limited, some.id, { name: 'A new name' });
    const unknown = { ...rightsOf({}), __proto__: { admin: true } };
    expect((await refused(update(limited, target.id, { policies: unknown, email: 'x@example.com' }))).status).toBe(400);
  });

  it('security 10: nobody changes or removes those who have rights that they lack, nor takes rights that they lack', async () => {
    const limited = api.client(await api.addUser(organization, { settings: all }));
    const target = await api.addUser(organization, { templates: all });
    const before = await api.dump(['changes', 'attempts']);
    const take = (id: number) => [
      () => update(limited, id, { policies: rightsOf({}) }),
      () => update(limited, id, { policies: rightsOf({ templates: { ...all, delete: false } }) }),
      () => update(limited, id, { is_active: false }),
      () => update(limited, id, { name: 'Renamed' }),
      () => limited.users.remove({ params: { id } }),
    ];
    for (const attempt of [...take(target.id), ...take(organization.admin.id)]) {
      const { status, message } = await refused(attempt());
      expect([status, message]).toEqual([403, expect.stringContaining('templates.create')]);
    }
    expect(await api.dump(['changes', 'attempts'])).toBe(before);
  });

  it('one who has all rights always stays, also of those who take them from each other at once', async () => {
    const whole = JSON.stringify(allPolicies());
    for (let round = 0; round < 10; round++) {
      const group = await api.addOrganization(`round-${count}-${round}.example`);
      const everybody = [group.admin, await api.addUser(group, allPolicies()), await api.addUser(group, allPolicies())];
      const takes = everybody.flatMap((taker) => {
        const others = everybody.filter(({ id }) => id !== taker.id);
        return others.map(({ id }) => update(api.client(taker), id, { policies: rightsOf({ settings: all }) }));
      });
      const results = await Promise.allSettled(takes);
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
      const { db } = api.services;
      const rows = await db.selectFrom('users').selectAll().where('organization_id', '=', group.id).execute();
      expect(rows.some(({ policies }) => policies === whole)).toBe(true);
    }
  });

  it('the last user who may change the settings keeps that, also of two who take it from each other at once', async () => {
    const { id } = await api.addUser(organization, { settings: all });
    const keeper = await api.addUser(organization, allPolicies());
    await update(client, id, { is_active: false });
    const other = api.client(keeper);
    const results = await Promise.allSettled([
      update(client, keeper.id, { is_active: false }),
      update(other, organization.admin.id, { is_active: false }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rows = await api.services.db
      .selectFrom('users')
      .selectAll()
      .where('organization_id', '=', organization.id)
      .execute();
    expect(rows.filter(({ is_active }) => is_active === 1)).toHaveLength(1);
  });

  it('security 4: whoever is locked out is signed out with the next request; a right that is taken counts then too', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await api.addUser(organization, { rooms: all });
      const list = () => api.call(calls.rooms.list, {}, { token: user.token });
      expect((await list()).status).toBe(200);
      const asking = [list(), list(), list()];
      await update(client, user.id, { policies: rightsOf({}) });
      expect((await list()).status).toBe(403);
      await update(client, user.id, { is_active: false });
      expect((await active(user)).status).toBe(401);
      await Promise.all(asking);
      expect((await active(user)).status).toBe(401);
      await update(client, user.id, { is_active: true });
      expect((await active(user)).status).toBe(401);
    }
  });

  it('security 4: a change counts when its transaction is committed, whoever asks in between', async () => {
    const user = await api.addUser(organization, {});
    expect((await active(user)).status).toBe(200);
    let during: Promise<unknown> | undefined;
    await api.services.db.transaction().execute(async (db) => {
      await db.updateTable('users').set({ is_active: 0 }).where('id', '=', user.id).execute();
      // SQLite lets nobody ask in the middle of a transaction.
      during = active(user);
      if (kind === 'postgres') await during;
    });
    expect((await active(user)).status).toBe(401);
    await during;
    expect((await active(user)).status).toBe(401);
  });

  if (kind === 'postgres')
    it('security 4: what another process changes counts as soon as PostgreSQL tells of it', async () => {
      const other = openDatabase({ url: api.services.settings.DATABASE_URL, folder: '' });
      const signedOut = (user: TestUser) => expect.poll(async () => (await active(user)).status).toBe(401);
      try {
        const [alone, within] = [await api.addUser(organization, {}), await api.addUser(organization, {})];
        expect([(await active(alone)).status, (await active(within)).status]).toEqual([200, 200]);
        await other.updateTable('users').set({ is_active: 0 }).where('id', '=', alone.id).execute();
        // The clock stands still, so nothing is forgotten by itself.
        await signedOut(alone);
        await other.transaction().execute(async (db) => {
          await db.deleteFrom('sessions').where('user_id', '=', within.id).execute();
        });
        await signedOut(within);
      } finally {
        await other.destroy();
      }
    });

  it('refuses an edit of a version that is no longer current', async () => {
    const { id, updated_at } = await invite(`erik-${count}@example.com`);
    await update(client, id, { name: 'Erik', updated_at });
    expect((await refused(update(client, id, { name: 'Else', updated_at }))).code).toBe('stale');
  });
});
