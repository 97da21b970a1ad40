import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { createPasswordToken } from '../../../../src/server/features/users/passwords.ts';
import { beginStep } from '../../../../src/server/features/users/sign-in-steps.ts';
import { ApiApp, databases, PASSWORD, type TestUser } from '../../../harness/api-app.ts';
import { AuthenticatorApp } from '../../../harness/authenticator-app.ts';
import { MailServer, textOf } from '../../../harness/mail-server.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PERIOD = 30 * SECOND;

/** A user who has set up a second factor. */
interface Guarded extends TestUser {
  app: AuthenticatorApp;
  codes: string[];
}

describe.each(databases)('a second factor on %s', (kind) => {
  let api: ApiApp;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await MailServer.start();
    api = await ApiApp.start(kind, {
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: mail.url,
      PUBLIC_URL: 'https://museum.example',
    });
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  let addresses = 0;
  const from = () => ({ 'x-forwarded-for': `198.51.${100 + (++addresses >> 8)}.${addresses & 255}` });
  const login = (email: string, password = PASSWORD) =>
    api.call(calls.users.login, {}, { body: { email, password }, headers: from() });
  const second = (token: string, code: string, headers = from()) =>
    api.call(calls.secondFactor.signIn, {}, { body: { token, code }, headers });
  const active = (token: string) => api.call(calls.users.active, {}, { token });
  const tokenOf = async ({ email }: TestUser): Promise<string> => (await login(email)).body.data.second_factor_token;
  const confirm = async (token: string, current_password = PASSWORD): Promise<string> => {
    const body = { current_password };
    return (await api.call(calls.account.confirm, {}, { token, body, headers: from() })).body.data.confirmation;
  };
  const guard = async (user: TestUser): Promise<Guarded> => {
    const { secondFactor } = api.client(user);
    const { secret } = await secondFactor.begin({ body: { confirmation: await confirm(user.token) } });
    const app = new AuthenticatorApp(secret);
    const { recovery_codes } = await secondFactor.turnOn({ body: { code: app.code(api.clock.now()) } });
    api.clock.advance(PERIOD);
    return { ...user, app, codes: recovery_codes };
  };
  const guarded = async (organization = api.one, policies = {}): Promise<Guarded> =>
    guard(await api.addUser(organization, policies));
  const events = async (subject: string) => {
    const rows = await api.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('subject', '=', subject)
      .orderBy('id')
      .execute();
    return rows.map(({ event, details }) => [event, JSON.parse(details)]);
  };

  it('counts once a code has shown that the app has the secret; the secret is not in the database', async () => {
    const user = await api.addUser(api.one, {});
    const { secondFactor } = api.client(user);
    const { secret, uri } = await secondFactor.begin({ body: { confirmation: await confirm(user.token) } });
    expect(uri).toMatch(new RegExp(`^otpauth://totp/Museum:.*secret=${secret}`));
    expect(Buffer.from(secret)).toHaveLength(32);
    expect(await api.dump()).not.toContain(secret);
    expect((await login(user.email)).body.token).toEqual(expect.any(String));
    const app = new AuthenticatorApp(secret);
    const wrong = app.code(api.clock.now() + 10 * MINUTE);
    const refusal = await api.call(calls.secondFactor.turnOn, {}, { token: user.token, body: { code: wrong } });
    expect([refusal.status, Object.keys(refusal.body.msg)]).toEqual([422, ['code']]);
    expect(await secondFactor.read()).toEqual({ is_on: false, recovery_codes: 0, confirm_by: ['password'] });
    const { recovery_codes } = await secondFactor.turnOn({ body: { code: app.code(api.clock.now()) } });
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes) expect(await api.dump()).not.toContain(code);
    expect(await secondFactor.read()).toEqual({ is_on: true, recovery_codes: 10, confirm_by: ['password'] });
    expect((await active(user.token)).status).toBe(200);
    expect(await events(user.email)).toContainEqual(['second_factor_added', {}]);
  });

  it('a password alone gives a token that is no session; the code behind it gives one', async () => {
    const user = await guarded();
    const { status, body, headers } = await login(user.email);
    expect([status, Object.keys(body), Object.keys(body.data)]).toEqual([200, ['data'], ['second_factor_token']]);
    expect([headers.get('authorization'), headers.get('set-cookie')]).toEqual([null, null]);
    const token = body.data.second_factor_token;
    expect(await api.dump()).not.toContain(token);
    expect((await active(token)).status).toBe(401);
    const answer = await second(token, user.app.code(api.clock.now()));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual((await active(answer.body.token)).body.data);
    expect(await events(user.email)).toContainEqual(['sign_in', { by: 'password', second_factor: 'code' }]);
    expect((await second(token, user.app.code(api.clock.now() + PERIOD))).status).toBe(422);
  });

  it('a token is good for five minutes, for its own user, and not after another password was set', async () => {
    const user = await guarded();
    const other = await guarded();
    const late = await tokenOf(user);
    api.clock.advance(5 * MINUTE);
    expect((await second(late, user.app.code(api.clock.now()))).status).toBe(422);
    const token = await tokenOf(user);
    expect((await second(token, other.app.code(api.clock.now()))).body.msg.code).toHaveLength(1);
    const change = {
      current_password: PASSWORD,
      password: 'another password',
      password_confirmation: 'another password',
    };
    const own = { token: user.token, body: change, headers: from() };
    expect((await api.call(calls.account.changePassword, {}, own)).status).toBe(200);
    expect((await second(token, user.app.code(api.clock.now()))).body.msg.token).toHaveLength(1);
  });

  it('takes the code before and after the one of the moment, no other', async () => {
    const user = await guarded();
    api.clock.advance(10 * MINUTE);
    const tryAt = async (offset: number) =>
      (await second(await tokenOf(user), user.app.code(api.clock.now() + offset))).status;
    for (const offset of [-2 * PERIOD, 2 * PERIOD]) expect(await tryAt(offset), `${offset}`).toBe(422);
    for (const offset of [-PERIOD, 0, PERIOD]) expect(await tryAt(offset), `${offset}`).toBe(200);
    // None is taken that is older than the last one.
    for (const offset of [-PERIOD, 0, PERIOD]) expect(await tryAt(offset), `${offset}`).toBe(422);
  });

  it('of twenty uses of one code at once, of the app or for recovery, one wins', async () => {
    const user = await guarded();
    const { db } = api.services;
    const step = () => beginStep(db, api.clock, { purpose: 'second_factor', userId: user.id });
    for (const code of [user.app.code(api.clock.now()), user.codes[0]!]) {
      await db.deleteFrom('attempts').execute();
      const tokens = await Promise.all(Array.from({ length: 20 }, step));
      const answers = await Promise.all(tokens.map((token) => second(token, code)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => [422, 429].includes(status))).toHaveLength(19);
    }
  });

  it('of twenty codes with one token at once, one wins', async () => {
    const user = await guarded();
    const token = await tokenOf(user);
    const answers = await Promise.all(user.codes.map((code) => second(token, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('security 3: the eleventh code in 15 minutes is refused, whatever the password; it says for how long, once', async () => {
    const user = await guarded();
    for (let guess = 0; guess < 10; guess++) expect((await second(await tokenOf(user), 'not a code')).status).toBe(422);
    for (let more = 0; more < 3; more++) {
      const { status, headers, body } = await second(await tokenOf(user), user.app.code(api.clock.now()));
      expect([status, headers.get('retry-after'), body.retry_after]).toEqual([429, '900', 900]);
      expect(body.msg.error).toEqual(['Too many attempts. Wait 15 minutes, then try again.']);
    }
    expect((await events(user.email)).filter(([event]) => event === 'sign_in_locked')).toHaveLength(1);
    api.clock.advance(15 * MINUTE);
    expect((await second(await tokenOf(user), user.app.code(api.clock.now()))).status).toBe(200);
  });

  it('a recovery code stands in once, however it is typed; new ones take the place of all', async () => {
    const user = await guarded();
    const [first, other] = user.codes as [string, string];
    expect((await second(await tokenOf(user), ` ${first.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200);
    expect((await second(await tokenOf(user), first)).status).toBe(422);
    expect(await events(user.email)).toContainEqual(['recovery_code_used', {}]);
    const { secondFactor } = api.client(user);
    expect((await secondFactor.read()).recovery_codes).toBe(9);
    const { recovery_codes } = await secondFactor.makeCodes({ body: { confirmation: await confirm(user.token) } });
    expect((await second(await tokenOf(user), other)).status).toBe(422);
    expect((await second(await tokenOf(user), recovery_codes[0]!)).status).toBe(200);
  });

  it('a session alone changes nothing: each change asks for the password, of this session, once', async () => {
    const user = await guarded();
    const thief = await api.signIn(user);
    const other = await guarded();
    const used = await confirm(user.token);
    await api.client(user).secondFactor.makeCodes({ body: { confirmation: used } });
    const late = await confirm(user.token);
    api.clock.advance(5 * MINUTE);
    const before = await api.dump(['attempts', 'sessions']);
    for (const confirmation of ['x', used, late, await confirm(other.token)]) {
      const sent = { token: user.token, body: { confirmation } };
      for (const call of [calls.secondFactor.remove, calls.secondFactor.makeCodes, calls.secondFactor.begin]) {
        const { status, body } = await api.call(call, {}, sent);
        expect([status, Object.keys(body.msg)], confirmation).toEqual([422, ['confirmation']]);
      }
    }
    const mine = await confirm(user.token);
    const stolen = await api.call(calls.secondFactor.remove, {}, { token: thief, body: { confirmation: mine } });
    expect(stolen.status).toBe(422);
    const wrong = { token: thief, body: { current_password: 'not the password' }, headers: from() };
    expect((await api.call(calls.account.confirm, {}, wrong)).status).toBe(422);
    expect((await api.dump(['attempts', 'sessions', 'sign_in_steps'])).length).toBe(
      before.replace(/\nsign_in_steps .*/, '').length,
    );
    await api.client(user).secondFactor.remove({ body: { confirmation: mine } });
    expect((await login(user.email)).body.token).toEqual(expect.any(String));
    expect(await events(user.email)).toContainEqual(['second_factor_removed', {}]);
  });

  it('a link to set a password does not lead past it; API keys go on', async () => {
    const user = await guarded(api.one, allPolicies());
    const { key } = await api.client(user).apiKeys.create({ body: { name: 'K', policies: allPolicies() } });
    expect((await active(key)).status).toBe(200);
    const token = await createPasswordToken(api.services.db, api.clock, user.id, 'reset');
    const password = 'set by a link, once';
    const body = { token, email: user.email, password, password_confirmation: password };
    expect((await api.call(calls.users.reset, {}, { body, headers: from() })).status).toBe(200);
    const answer = await login(user.email, password);
    expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ['second_factor_token']]);
    expect((await api.call(calls.secondFactor.read, {}, { token: key })).status).toBe(403);
    expect((await api.call(calls.account.confirm, {}, { token: key, body: {} })).status).toBe(403);
  });

  it('a lost one is reset by another administrator: sessions end, and the user gets a message', async () => {
    const user = await guarded();
    const pending = await tokenOf(user);
    const reset = (token: string, id: number) => api.call(calls.secondFactor.reset, { id }, { token });
    const weak = await api.addUser(api.one, { settings: allPolicies().settings });
    const chief = await guarded(api.one, allPolicies());
    expect((await reset(weak.token, chief.id)).status).toBe(403);
    expect((await reset(chief.token, chief.id)).status).toBe(403);
    expect((await reset(api.two.admin.token, user.id)).status).toBe(404);
    expect((await reset(weak.token, weak.id)).status).toBe(403);
    expect((await reset(weak.token, (await api.addUser(api.one, {})).id)).status).toBe(422);
    expect((await reset(weak.token, user.id)).status).toBe(200);
    expect((await active(user.token)).status).toBe(401);
    expect((await second(pending, user.app.code(api.clock.now()))).status).toBe(422);
    expect((await login(user.email)).body.token).toEqual(expect.any(String));
    const { source } = await mail.wait(user.email);
    expect(textOf(source)).toContain('has removed your second factor');
    expect(await events(user.email)).toContainEqual(['second_factor_reset', { passkeys: 0 }]);
    expect((await reset(weak.token, user.id)).status).toBe(422);
  });

  it('an organization that asks for one lets who has none do nothing else, and goes on at once with one', async () => {
    const organization = await api.addOrganization(`${kind}.example`);
    const has = await guarded(organization, allPolicies());
    const none = await api.addUser(organization, allPolicies());
    const { key } = await api.client(none).apiKeys.create({ body: { name: 'K', policies: allPolicies() } });
    await api.services.db
      .updateTable('organizations')
      .set({ requires_second_factor: 1 })
      .where('id', '=', organization.id)
      .execute();
    for (const token of [has.token, key]) expect((await api.call(calls.rooms.list, {}, { token })).status).toBe(200);
    const { body } = await login(none.email);
    expect(body.data.needs_second_factor).toBe(true);
    for (const call of [calls.rooms.list, calls.account.sessions, calls.apiKeys.list, calls.users.list]) {
      const refusal = await api.call(call, {}, { token: body.token });
      expect([refusal.status, refusal.body.code]).toEqual([403, 'second_factor_required']);
    }
    expect((await active(body.token)).body.data.needs_second_factor).toBe(true);
    await guard({ ...none, token: body.token });
    expect((await api.call(calls.rooms.list, {}, { token: body.token })).status).toBe(200);
    expect((await active(body.token)).body.data.needs_second_factor).toBeUndefined();
    const elsewhere = await api.addUser(api.one, allPolicies());
    expect((await api.call(calls.rooms.list, {}, { token: elsewhere.token })).status).toBe(200);
  });

  it('goes with its user', async () => {
    const user = await guarded();
    await tokenOf(user);
    await api.client({ token: await api.signIn(api.one.admin) }).users.remove({ params: { id: user.id } });
    for (const table of ['second_factors', 'recovery_codes', 'sign_in_steps'] as const)
      expect(await api.services.db.selectFrom(table).selectAll().where('user_id', '=', user.id).execute()).toEqual([]);
  });
});
