import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Call, scopeOf } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { Policies } from '../../../../src/contract/entities.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const HOUR = 60 * 60 * 1000;
const all = { view_any: true, create: true, update: true, delete: true };
const none = { view_any: false, create: false, update: false, delete: false };
const rightsOf = (rights: Partial<Policies>): Policies => ({
  ...(Object.fromEntries(Object.keys(allPolicies()).map((area) => [area, none])) as Policies),
  ...rights,
});

describe.each(databases)('API keys on %s', (kind) => {
  let api: ApiApp;
  let admin: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    admin = api.client({ token: await api.signIn(api.one.admin) });
  });
  afterAll(() => api.close());

  /** A user with every right who has a key with these. */
  const withKey = async (policies = allPolicies(), expires_at: string | null = null) => {
    const user = await api.addUser(api.one, allPolicies());
    const client: Client = api.client(user);
    const made = await client.apiKeys.create({ body: { name: 'Script', policies, expires_at } });
    return { user, client, made, key: made.key };
  };
  const rooms = (token: string) => api.call(calls.rooms.list, {}, { token });
  const setUser = (id: number, body: object) => admin.users.update({ params: { id }, body });

  it('makes calls in the name of its user, with its own rights as far as they go; it is not renewed', async () => {
    const { user, made, key } = await withKey(rightsOf({ rooms: { ...none, view_any: true } }));
    expect(key).toMatch(/^enf_[\w-]{43}$/);
    expect(made).toMatchObject({ name: 'Script', hint: key.slice(-4), user: { id: user.id }, last_used_at: null });
    const answer = await rooms(key);
    expect([answer.status, answer.headers.get('authorization')]).toEqual([200, null]);
    expect((await api.call(calls.rooms.create, {}, { token: key, body: { title: 'X' } })).status).toBe(403);
    expect((await api.call(calls.templates.list, {}, { token: key })).status).toBe(403);
    const { body } = await api.call(calls.users.active, {}, { token: key });
    expect(body.data).toMatchObject({ id: user.id, policies: rightsOf({ rooms: { ...none, view_any: true } }) });
    api.clock.advance(20 * HOUR);
    expect((await rooms(key)).headers.get('authorization')).toBeNull();
  });

  it('security 4: it ends with its time, its removal and its user, at once; rights that the user loses are lost to it', async () => {
    const { user, client, made, key } = await withKey();
    expect((await rooms(key)).status).toBe(200);
    await setUser(user.id, { policies: rightsOf({ templates: all }) });
    expect((await rooms(key)).status).toBe(403);
    expect((await api.call(calls.templates.list, {}, { token: key })).status).toBe(200);
    await setUser(user.id, { is_active: false });
    expect((await api.call(calls.templates.list, {}, { token: key })).status).toBe(401);
    await setUser(user.id, { is_active: true, policies: allPolicies() });
    expect((await rooms(key)).status).toBe(200);
    await admin.apiKeys.remove({ params: { id: made.id } });
    expect((await rooms(key)).status).toBe(401);
    expect((await refused(client.apiKeys.remove({ params: { id: made.id } }))).status).toBe(401);

    const till = new Date(api.clock.now() + HOUR).toISOString();
    const brief = await withKey(allPolicies(), till);
    api.clock.advance(HOUR - 1);
    expect((await rooms(brief.key)).status).toBe(200);
    api.clock.advance(1);
    expect((await rooms(brief.key)).status).toBe(401);
  });

  it('security: without its scopes, a key changes nothing that visitors see, and deletes nothing, in any way', async () => {
    const user = await api.addUser(api.one, allPolicies());
    const body = { name: 'Drafts', policies: allPolicies(), scopes: ['write' as const] };
    const { key } = await api.client(user).apiKeys.create({ body });
    const as = api.client({ token: key });
    const room = await admin.rooms.create({ body: { title: 'Draft' } });
    const shown = await admin.endpoints.create({ body: { name: `Shown ${kind}`, room_id: room.id } });
    const tries = [
      () => as.bulk.start({ body: { action: 'rooms.remove', ids: [room.id] } }),
      () => as.bulk.start({ body: { action: 'endpoints.hide', ids: [shown.id] } }),
      () => as.bin.empty({ body: {} as never }),
      () => as.endpoints.createWithRoom({ body: { name: 'Other', title: 'Other' } as never }),
      () => as.imports.rooms({ body: { items: [{ title: 'New', endpoint: { path: `/new-${kind}` } }] } as never }),
      () => as.templates.remove({ params: { id: 1 } }),
      () => as.endpoints.update({ params: { id: shown.id }, body: { is_visible: false } }),
      () => as.publications.publish({ params: { id: room.id }, body: {} }),
      () => as.rooms.remove({ params: { id: room.id } }),
    ];
    for (const attempt of tries) {
      const error = await refused(attempt());
      expect([error.status, Object.values(error.msg).flat().join()]).toEqual([403, expect.stringContaining('scope')]);
    }
    expect((await as.rooms.create({ body: { title: 'Mine' } })).title).toBe('Mine');
  });

  it('security: every call without a right of its own declares what a key needs for it', () => {
    const found = Object.entries(calls).flatMap(([area, table]) =>
      Object.entries(table as Record<string, Call>)
        .filter(([, call]) => call.access === 'session' && call.method !== 'GET')
        .map(([name, call]) => `${area}.${name}: ${scopeOf(call)}`),
    );
    expect(found.filter((line) => line.endsWith('write') || line.endsWith('null'))).toEqual([]);
    expect(found.filter((line) => line.endsWith('delete')).toSorted()).toEqual([
      'bin.empty: delete',
      'imports.remove: delete',
      'media.remove: delete',
      'onboarding.removeDemo: delete',
    ]);
  });

  it('security 10: a key makes no keys and no users, and changes none', async () => {
    const { user, key } = await withKey();
    const as = api.client({ token: key });
    const policies = rightsOf({});
    const invited = await admin.users.invite({ body: { email: `i-${kind}@example.com`, name: 'I', policies } });
    // The link of the invitation is written after its answer.
    const links = () =>
      api.services.db.selectFrom('password_resets').select('user_id').where('user_id', '=', invited.id).execute();
    await expect.poll(links).toHaveLength(1);
    const before = await api.dump(['api_keys']);
    for (const attempt of [
      () => as.apiKeys.create({ body: { name: 'Next', policies } }),
      () => as.users.invite({ body: { email: 'new@example.com', name: 'New', policies } }),
      () => as.users.inviteAgain({ params: { id: invited.id } }),
      () => as.users.update({ params: { id: user.id }, body: { name: 'Other' } }),
    ])
      expect((await refused(attempt())).status).toBe(403);
    expect(await api.dump(['api_keys'])).toBe(before);
  });

  it('security 5: only its hash is stored, and lists show its last four signs', async () => {
    const { client, key } = await withKey();
    await rooms(key);
    expect(await api.dump()).not.toContain(key);
    const list = await client.apiKeys.list({ query: { search: 'script' } });
    expect(JSON.stringify(list)).not.toContain(key);
    expect(list.data[0]!.hint).toBe(key.slice(-4));
    expect(
      (
        await api
          .client(api.two.admin)
          .apiKeys.list()
          .catch(() => null)
      )?.meta.total ?? 0,
    ).toBe(0);
  });

  it('security 7: changed keys open nothing', async () => {
    const { key } = await withKey();
    for (let at = 0; at < key.length; at++) {
      const changed = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
      expect((await rooms(changed)).status).toBe(401);
    }
    for (const wrong of ['enf_', key.slice(4), `${key}x`, key.toUpperCase()])
      expect((await rooms(wrong)).status).toBe(401);
  });

  it('says in which hour it was used, and writes that once', async () => {
    const { client, made, key } = await withKey();
    const used = async () => (await client.apiKeys.list()).data.find(({ id }) => id === made.id)!.last_used_at;
    await rooms(key);
    const hour = `${new Date(api.clock.now()).toISOString().slice(0, 13)}:00:00.000Z`;
    expect(await used()).toBe(hour);
    const row = () => api.services.db.selectFrom('api_keys').selectAll().where('id', '=', made.id).executeTakeFirst();
    const before = await row();
    api.clock.advance(3000);
    await rooms(key);
    expect(await row()).toEqual(before);
  });

  it('a download that was begun with a key ends with the key', async () => {
    const { user, made, key } = await withKey();
    const owner = api.client({ token: await api.signIn(user) });
    const room = await owner.rooms.create({ body: { title: 'Hall' } });
    const { id } = await owner.endpoints.create({ body: { name: `Door ${kind}`, room_id: room.id } });
    const ticket = () => api.client({ token: key }).endpoints.createExportTicket({ params: { id } });
    const open = (token: string) => api.call(calls.endpoints.exportTokens, { id }, { query: `token=${token}` });
    expect((await open((await ticket()).token)).status).toBe(200);
    const late = await ticket();
    await owner.apiKeys.remove({ params: { id: made.id } });
    expect((await open(late.token)).status).toBe(401);
  });

  it('ends after a year unless it is made to end earlier or never; what has ended is 401 and stays in the list', async () => {
    const user = await api.addUser(api.one, allPolicies());
    const make = (more: object) =>
      api.client(user).apiKeys.create({ body: { name: 'Door', policies: allPolicies(), ...more } });
    const usual = await make({});
    const year = 365 * 24 * HOUR;
    expect(usual.expires_at).toBe(new Date(api.clock.now() + year).toISOString());
    const forever = await make({ expires_at: null });
    expect(forever.expires_at).toBeNull();
    api.clock.advance(year - 1);
    expect((await rooms(usual.key)).status).toBe(200);
    api.clock.advance(1);
    expect((await rooms(usual.key)).status).toBe(401);
    expect((await rooms(forever.key)).status).toBe(200);
    const { data } = await api.client({ token: await api.signIn(user) }).apiKeys.list({ query: { search: 'door' } });
    expect(data.map(({ id, expires_at }) => [id, expires_at])).toEqual([
      [forever.id, null],
      [usual.id, usual.expires_at],
    ]);
  });

  it('must end at a time that is still to come', async () => {
    const user = await api.addUser(api.one, allPolicies());
    const attempt = (expires_at: string) =>
      refused(api.client(user).apiKeys.create({ body: { name: 'K', policies: rightsOf({}), expires_at } }));
    expect(Object.keys((await attempt(new Date(api.clock.now()).toISOString())).msg)).toEqual(['expires_at']);
  });
});
