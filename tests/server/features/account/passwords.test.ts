import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, PASSWORD, type TestUser } from '../../../harness/api-app.ts';
import { MailServer, readLink, textOf } from '../../../harness/mail-server.ts';

const MINUTE = 60_000;
const NEW = 'a new password for me';

describe.each(databases)('passwords by mail on %s', (kind) => {
  let api: ApiApp;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await MailServer.start();
    const settings = {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Rooms <rooms@museum.example>',
      PUBLIC_URL: 'https://museum.example/',
    };
    api = await ApiApp.start(kind, { ...settings, TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  let addresses = 0;
  const from = (address = `198.51.100.${++addresses}`) => ({ 'x-forwarded-for': address });
  const forgot = (email: string, headers: Record<string, string> = from()) =>
    api.call(calls.users.forgot, {}, { body: { email }, headers });
  const reset = (token: unknown, email: string, password = NEW, headers: Record<string, string> = from()) =>
    api.call(calls.users.reset, {}, { body: { token, email, password, password_confirmation: password }, headers });
  const signIn = (email: string, password: string) =>
    api.call(calls.users.login, {}, { body: { email, password }, headers: from() });
  const link = async (user: TestUser) => {
    const count = mail.to(user.email).length;
    expect((await forgot(user.email)).status).toBe(200);
    return readLink((await mail.wait(user.email, count + 1)).source);
  };

  it('a link comes by mail, sets a password once, and ends every session', async () => {
    const user = await api.addUser(api.one, {});
    const second = await api.signIn(user);
    const answer = await forgot(` ${user.email.toUpperCase()} `, { ...from(), host: 'evil.example' });
    expect(answer.body.msg.success[0]).toContain('If the e-mail address is known');
    const message = await mail.wait(user.email);
    expect(message).toMatchObject({ from: 'rooms@museum.example', to: [user.email] });
    expect(message.source).toMatch(/^From: Rooms <rooms@museum\.example>\r?$/m);
    expect(textOf(message.source)).toContain('Museum');
    const { origin, token, email } = readLink(message.source);
    expect([origin, email]).toEqual(['https://museum.example', user.email]);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(await api.dump()).not.toContain(token);

    expect((await reset(token, email)).status).toBe(200);
    for (const session of [user.token, second])
      expect((await api.call(calls.users.active, {}, { token: session })).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(422);
    expect((await signIn(email, NEW)).status).toBe(200);
    expect((await reset(token, email)).status).toBe(422);
  });

  it('security 1: a known and an unknown address get the same answer, and no message tells them apart', async () => {
    const user = await api.addUser(api.one, {});
    const off = await api.addUser(api.one, {});
    await api.services.db.updateTable('users').set({ is_active: 0 }).where('id', '=', off.id).execute();
    const known = await forgot(user.email);
    const answers = [await forgot('nobody@example.com'), await forgot(off.email)];
    for (const { status, text } of answers) expect([status, text]).toEqual([known.status, known.text]);
    await mail.wait(user.email);
    // A message that is asked for later is there: theirs would be, too.
    const later = await api.addUser(api.one, {});
    await forgot(later.email);
    await mail.wait(later.email);
    expect([mail.to(off.email), mail.to('nobody@example.com')]).toEqual([[], []]);
  });

  it('security 1: the answer does not wait for the mail server', async () => {
    const slow = await ApiApp.start('sqlite', { SMTP_URL: 'smtp://127.0.0.1:9' });
    const known = await slow.addUser(slow.one, {});
    const { status } = await slow.call(calls.users.forgot, {}, { body: { email: known.email } });
    expect(status).toBe(200);
    await slow.close();
  });

  it('security 8: what is no token, and one that is over, used or somebody else’s, gets the same 422', async () => {
    const user = await api.addUser(api.one, {});
    const other = await api.addUser(api.one, {});
    const { token, email } = await link(user);
    const before = await api.dump(['attempts']);
    for (const wrong of [{}, [], [token], { token }, '', 'x', token.slice(1), `${token}x`, null, 7, true]) {
      const { status, body } = await reset(wrong, email);
      expect([status, Object.keys(body.msg)], JSON.stringify(wrong)).toEqual([422, ['token']]);
    }
    expect((await reset(token, other.email)).status).toBe(422);
    const unlike = { token, email, password: NEW, password_confirmation: 'another password' };
    const { status, body } = await api.call(calls.users.reset, {}, { body: unlike, headers: from() });
    expect([status, Object.keys(body.msg)]).toEqual([422, ['password_confirmation']]);
    expect(await api.dump(['attempts'])).toBe(before);
    api.clock.advance(60 * MINUTE);
    expect((await reset(token, email)).status).toBe(422);
  });

  it('security 8: of several that use a link at once exactly one sets its password', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await api.addUser(api.one, {});
      const { token, email } = await link(user);
      const passwords = Array.from({ length: 6 }, (_, index) => `${NEW} ${index}`);
      const answers = await Promise.all(passwords.map((password) => reset(token, email, password)));
      const winners = passwords.filter((_, index) => answers[index]!.status === 200);
      expect(winners).toHaveLength(1);
      expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true);
      expect((await signIn(email, winners[0]!)).status).toBe(200);
      expect(
        await api.services.db.selectFrom('password_resets').selectAll().where('user_id', '=', user.id).execute(),
      ).toEqual([]);
    }
  });

  it('a link does not set the old password again, and stays good for another one', async () => {
    const user = await api.addUser(api.one, {});
    const { token, email } = await link(user);
    const { status, body } = await reset(token, email, PASSWORD);
    expect([status, Object.keys(body.msg)]).toEqual([422, ['password']]);
    expect((await api.call(calls.users.active, {}, { token: user.token })).status).toBe(200);
    expect((await reset(token, email)).status).toBe(200);
  });

  it('security 4: API keys go with the password where that is asked for, and stay otherwise', async () => {
    const user = await api.addUser(api.one, allPolicies());
    const colleague = await api.addUser(api.one, allPolicies());
    const make = async (token: string) => {
      const as = api.client({ token });
      return (await as.apiKeys.create({ body: { name: 'Script', policies: allPolicies() } })).key;
    };
    const works = async (key: string) => (await api.call(calls.users.active, {}, { token: key })).status === 200;
    const [key, others] = [await make(user.token), await make(colleague.token)];
    const { token, email } = await link(user);
    expect((await reset(token, email)).status).toBe(200);
    expect([await works(key), await works(others)]).toEqual([true, true]);
    const next = await link(user);
    const passwords = { password: `${NEW} 2`, password_confirmation: `${NEW} 2` };
    const body = { token: next.token, email, ...passwords, revoke_api_keys: true };
    expect((await api.call(calls.users.reset, {}, { body, headers: from() })).status).toBe(200);
    expect([await works(key), await works(others)]).toEqual([false, true]);

    const { body: again } = await signIn(email, `${NEW} 2`);
    const another = await make(again.token);
    const change = { current_password: `${NEW} 2`, password: NEW, password_confirmation: NEW, revoke_api_keys: true };
    const own = { token: again.token, body: change, headers: from() };
    expect((await api.call(calls.account.changePassword, {}, own)).status).toBe(200);
    expect([await works(another), await works(others)]).toEqual([false, true]);
    const removed = (await api.client(colleague).history.list()).data.filter(({ action }) => action === 'delete');
    expect(removed.map(({ entity, user: author }) => [entity, author?.id])).toEqual(
      Array(2).fill(['api_key', user.id]),
    );
  });

  it('a link takes all other links of its user with it, and a locked out user has none', async () => {
    const user = await api.addUser(api.one, {});
    const [first, second] = [await link(user), await link(user)];
    expect((await reset(second.token, second.email)).status).toBe(200);
    expect((await reset(first.token, first.email)).status).toBe(422);
    const third = await link(user);
    const update = { params: { id: user.id }, body: { is_active: false } };
    await api.client({ token: await api.signIn(api.one.admin) }).users.update(update);
    expect((await reset(third.token, third.email)).status).toBe(422);
  });

  it('security 3: links are limited for an account and for an address, tries to use them for an address', async () => {
    const user = await api.addUser(api.one, {});
    for (let sent = 0; sent < 3; sent++) expect((await forgot(user.email)).status).toBe(200);
    expect((await forgot(user.email)).status).toBe(429);
    const one = from();
    for (let sent = 0; sent < 20; sent++) expect((await forgot(`nobody-${sent}@example.com`, one)).status).toBe(200);
    expect((await forgot('somebody@example.com', one)).status).toBe(429);
    for (let tried = 0; tried < 20; tried++) expect((await reset('x', user.email, NEW, one)).status).toBe(422);
    expect((await reset('x', user.email, NEW, one)).status).toBe(429);
    api.clock.advance(15 * MINUTE + 1);
    expect((await forgot(user.email, one)).status).toBe(200);
  });

  it('without a mail server the message lies in the outbox, which only the server may read', async () => {
    const local = await ApiApp.start(kind);
    const folder = join(local.services.settings.DATA_DIR, 'outbox');
    const { email } = await local.addUser(local.one, {});
    await local.call(calls.users.forgot, {}, { body: { email }, headers: { host: 'evil.example' } });
    let names: string[] = [];
    while (!names.some((name) => name.endsWith('.eml')))
      names = await readdir(folder).catch(() => new Promise<string[]>((resolve) => setTimeout(resolve, 10, [])));
    const file = join(folder, names.find((name) => name.endsWith('.eml'))!);
    const read = readLink(await readFile(file, 'utf8'));
    expect([read.origin, read.email]).toEqual([`http://localhost:${new URL(local.origin).port}`, email]);
    expect([(await stat(file)).mode & 0o777, (await stat(folder)).mode & 0o777]).toEqual([0o600, 0o700]);
    const body = { token: read.token, email, password: NEW, password_confirmation: NEW };
    expect((await local.call(calls.users.reset, {}, { body })).status).toBe(200);
    await local.close();
  });
});

describe.each(databases.filter((kind) => kind === 'postgres'))('an address on %s', (kind) => {
  it('security 1: is looked up when the answer has been given, so that it takes as long for a known one', async () => {
    const mail = await MailServer.start();
    const api = await ApiApp.start(kind, { SMTP_URL: mail.url });
    const { email } = await api.addUser(api.one, {});
    await api.services.db.transaction().execute(async (transaction) => {
      // From here on nobody can look up a user.
      await sql`lock table users in access exclusive mode`.execute(transaction);
      for (const address of [email, 'nobody@example.com'])
        expect((await api.call(calls.users.forgot, {}, { body: { email: address } })).status).toBe(200);
      expect(mail.received).toEqual([]);
    });
    await mail.wait(email);
    await api.close();
    await mail.close();
  });
});
