import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, PASSWORD, refused, type TestUser } from '../../../harness/api-app.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NEW = 'a new password for me';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

describe.each(databases)('one’s own account on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => api.close());

  let addresses = 0;
  const from = (address = `198.51.100.${++addresses}`) => ({ 'x-forwarded-for': address });
  const active = (token: string) => api.call(calls.users.active, {}, { token });
  const signIn = (email: string, password: string, headers = {}) =>
    api.call(calls.users.login, {}, { body: { email, password }, headers: { ...from(), ...headers } });
  const change = (token: string, current_password: string, password = NEW, password_confirmation = password) =>
    api.call(
      calls.account.changePassword,
      {},
      { token, body: { current_password, password, password_confirmation }, headers: from() },
    );
  const sessionsOf = (user: TestUser) => api.client(user).account.sessions();

  it('whoever is signed in changes their own name, and nothing else about themselves', async () => {
    const user = await api.addUser(api.one, {});
    const before = (await active(user.token)).body.data;
    expect(await api.client(user).account.update({ body: { name: 'Eva' } })).toEqual({ ...before, name: 'Eva' });
    expect((await active(user.token)).body.data).toEqual({ ...before, name: 'Eva' });
    const more = { name: 'Eva', policies: allPolicies() };
    expect((await api.call(calls.account.update, {}, { token: user.token, body: more })).status).toBe(400);
    const { status, body } = await api.call(calls.account.update, {}, { token: user.token, body: { name: ' ' } });
    expect([status, Object.keys(body.msg)]).toEqual([422, ['name']]);
    const { data } = await api.client().history.list({ query: {} });
    expect(data[0]).toMatchObject({
      entity: 'user',
      entity_id: user.id,
      after: { name: 'Eva' },
      user: { name: 'Eva' },
    });
  });

  it('a new password ends every other session and link at once, and the present one stays', async () => {
    const user = await api.addUser(api.one, {});
    const other = await api.signIn(user);
    expect((await active(other)).status).toBe(200);
    expect((await change(user.token, PASSWORD)).status).toBe(200);
    expect((await active(other)).status).toBe(401);
    expect((await active(user.token)).status).toBe(200);
    expect((await signIn(user.email, PASSWORD)).status).toBe(422);
    expect((await signIn(user.email, NEW)).status).toBe(200);
  });

  it('a wrong current password, the same one again and two that differ are said at their fields', async () => {
    const user = await api.addUser(api.one, {});
    const before = await api.dump(['attempts']);
    for (const [answer, field] of [
      [await change(user.token, 'not the password'), 'current_password'],
      [await change(user.token, PASSWORD, PASSWORD), 'password'],
      [await change(user.token, PASSWORD, 'too short'), 'password'],
      [await change(user.token, PASSWORD, NEW, `${NEW}!`), 'password_confirmation'],
    ] as const)
      expect([answer.status, Object.keys(answer.body.msg)]).toEqual([422, [field]]);
    expect(await api.dump(['attempts'])).toBe(before);
  });

  it('security 3: guesses at the current password count with those to sign in', async () => {
    const user = await api.addUser(api.one, {});
    for (let guess = 0; guess < 10; guess++) expect((await change(user.token, `guess ${guess}`)).status).toBe(422);
    expect((await change(user.token, PASSWORD)).status).toBe(429);
    expect((await signIn(user.email, PASSWORD)).status).toBe(429);
    api.clock.advance(15 * MINUTE + 1);
    expect((await change(user.token, PASSWORD)).status).toBe(200);
  });

  it('of several changes at once with the same current password exactly one is done', async () => {
    const user = await api.addUser(api.one, {});
    const passwords = Array.from({ length: 5 }, (_, index) => `${NEW} ${index}`);
    const answers = await Promise.all(passwords.map((password) => change(user.token, PASSWORD, password)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)]!;
    expect((await signIn(user.email, winner)).status).toBe(200);
  });

  it('an API key changes no name and no password, and neither sees nor ends sessions', async () => {
    const user = await api.addUser(api.one, allPolicies());
    const { key } = await api.client(user).apiKeys.create({ body: { name: 'K', policies: allPolicies() } });
    const [session] = await sessionsOf(user);
    const as = api.client({ token: key }).account;
    const passwords = { current_password: PASSWORD, password: NEW, password_confirmation: NEW };
    for (const attempt of [
      () => as.update({ body: { name: 'Other' } }),
      () => as.changePassword({ body: passwords }),
      () => as.sessions(),
      () => as.endSession({ params: { id: session!.id } }),
      () => as.endOtherSessions(),
    ])
      expect((await refused(attempt())).status).toBe(403);
    expect((await active(user.token)).status).toBe(200);
  });

  it('lists where one is signed in, in words, and marks the session that asks', async () => {
    const user = await api.addUser(api.one, {});
    await api.client(user).account.endOtherSessions();
    api.clock.advance(MINUTE);
    const { token } = (await signIn(user.email, PASSWORD, { 'user-agent': FIREFOX, ...from('203.0.113.7') })).body;
    api.clock.advance(MINUTE);
    await signIn(user.email, PASSWORD, { 'user-agent': SAFARI, ...from('2001:db8::7') });
    const list = await api.client({ token }).account.sessions();
    expect(list.map(({ device, address, is_current }) => [device, address, is_current])).toEqual([
      ['Safari on iPhone', '2001:db8::7', false],
      ['Firefox on Linux', '203.0.113.7', true],
      ['', '', false],
    ]);
    expect(list[1]!.created_at).toBe(new Date(api.clock.now() - MINUTE).toISOString());
    for (const { id } of list) expect((await active(id)).status).toBe(401);
  });

  it('security 4: a session that is ended from elsewhere gets 401 at its next request; the others go on', async () => {
    const user = await api.addUser(api.one, {});
    const tokens = [await api.signIn(user), await api.signIn(user)];
    for (const token of tokens) expect((await active(token)).status).toBe(200);
    const mine = async (token: string) =>
      (await api.client({ token }).account.sessions()).find(({ is_current }) => is_current)!.id;
    await api.client(user).account.endSession({ params: { id: await mine(tokens[0]!) } });
    expect((await active(tokens[0]!)).status).toBe(401);
    expect((await active(tokens[1]!)).status).toBe(200);
    await api.client(user).account.endOtherSessions();
    expect((await active(tokens[1]!)).status).toBe(401);
    expect((await active(user.token)).status).toBe(200);
    expect(await sessionsOf(user)).toHaveLength(1);
  });

  it('somebody else’s session is unknown, whether of the same organization or of another', async () => {
    const user = await api.addUser(api.one, {});
    const colleague = await api.addUser(api.one, {});
    const stranger = await api.addUser(api.two, {});
    const before = await api.dump();
    for (const other of [colleague, stranger]) {
      const [session] = await sessionsOf(other);
      const attempt = api.client(user).account.endSession({ params: { id: session!.id } });
      expect((await refused(attempt)).status).toBe(404);
    }
    expect(await api.dump()).toBe(before);
  });

  it('says when a session was last used, and writes that once in five minutes', async () => {
    const user = await api.addUser(api.one, {});
    const began = new Date(api.clock.now()).toISOString();
    const lastUse = async () => (await sessionsOf(user))[0]!.last_used_at;
    api.clock.advance(4 * MINUTE);
    expect(await lastUse()).toBe(began);
    api.clock.advance(2 * MINUTE);
    await active(user.token);
    expect(await lastUse()).toBe(new Date(api.clock.now()).toISOString());
  });

  it('a session that is renewed stays one, with its beginning; it ends 30 days after it, however much it is used', async () => {
    const user = await api.addUser(api.one, {});
    let { token } = (await signIn(user.email, PASSWORD, { 'user-agent': FIREFOX })).body;
    const began = api.clock.now();
    const use = async () => {
      const answer = await active(token);
      token = answer.headers.get('authorization')?.replace('Bearer ', '') ?? token;
      return answer.status;
    };
    while (api.clock.now() < began + 30 * DAY - 11 * 60 * MINUTE) {
      api.clock.advance(10 * 60 * MINUTE);
      expect(await use()).toBe(200);
    }
    const [session, ...more] = await api.client({ token }).account.sessions();
    expect(more).toEqual([]);
    expect(session).toMatchObject({ device: 'Firefox on Linux', created_at: new Date(began).toISOString() });
    api.clock.advance(began + 30 * DAY - api.clock.now() - 1);
    expect(await use()).toBe(200);
    api.clock.advance(1);
    expect(await use()).toBe(401);
  });
});
