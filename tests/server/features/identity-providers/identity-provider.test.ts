import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { changeLimits } from '../../../../src/server/core/limits/quotas.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { type Answer, ApiApp, databases, PASSWORD, refused, type TestUser } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';
import { CLIENT, IdentityProvider } from '../../../harness/stand-ins/identity-provider.ts';

const MINUTE = 60_000;
const ORIGIN = 'https://museum.example';
const REDIRECT = `${ORIGIN}/admin/login/provider`;

describe.each(databases)('an identity provider on %s', (kind) => {
  let api: ApiApp;
  let provider: IdentityProvider;
  let count = 0;
  beforeAll(async () => {
    provider = await new IdentityProvider().start();
    provider.allow(REDIRECT);
    const guard = { allowed: [provider.address] };
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: ORIGIN }, guard);
    await api.client().signIn.update({ body: { provider: settings() } });
  });
  afterAll(async () => {
    await api.close();
    await provider.stop();
  });

  const settings = (changes = {}) => ({
    issuer: provider.issuer,
    ...CLIENT,
    domains: ['example.com'],
    button_text: 'Sign in with Museum',
    creates_users: false,
    policies: noRights(),
    ...changes,
  });
  const from = () => ({ 'x-forwarded-for': `198.51.${100 + (++count >> 8)}.${count & 255}` });
  /** Goes to the provider; gives the address and the cookie that the browser keeps. */
  const begin = async () => {
    const { body, headers } = await api.call(calls.signIn.begin, {}, { headers: from() });
    const cookie = headers.get('set-cookie') ?? '';
    return { url: body.data.url as string, cookie: cookie.split(';')[0]!, attributes: cookie };
  };
  const complete = (body: object, cookie: string) =>
    api.call(calls.signIn.complete, {}, { body, headers: { ...from(), cookie } });
  const signInAs = async (account: string | null): Promise<Answer> => {
    const { url, cookie } = await begin();
    return complete(await provider.visit(url, account), cookie);
  };
  /** An account there with a confirmed address. */
  const accountOf = ({ email }: { email: string }, changes = {}): string => {
    const subject = `subject-${++count}`;
    provider.people.set(subject, { email, email_verified: true, name: 'Kim', ...changes });
    return subject;
  };
  /** The message to an address that lies in the outbox. */
  const sentTo = async (email: string): Promise<string> => {
    const folder = join(api.services.settings.DATA_DIR, 'outbox');
    for (;;) {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      const found = texts.find((text) => text.includes(`To: ${email}`));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const events = async ({ id }: TestUser) =>
    (
      await api.services.db.selectFrom('audit_events').select('event').where('user_id', '=', id).orderBy('id').execute()
    ).map(({ event }) => event);

  it('is offered at the sign-in, with code, PKCE, state and nonce; its secret is not in the database', async () => {
    expect((await api.call(calls.signIn.options)).body.data).toEqual({
      has_password: true,
      provider: 'Sign in with Museum',
    });
    const { url, attributes } = await begin();
    const asked = new URL(url);
    expect(asked.origin).toBe(provider.issuer);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: REDIRECT,
      code_challenge_method: 'S256',
      code_challenge: expect.any(String),
      state: expect.any(String),
      nonce: expect.any(String),
    });
    expect(attributes.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=300',
      'Path=/api/v1/backend/users/login/provider',
      'SameSite=Lax',
      'Secure',
    ]);
    const dump = await api.dump();
    for (const secret of [CLIENT.client_secret, asked.searchParams.get('state')!, attributes.slice(17, 60)])
      expect(dump).not.toContain(secret);
    const { provider: told, redirect_uri } = await api.client().signIn.read();
    expect([told, redirect_uri]).toEqual([settings({ client_secret: undefined }), REDIRECT]);
  });

  it('links a user by their confirmed address, and knows them afterwards whatever their address', async () => {
    const user = await api.addUser(api.one, allPolicies());
    const account = accountOf({ email: user.email.toUpperCase() });
    const { status, body } = await signInAs(account);
    expect([status, body.data.id]).toEqual([200, user.id]);
    expect((await api.call(calls.users.active, {}, { token: body.token })).status).toBe(200);
    provider.people.set(account, { email: 'another@elsewhere.example', email_verified: false });
    expect((await signInAs(account)).body.data.id).toBe(user.id);
    expect(await events(user)).toEqual(['identity_linked', 'sign_in', 'sign_in']);
  });

  it('refuses addresses that are not confirmed, of other domains, organizations and of nobody, and who is deactivated', async () => {
    const user = await api.addUser(api.one, {});
    const foreign = await api.addUser(api.two, {});
    const off = await api.addUser(api.one, {});
    await api.services.db.updateTable('users').set({ is_active: 0 }).where('id', '=', off.id).execute();
    for (const account of [
      accountOf(user, { email_verified: false }),
      accountOf(user, { email_verified: 'true' }),
      accountOf(user, { email_verified: undefined }),
      accountOf({ email: 'kim@elsewhere.example' }),
      accountOf({ email: 'kim@example.com.evil.example' }),
      accountOf({ email: `nobody-${++count}@example.com` }),
      accountOf(foreign),
      accountOf(off),
    ]) {
      const { status, body } = await signInAs(account);
      expect([status, body.code, body.token]).toEqual([403, 'forbidden', undefined]);
    }
    const denied = await signInAs(null);
    expect([denied.status, denied.body.msg.error[0]]).toEqual([422, expect.stringContaining('rejected the sign-in')]);
  });

  it('takes what comes back once, within five minutes, and only in the browser that went', async () => {
    const user = await api.addUser(api.one, {});
    const account = accountOf(user);
    const mine = await begin();
    const other = await begin();
    const back = await provider.visit(mine.url, account);
    for (const cookie of ['', other.cookie, 'enfilade_sign_in=x'])
      expect((await complete(back, cookie)).status).toBe(422);
    expect((await complete({ ...back, state: 'x' }, mine.cookie)).status).toBe(422);
    expect((await complete(back, mine.cookie)).status).toBe(200);
    expect((await complete(back, mine.cookie)).status).toBe(422);
    const late = await begin();
    const lateBack = await provider.visit(late.url, account);
    api.clock.advance(5 * MINUTE);
    expect((await complete(lateBack, late.cookie)).status).toBe(422);
    // A code that somebody else got, put into one's own sign-in.
    const [theirs, own] = [await begin(), await begin()];
    const { code } = await provider.visit(theirs.url, account);
    const { state } = await provider.visit(own.url, account);
    const mixed = await complete({ state, code, iss: provider.issuer }, own.cookie);
    expect([mixed.status, mixed.body.code]).toEqual([502, 'provider_failed']);
  });

  it('makes users at their first sign-in where the settings say so, with the rights that were preset, once', async () => {
    const rooms = { view_any: true, create: false, update: false, delete: false };
    const policies = { ...noRights(), rooms };
    await api.client().signIn.update({ body: { provider: settings({ creates_users: true, policies }) } });
    const account = accountOf({ email: `new-${++count}@example.com` });
    const answers = await Promise.all([signInAs(account), signInAs(account)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]!.body.data).toMatchObject({ name: 'Kim', policies });
    expect(answers[0]!.body.data.id).toBe(answers[1]!.body.data.id);
    expect((await signInAs(accountOf({ email: 'new@elsewhere.example' }))).status).toBe(403);
    await changeLimits(api.services.db, api.one.id, { users: 1 });
    const late = await signInAs(accountOf({ email: `new-${++count}@example.com` }));
    expect([late.status, late.body.code]).toEqual([409, 'quota']);
    expect((await signInAs(account)).status).toBe(200);
    await changeLimits(api.services.db, api.one.id, { users: null });
    await api.client().signIn.update({ body: { provider: settings() } });
  });

  it('asks for no second factor, nor does an organization that demands one', async () => {
    const user = await api.addUser(api.one, allPolicies());
    await api.client().signIn.update({ body: { requires_second_factor: true } });
    const { token } = (await signInAs(accountOf(user))).body;
    expect((await api.call(calls.rooms.list, {}, { token })).status).toBe(200);
    expect((await api.call(calls.rooms.list, {}, { token: user.token })).status).toBe(403);
    await api.client({ token }).signIn.update({ body: { requires_second_factor: false } });
    expect((await api.call(calls.rooms.list, {}, { token: user.token })).status).toBe(200);
  });

  it('passwords are turned off by whoever has come by the provider, and then nothing locks them out', async () => {
    const chief = await api.addUser(api.one, allPolicies());
    const off = { body: { has_password_sign_in: false } };
    expect((await refused(api.client(chief).signIn.update(off))).status).toBe(403);
    const { token } = (await signInAs(accountOf(chief))).body;
    const { signIn } = api.client({ token });
    await signIn.update(off);
    expect((await api.call(calls.signIn.options)).body.data.has_password).toBe(false);
    const login = (password: string) =>
      api.call(calls.users.login, {}, { body: { email: chief.email, password }, headers: from() });
    expect([(await login(PASSWORD)).status, (await login('wrong password')).status]).toEqual([403, 422]);
    const invited = { email: `invited-${kind}@example.com`, name: 'Eva', policies: noRights() };
    await api.client({ token }).users.invite({ body: invited });
    const text = await sentTo(invited.email);
    expect(text).toContain(`${ORIGIN}/admin/login`);
    expect(text).not.toContain('/password/');
    for (const body of [{ provider: null }, { provider: settings({ client_id: 'another' }) }])
      expect(Object.keys((await refused(signIn.update({ body }))).msg)).toEqual(['has_password_sign_in']);
    await signIn.update({ body: { provider: settings({ client_secret: undefined, button_text: 'Museum' }) } });
    await signIn.update({ body: { has_password_sign_in: true } });
    expect((await login(PASSWORD)).status).toBe(200);
  });

  it('is set by whoever has every right that somebody has: it says who everybody is', async () => {
    const weak = await api.addUser(api.one, { settings: allPolicies().settings });
    const evil = settings({ client_id: 'mine' });
    expect((await refused(api.client(weak).signIn.update({ body: { provider: evil } }))).status).toBe(403);
    expect((await refused(api.client(weak).signIn.update({ body: { provider: null } }))).status).toBe(403);
    const generous = settings({ policies: allPolicies() });
    const refusal = await refused(api.client(weak).signIn.update({ body: { provider: generous } }));
    expect([refusal.status, Object.keys(refusal.msg)]).toEqual([403, ['provider.policies']]);
    const { key } = await api.client().apiKeys.create({ body: { name: 'K', policies: allPolicies() } });
    expect((await refused(api.client({ token: key }).signIn.update({ body: {} }))).status).toBe(403);
    expect((await api.client(api.two.admin).signIn.read()).provider).toBeNull();
  });

  it('what is no provider of the public internet is refused, and the secret goes to no other issuer', async () => {
    const refusalOf = async (changes: object) =>
      Object.keys((await refused(api.client().signIn.update({ body: { provider: settings(changes) } }))).msg);
    for (const issuer of [
      'http://127.0.0.1:1',
      'https://169.254.169.254',
      'https://[::1]',
      'http://museum.example',
      'ftp://a.example',
    ])
      expect(await refusalOf({ issuer }), issuer).toEqual(['provider.issuer']);
    expect(await refusalOf({ issuer: 'https://login.example.com', client_secret: undefined })).toEqual([
      'provider.client_secret',
    ]);
    expect(await refusalOf({ domains: [], creates_users: true })).toEqual(['provider.domains']);
    expect(await refusalOf({ domains: ['not a domain'] })).toEqual(['provider.domains.0']);
  });

  it('goes with its user', async () => {
    const user = await api.addUser(api.one, {});
    await signInAs(accountOf(user));
    await api.client().users.remove({ params: { id: user.id } });
    const left = api.services.db.selectFrom('identities').selectAll().where('user_id', '=', user.id);
    expect(await left.execute()).toEqual([]);
  });
});
