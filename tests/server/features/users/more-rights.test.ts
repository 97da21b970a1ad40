import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused, type TestUser } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';

const ALL = { view_any: true, create: true, update: true, delete: true };

/** What a call would be done to: a user with more rights, and an API key of theirs. */
interface Above {
  id: number;
  key: number;
}

/** Every call that acts on other users or on how all of them sign in, by area and name. */
const ACTING: Record<string, (client: Client, above: Above) => Promise<unknown>> = {
  'users.update': ({ users }, { id }) => users.update({ params: { id }, body: { name: 'Renamed' } }),
  'users.inviteAgain': ({ users }, { id }) => users.inviteAgain({ params: { id } }),
  'users.sendResetLink': ({ users }, { id }) => users.sendResetLink({ params: { id } }),
  'users.remove': ({ users }, { id }) => users.remove({ params: { id } }),
  'secondFactor.reset': ({ secondFactor }, { id }) => secondFactor.reset({ params: { id } }),
  'apiKeys.remove': ({ apiKeys }, { key }) => apiKeys.remove({ params: { id: key } }),
  'signIn.update': ({ signIn }) => signIn.update({ body: { requires_second_factor: true } }),
};

/** Calls of these areas that act on nobody else. */
const OWN = ['users.invite', 'apiKeys.create'];

describe.each(databases)('users with more rights on %s', (kind) => {
  let api: ApiApp;
  let caller: TestUser;
  let above: Above;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    caller = await api.addUser(api.one, { ...noRights(), settings: ALL });
    const { key: _, ...made } = await api.client().apiKeys.create({
      body: { name: 'Theirs', policies: noRights() },
    });
    above = { id: api.one.admin.id, key: made.id };
  });
  afterAll(() => api.close());

  it('the matrix has every call that acts on users, their keys and their sign-in', () => {
    const found = (['users', 'secondFactor', 'apiKeys', 'signIn'] as const).flatMap((area) =>
      Object.entries(calls[area] as Record<string, Call>)
        .filter(([, { access, method }]) => access !== 'public' && access !== 'session' && method !== 'GET')
        .map(([name]) => `${area}.${name}`),
    );
    expect(found.toSorted()).toEqual([...Object.keys(ACTING), ...OWN].toSorted());
  });

  it.each(Object.entries(ACTING))(
    'security 75: %s on somebody with more rights is refused and changes nothing',
    async (_, act) => {
      const before = await api.dump(['sessions', 'attempts']);
      expect(await refused(act(api.client(caller), above))).toMatchObject({ status: 403, code: 'forbidden' });
      expect(await api.dump(['sessions', 'attempts'])).toBe(before);
    },
  );

  it('security 75: password sign-in is switched on only by those who have all rights of everybody', async () => {
    await api.services.db
      .updateTable('organizations')
      .set({ has_password_sign_in: 0 })
      .where('id', '=', api.one.id)
      .execute();
    const on = { body: { has_password_sign_in: true } };
    expect((await refused(api.client(caller).signIn.update(on))).status).toBe(403);
    await api.client().signIn.update(on);
  });

  it("one's own keys, and those of users with as many rights, can be removed", async () => {
    const { id } = await api.client(caller).apiKeys.create({ body: { name: 'Own', policies: noRights() } });
    await api.client(caller).apiKeys.remove({ params: { id } });
    const equal = await api.addUser(api.one, { ...noRights(), settings: ALL });
    const other = await api.client(equal).apiKeys.create({ body: { name: 'Equal', policies: noRights() } });
    await api.client(caller).apiKeys.remove({ params: { id: other.id } });
  });
});
