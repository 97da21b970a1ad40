import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { addressSubject } from '../../../../src/server/core/limits/attempts.ts';
import { ApiApp, databases, PASSWORD, type TestUser } from '../../../harness/api-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(databases)('sessions on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => api.close());

  const newUser = (): Promise<TestUser> => api.addUser(api.one, {});
  const signIn = (email: string, password: string, headers = {}) =>
    api.call(calls.users.login, {}, { body: { email, password }, headers });
  const active = (token: string | null) => api.call(calls.users.active, {}, { token });

  it('begins with the right password, in whatever case the address is written', async () => {
    const { email } = await newUser();
    const { status, body, headers } = await signIn(` ${email.toUpperCase()} `, PASSWORD);
    expect(status).toBe(200);
    expect(body.data.email).toBe(email);
    expect(headers.get('authorization')).toBe(`Bearer ${body.token}`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await active(body.token)).body.data.email).toBe(email);
  });

  it('security 1: a wrong password and an unknown address get the same 422', async () => {
    const { email } = await newUser();
    const wrong = await signIn(email, 'wrong password');
    const unknown = await signIn('nobody@example.com', 'wrong password');
    expect(wrong.status).toBe(422);
    expect(unknown.status).toBe(422);
    expect(unknown.text).toBe(wrong.text);
  });

  it("a deactivated user is signed out, and can't sign in", async () => {
    const { id, email, token } = await newUser();
    await api.services.db.updateTable('users').set({ is_active: 0 }).where('id', '=', id).execute();
    expect((await active(token)).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(422);
  });

  it('security 2: a password of a megabyte is refused unhashed', async () => {
    const { email } = await newUser();
    const { status, body } = await signIn(email, 'a'.repeat(1025));
    expect([status, Object.keys(body.msg)]).toEqual([422, ['password']]);
    // Who is not signed in sends nothing that large.
    expect((await signIn(email, 'a'.repeat(1024 * 1024))).status).toBe(413);
  });

  it('security 3: the eleventh guess in 15 minutes is refused, also after a restart and from elsewhere', async () => {
    const { email } = await newUser();
    for (let guess = 0; guess < 10; guess++) {
      const { status } = await signIn(email, `guess ${guess}`, { 'x-forwarded-for': `198.51.100.${guess}` });
      expect(status).toBe(422);
    }
    expect((await signIn(email, PASSWORD, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(429);
    await api.restart();
    expect((await signIn(email, PASSWORD)).status).toBe(429);
    api.clock.advance(15 * MINUTE + 1);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  it('security 3: an IPv6 network of 64 bits counts as one address', async () => {
    expect(addressSubject('2001:db8:1:2:3:4:5:6')).toBe(addressSubject('2001:0db8:1:2::'));
    expect(addressSubject('2001:db8:1:3::1')).not.toBe(addressSubject('2001:db8:1:2::1'));
    expect(addressSubject('::ffff:192.0.2.1')).toBe(addressSubject('192.0.2.1'));
    const guesses = Array.from({ length: 50 }, (_, guess) =>
      signIn(`nobody-${guess}@example.com`, 'x', { 'x-forwarded-for': `2001:db8:9:9::${guess.toString(16)}` }),
    );
    for (const { status } of await Promise.all(guesses)) expect(status).toBe(422);
    const next = await signIn('somebody@example.com', 'x', { 'x-forwarded-for': '2001:db8:9:9:ffff::1' });
    expect(next.status).toBe(429);
    const neighbor = await signIn('somebody@example.com', 'x', { 'x-forwarded-for': '2001:db8:9:a::1' });
    expect(neighbor.status).toBe(422);
  });

  it('security 3: a password of one’s own makes no room for more guesses at others’', async () => {
    const { email } = await newUser();
    const from = { 'x-forwarded-for': '198.51.100.77' };
    const guess = async (number: number) => (await signIn(`somebody-${number}@example.com`, 'x', from)).status;
    for (let number = 0; number < 48; number++) expect(await guess(number)).toBe(422);
    for (let again = 0; again < 5; again++) expect((await signIn(email, PASSWORD, from)).status).toBe(200);
    expect([await guess(48), await guess(49), await guess(50)]).toEqual([422, 422, 429]);
    expect((await signIn(email, PASSWORD, from)).status).toBe(429);
  });

  it('security 4: ends at logout, with every token that followed from the same sign-in', async () => {
    const { email } = await newUser();
    const first: string = (await signIn(email, PASSWORD)).body.token;
    const other: string = (await signIn(email, PASSWORD)).body.token;
    api.clock.advance(31 * MINUTE);
    const second = (await active(first)).headers.get('authorization')!.replace('Bearer ', '');
    expect(second).not.toBe(first);
    await api.call(calls.users.logout, {}, { token: second });
    expect((await active(first)).status).toBe(401);
    expect((await active(second)).status).toBe(401);
    expect((await active(other)).status).toBe(200);
  });

  it('security 4: a right that is taken away is gone at the next request', async () => {
    const rights = { view_any: true, create: false, update: false, delete: false };
    const { id, token } = await api.addUser(api.one, { rooms: rights });
    expect((await api.call(calls.rooms.list, {}, { token })).status).toBe(200);
    const policies = JSON.stringify({
      ...(await active(token)).body.data.policies,
      rooms: { ...rights, view_any: false },
    });
    await api.services.db.updateTable('users').set({ policies }).where('id', '=', id).execute();
    expect((await api.call(calls.rooms.list, {}, { token })).status).toBe(403);
  });

  it('security 5: a copy of the database opens no session', async () => {
    const { email } = await newUser();
    const { token } = (await signIn(email, PASSWORD)).body;
    const dump = await api.dump();
    expect(dump).toContain(email);
    expect(dump).not.toContain(token);
    expect(dump).not.toContain(PASSWORD);
    for (const [secret] of dump.matchAll(/[\w-]{43,}/g)) expect((await active(secret)).status).toBe(401);
  });

  it('security 6: 50 calls at once across a renewal are all answered, and exactly one brings the new token', async () => {
    const { token } = await newUser();
    api.clock.advance(31 * MINUTE);
    const answers = await Promise.all(Array.from({ length: 50 }, () => active(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const tokens = answers.map(({ headers }) => headers.get('authorization')).filter(Boolean);
    expect(tokens).toHaveLength(1);
    const fresh = tokens[0]!.replace('Bearer ', '');
    api.clock.advance(59_000);
    expect((await active(token)).status).toBe(200);
    api.clock.advance(2000);
    expect((await active(token)).status).toBe(401);
    expect((await active(fresh)).status).toBe(200);
  });

  it('ends after twelve hours without a call', async () => {
    const { token } = await newUser();
    api.clock.advance(12 * HOUR + 1);
    expect((await active(token)).status).toBe(401);
  });

  it('security 7: 1,000 changed tokens open nothing', async () => {
    const { token } = await newUser();
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const changed = Array.from({ length: 1000 }, (_, index) => {
      const at = index % token.length;
      const letter = letters[(letters.indexOf(token[at]!) + 1 + Math.floor(index / token.length)) % letters.length]!;
      return [token.slice(0, at) + letter + token.slice(at + 1), token.slice(0, at), token + letter][index % 3]!;
    }).filter((candidate) => candidate !== token);
    for (let start = 0; start < changed.length; start += 100) {
      const answers = await Promise.all(changed.slice(start, start + 100).map((candidate) => active(candidate)));
      for (const { status } of answers) expect(status).toBe(401);
    }
    expect((await active(token)).status).toBe(200);
  });
});
