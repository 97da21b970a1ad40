import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { addAttempts, addressSubject } from '../../../../src/server/core/limits/attempts.ts';
import { createPasswordToken } from '../../../../src/server/features/users/passwords.ts';
import { ApiApp, databases, PASSWORD } from '../../../harness/api-app.ts';

const MINUTE = 60_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe.each(databases)('what the audit log notes of sign-ins on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => api.close());

  let addresses = 0;
  const from = (address = `198.51.100.${++addresses}`) => ({ 'x-forwarded-for': address, 'user-agent': FIREFOX });
  const login = (email: string, password: string, headers = from()) =>
    api.call(calls.users.login, {}, { body: { email, password }, headers });
  const events = async (subject: string) => {
    const rows = await api.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('subject', '=', subject)
      .orderBy('id')
      .execute();
    return rows.map(({ event, organization_id, user_id, address, device, details }) => ({
      event,
      organization: organization_id,
      user: user_id,
      address,
      device,
      details: JSON.parse(details),
    }));
  };

  it('who signed in and out, from where, and who could not', async () => {
    const user = await api.addUser(api.two, {});
    const where = { organization: api.two.id, address: '203.0.113.9', device: 'Firefox on Linux' };
    await login(user.email, 'wrong password', from(where.address));
    const { token } = (await login(user.email, PASSWORD, from(where.address))).body;
    await api.call(calls.users.logout, {}, { token, headers: from(where.address) });
    expect(await events(user.email)).toEqual([
      { event: 'sign_in_failed', user: null, details: { by: 'password' }, ...where },
      { event: 'sign_in', user: user.id, details: { by: 'password' }, ...where },
      { event: 'sign_out', user: user.id, details: {}, ...where },
    ]);
    await login('nobody@example.com', PASSWORD);
    expect(await events('nobody@example.com')).toMatchObject([{ event: 'sign_in_failed', organization: api.one.id }]);
    const dump = await api.services.db.selectFrom('audit_events').selectAll().execute();
    expect(JSON.stringify(dump)).not.toContain(PASSWORD);
  });

  it('sessions that are ended, and passwords that are changed, asked for and set', async () => {
    const user = await api.addUser(api.one, {});
    await api.signIn(user);
    const { account } = api.client(user);
    const other = (await account.sessions()).find(({ is_current }) => !is_current)!;
    await account.endSession({ params: { id: other.id } });
    await account.endOtherSessions();
    const passwords = { password: 'another password', password_confirmation: 'another password' };
    await account.changePassword({ body: { current_password: PASSWORD, ...passwords } });
    const { email } = user;
    await api.call(calls.users.forgot, {}, { body: { email }, headers: from() });
    const token = await createPasswordToken(api.services.db, api.clock, user.id, 'reset');
    const set = { password: 'set by a link', password_confirmation: 'set by a link' };
    await api.call(calls.users.reset, {}, { body: { token, email, ...set }, headers: from() });
    const noted = (await events(email)).map(({ event }) => event);
    // The link is sent once the answer has been given.
    expect(noted.filter((event) => event !== 'password_link_sent')).toEqual([
      'session_ended',
      'session_ended',
      'password_changed',
      'password_set',
    ]);
    await expect.poll(async () => (await events(email)).map(({ event }) => event)).toContain('password_link_sent');
  });

  it('that there were too many: once for each account and address in 15 minutes, however many more come', async () => {
    const { email } = await api.addUser(api.one, {});
    /** Counts attempts as sign-ins do, without the work of comparing a password. */
    const count = (subject: string, attempts: number) =>
      addAttempts(api.services.db, api.clock, Array(attempts).fill(subject));
    await count(`account:${email}`, 8);
    for (let guess = 8; guess < 10; guess++) await login(email, 'wrong password');
    await Promise.all(Array.from({ length: 20 }, () => login(email, PASSWORD)));
    const locked = async (subject: string) =>
      (await events(subject)).filter(({ event }) => event === 'sign_in_locked').length;
    expect(await locked(email)).toBe(1);
    const address = '192.0.2.200';
    await count(addressSubject(address), 48);
    for (let guess = 48; guess < 70; guess++) await login(`somebody-${guess}@example.com`, 'x', from(address));
    expect(await locked(address)).toBe(1);
    api.clock.advance(15 * MINUTE);
    await count(`account:${email}`, 9);
    for (let guess = 9; guess < 12; guess++) await login(email, 'wrong password');
    expect(await locked(email)).toBe(2);
  });
});
