import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { createPasswordToken } from '../../../../src/server/features/users/passwords.ts';
import { ApiApp, databases, PASSWORD, refused, type TestOrganization } from '../../../harness/api-app.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

const rights = (given: object) => ({ view_any: false, create: false, update: false, delete: false, ...given });

describe.each(databases)('removing users on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`removal-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  const remove = (as: Client, id: number) => as.users.remove({ params: { id } });
  const status = async (token: string) => (await api.call(calls.users.active, {}, { token })).status;

  it('security 4: sessions, keys and links of a removed user open nothing from the next request on', async () => {
    const user = await api.addUser(organization, allPolicies());
    const own = api.client(user);
    const { key } = await own.apiKeys.create({ body: { name: 'Script', policies: allPolicies() } });
    const link = await createPasswordToken(api.services.db, api.clock, user.id, 'reset');
    expect([await status(user.token), await status(key)]).toEqual([200, 200]);
    await remove(client, user.id);
    expect([await status(user.token), await status(key)]).toEqual([401, 401]);
    const password = { password: PASSWORD, password_confirmation: PASSWORD };
    const reset = await api.call(calls.users.reset, {}, { body: { email: user.email, token: link, ...password } });
    expect(reset.status).toBe(422);
    const login = { body: { email: user.email, password: PASSWORD } };
    expect((await api.call(calls.users.login, {}, login)).status).toBe(422);
    expect((await client.apiKeys.list()).data).toEqual([]);
    expect((await refused(remove(client, user.id))).code).toBe('not_found');
    // The address is free again.
    const again = await client.users.invite({ body: { email: user.email, name: 'New', policies: allPolicies() } });
    expect(again.id).toBeGreaterThan(user.id);
  });

  it('what they did stays, with their name', async () => {
    const user = await api.addUser(organization, allPolicies());
    const own = api.client(user);
    await client.users.update({ params: { id: user.id }, body: { name: 'Kim' } });
    const { key } = await own.apiKeys.create({ body: { name: 'Script', policies: allPolicies() } });
    const room = await api.client({ token: key }).rooms.create({ body: { title: 'Hall' } });
    await own.revisions.create({ params: { id: room.id }, body: { name: 'First' } });
    await own.imports.rooms({ body: { items: [{ title: 'Imported' }] } });
    const file = await own.media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
    await remove(client, user.id);
    const author = { id: null, name: 'Kim' };
    const log = (await client.history.list()).data;
    expect(log.filter(({ name }) => name === 'Hall').map((change) => change.user)).toEqual([author, author]);
    expect(log.slice(0, 2)).toMatchObject([
      { action: 'delete', entity: 'user', entity_id: user.id, name: 'Kim', user: { id: organization.admin.id } },
      { action: 'delete', entity: 'api_key', name: 'Script' },
    ]);
    expect(JSON.stringify(log)).not.toMatch(/argon2|key_hash/);
    expect((await client.revisions.list({ params: { id: room.id } }))[0]!.user).toEqual(author);
    expect((await client.imports.list()).data[0]!.user).toEqual(author);
    expect((await client.media.read({ params: { id: file.id } })).id).toBe(file.id);
  });

  it('nobody removes themselves, the last who may change the settings, or anybody with a key', async () => {
    const remover = await api.addUser(organization, { settings: rights({ delete: true, view_any: true }) });
    const limited = api.client(remover);
    const { key } = await client.apiKeys.create({ body: { name: 'Key', policies: allPolicies() } });
    const before = await api.dump(['attempts', 'api_keys']);
    for (const attempt of [
      () => remove(client, organization.admin.id),
      () => remove(limited, remover.id),
      () => remove(limited, organization.admin.id),
      () => remove(api.client({ token: key }), remover.id),
    ])
      expect((await refused(attempt())).code).toBe('forbidden');
    expect(await api.dump(['attempts', 'api_keys'])).toBe(before);
    const keeper = await api.addUser(organization, allPolicies());
    await remove(api.client(keeper), organization.admin.id);
    const strong = api.client(await api.addUser(organization, allPolicies()));
    await remove(strong, keeper.id);
    expect((await refused(remove(limited, keeper.id))).code).toBe('not_found');
  });

  it('of two who remove each other at once, one stays', async () => {
    const other = await api.addUser(organization, allPolicies());
    const results = await Promise.allSettled([
      remove(client, other.id),
      remove(api.client(other), organization.admin.id),
    ]);
    expect(results.filter(({ status: how }) => how === 'fulfilled')).toHaveLength(1);
    const rows = await api.services.db
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', organization.id)
      .execute();
    expect(rows).toHaveLength(1);
  });
});
