import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, type TestUser } from '../../../harness/api-app.ts';
import { confirmationOf } from '../../../harness/factors.ts';
import { SoftwarePasskey } from '../../../harness/software-passkey.ts';

const MINUTE = 60_000;
const ORIGIN = 'https://museum.example';
/** Where the organization of the host two.example is. */
const OTHER = 'https://two.example';

describe.each(databases)('passkeys on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: ORIGIN });
  });
  afterAll(() => api.close());

  type Options = Record<string, unknown>;
  let addresses = 0;
  const from = () => `198.51.${100 + (++addresses >> 8)}.${addresses & 255}`;
  /** A request that says that it goes to a host, as fetch lets nobody say. */
  const post = async (path: string, body: object | undefined, { host = 'museum.example', token = '' } = {}) => {
    const headers = { host, 'x-forwarded-for': from(), ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await api.app.inject({
      method: 'POST',
      url: `/api/v1${path}`,
      headers,
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const add = async (user: TestUser, passkey: SoftwarePasskey, host?: string) => {
    const confirmation = await confirmationOf(api, user);
    const { body } = await post(calls.passkeys.begin.path, { confirmation }, { host, token: user.token });
    const answer = passkey.create(body.data.options);
    return post(calls.passkeys.add.path, { name: 'Phone', answer }, { host, token: user.token });
  };
  const options = async (host?: string): Promise<Options> =>
    (await post(calls.passkeys.beginSignIn.path, undefined, { host })).body.data.options;
  const signIn = (answer: Options, host?: string) => post(calls.passkeys.signIn.path, { answer }, { host });
  const withPasskey = async (organization = api.one, passkey = new SoftwarePasskey(ORIGIN), host?: string) => {
    const user = await api.addUser(organization, allPolicies());
    expect((await add(user, passkey, host)).status).toBe(201);
    return { user, passkey };
  };

  it('one is added, signs in without a password, and is enough where a second factor is asked for', async () => {
    const organization = await api.addOrganization(null);
    const { user, passkey } = await withPasskey(organization);
    const asked = await options();
    expect(asked).toMatchObject({ rpId: 'museum.example', userVerification: 'required' });
    expect(await api.dump()).not.toContain(String(asked.challenge));
    await api.services.db
      .updateTable('organizations')
      .set({ requires_second_factor: 1 })
      .where('id', '=', organization.id)
      .execute();
    const { status, body } = await signIn(passkey.get(asked));
    expect([status, body.data.email]).toEqual([200, user.email]);
    const list = await api.client({ token: body.token }).passkeys.list();
    expect(list).toMatchObject([{ name: 'Phone', last_used_at: new Date(api.clock.now()).toISOString() }]);
    const events = await api.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute();
    expect(events.map(({ event }) => event)).toEqual(['passkey_added', 'sign_in']);
    expect(JSON.parse(events[1]!.details)).toEqual({ by: 'passkey', passkey: 'Phone' });
  });

  it('a challenge is taken once, within five minutes, and only for what it was made for', async () => {
    const { user, passkey } = await withPasskey();
    const asked = await options();
    expect((await signIn(passkey.get(asked))).status).toBe(200);
    expect((await signIn(passkey.get(asked))).status).toBe(422);
    const late = await options();
    api.clock.advance(5 * MINUTE);
    expect((await signIn(passkey.get(late))).status).toBe(422);
    const { token } = user;
    const confirming = (await post(calls.passkeys.beginConfirm.path, undefined, { token })).body.data.options;
    expect((await signIn(passkey.get(confirming))).status).toBe(422);
    expect((await signIn(passkey.get({ challenge: 'A'.repeat(43) }))).status).toBe(422);
    const answer = passkey.get(await options());
    expect((await post(calls.passkeys.confirm.path, { answer }, { token })).status).toBe(422);
  });

  it('of twenty answers to one challenge at once, one signs in', async () => {
    const { passkey } = await withPasskey();
    const asked = await options();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(passkey.get(asked))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('a device that does not recognize its owner, or counts back, is refused', async () => {
    const { passkey } = await withPasskey(api.one, new SoftwarePasskey(ORIGIN, 5));
    expect((await signIn(passkey.get(await options(), false))).status).toBe(422);
    expect((await signIn(passkey.get(await options()))).status).toBe(200);
    passkey.setCount(3);
    expect((await signIn(passkey.get(await options()))).status).toBe(422);
    passkey.setCount(50);
    expect((await signIn(passkey.get(await options()))).status).toBe(200);
  });

  it('is for one host: that of its organization or the public address, whatever a request says', async () => {
    const own = await withPasskey(api.two, new SoftwarePasskey(OTHER), 'two.example');
    expect((await options('two.example')).rpId).toBe('two.example');
    expect((await signIn(own.passkey.get(await options('two.example')), 'two.example')).status).toBe(200);
    expect((await signIn(own.passkey.get(await options()))).status).toBe(422);
    const { passkey } = await withPasskey();
    expect((await signIn(passkey.get(await options('two.example')), 'two.example')).status).toBe(422);
    expect((await options('evil.example')).rpId).toBe('museum.example');
    const evil = new SoftwarePasskey('https://evil.example');
    const user = await api.addUser(api.one, {});
    expect((await add(user, evil, 'evil.example')).status).toBe(422);
    expect((await add(user, new SoftwarePasskey(OTHER), 'two.example')).status).toBe(422);
  });

  it('belongs to its user: a deactivated one is refused, another one’s is unknown, an API key has none', async () => {
    const { user, passkey } = await withPasskey();
    const thief = await api.addUser(api.one, allPolicies());
    const { id } = (await api.client(user).passkeys.list())[0]!;
    expect((await api.call(calls.passkeys.rename, { id }, { token: thief.token, body: { name: 'Mine' } })).status).toBe(
      404,
    );
    const confirmation = await confirmationOf(api, thief);
    const sent = { token: thief.token, body: { confirmation } };
    expect((await api.call(calls.passkeys.remove, { id }, sent)).status).toBe(404);
    const asked = (await post(calls.passkeys.beginConfirm.path, undefined, { token: thief.token })).body.data.options;
    const answer = passkey.get(asked);
    expect((await post(calls.passkeys.confirm.path, { answer }, { token: thief.token })).status).toBe(422);
    const { key } = await api.client(user).apiKeys.create({ body: { name: 'K', policies: allPolicies() } });
    expect((await api.call(calls.passkeys.list, {}, { token: key })).status).toBe(403);
    const other = await api.addUser(api.one, {});
    expect((await add(other, passkey)).status).toBe(422);
    await api.services.db.updateTable('users').set({ is_active: 0 }).where('id', '=', user.id).execute();
    expect((await signIn(passkey.get(await options()))).status).toBe(422);
  });

  it('is added and removed by whoever confirms it, by the password or another passkey; a reset removes it', async () => {
    const { user, passkey } = await withPasskey();
    const { token } = user;
    expect((await post(calls.passkeys.begin.path, { confirmation: 'x' }, { token })).status).toBe(422);
    const asked = (await post(calls.passkeys.beginConfirm.path, undefined, { token })).body.data.options;
    expect(asked.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([passkey.id]);
    const confirmed = await post(calls.passkeys.confirm.path, { answer: passkey.get(asked) }, { token });
    const { confirmation } = confirmed.body.data;
    const [row] = await api.client(user).passkeys.list();
    const { passkeys } = api.client(user);
    expect(await passkeys.rename({ params: { id: row!.id }, body: { name: 'Key ring' } })).toMatchObject({
      name: 'Key ring',
    });
    await passkeys.remove({ params: { id: row!.id }, body: { confirmation } });
    expect(await passkeys.list()).toEqual([]);
    expect((await signIn(passkey.get(await options()))).status).toBe(422);
    const again = new SoftwarePasskey(ORIGIN);
    await add(user, again);
    await api.client().secondFactor.reset({ params: { id: user.id } });
    expect((await signIn(again.get(await options()))).status).toBe(422);
  });

  it('an answer of any other shape is refused', async () => {
    const { passkey } = await withPasskey();
    const good = passkey.get(await options());
    const response = good.response as Record<string, unknown>;
    for (const answer of [
      {},
      { id: passkey.id },
      { ...good, id: '\0' },
      { ...good, response: null },
      { ...good, response: { ...response, signature: 'AAAA' } },
      { ...good, response: { ...response, clientDataJSON: '{}' } },
      { ...good, rawId: 'x' },
      { ...good, id: { toString: null } },
    ])
      expect((await signIn(answer)).status, JSON.stringify(answer)).toBe(422);
  });
});
