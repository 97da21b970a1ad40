import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import {
  addAttempts,
  countAttempt,
  forgetAttempts,
  TooManyAttempts,
} from '../../../../src/server/core/limits/attempts.ts';
import { type Answer, ApiApp, databases, formOf } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';

const MINUTE = 60_000;

describe.each(databases)('a limit that is reached, on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => api.close());

  let addresses = 0;
  const from = () => ({ 'x-forwarded-for': `203.0.${++addresses >> 8}.${addresses & 255}` });

  /** Attempts one a minute until one is refused; gives how many went through, and the refusal. */
  const untilRefused = async (attempt: () => Promise<Answer>): Promise<[number, Answer]> => {
    for (let count = 0; count < 150; count++) {
      const answer = await attempt();
      if (answer.status === 429) return [count, answer];
      api.clock.advance(1000);
    }
    throw new Error('It was not refused.');
  };
  /** Holds a refusal against the seconds until the oldest attempt no longer counts; then the next one goes through. */
  const expectWait = async (attempt: () => Promise<Answer>, most: number, window: number) => {
    const [count, { headers, body }] = await untilRefused(attempt);
    expect(count).toBe(most);
    const wait = window / 1000 - most;
    const minutes = Math.ceil(wait / 60);
    expect([headers.get('retry-after'), body.code, body.retry_after]).toEqual([String(wait), 'too_many', wait]);
    const said = `Too many attempts. Wait ${minutes === 1 ? '1 minute' : `${minutes} minutes`}, then try again.`;
    expect(body.msg.error).toEqual([said]);
    api.clock.advance(wait * 1000 - 1);
    expect((await attempt()).status).toBe(429);
    api.clock.advance(1);
    expect((await attempt()).status).not.toBe(429);
  };

  it('says how long it lasts: of an account and of an address at the sign-in', async () => {
    const { email } = await api.addUser(api.one, {});
    const signIn = (address: string, headers: Record<string, string>) =>
      api.call(calls.users.login, {}, { body: { email: address, password: 'wrong password' }, headers });
    await expectWait(() => signIn(email, from()), 10, 15 * MINUTE);
    const one = from();
    let count = 0;
    await expectWait(() => signIn(`nobody-${++count}@example.com`, one), 50, 15 * MINUTE);
  });

  it('is a refusal, and no error, while a sign-in that went well forgets the attempts', async () => {
    const { db } = api.services;
    const count = () => countAttempt(db, api.clock, 'busy@example.com', '203.0.113.7');
    const odd = [];
    for (let round = 0; round < 150; round++) {
      await addAttempts(db, api.clock, Array<string>(10).fill('account:busy@example.com'));
      const counting = Promise.allSettled(Array.from({ length: 6 }, count));
      await setTimeout(round % 10);
      await forgetAttempts(db, 'busy@example.com', '203.0.113.7');
      for (const result of await counting)
        if (result.status === 'rejected' && !(result.reason instanceof TooManyAttempts)) odd.push(result.reason);
    }
    expect(odd).toEqual([]);
  });

  it('says how long it lasts: of links to set a password, and of tries to use one', async () => {
    const { email } = await api.addUser(api.one, {});
    await expectWait(() => api.call(calls.users.forgot, {}, { body: { email }, headers: from() }), 3, 15 * MINUTE);
    const headers = from();
    const password = 'a new password for me';
    const body = { token: 'x', email, password, password_confirmation: password };
    await expectWait(() => api.call(calls.users.reset, {}, { body, headers }), 20, 15 * MINUTE);
  });

  it('says how long it lasts: of invitations to one mailbox', async () => {
    const body = { email: 'somebody@example.com', name: 'Somebody', policies: noRights() };
    const invite = async () => {
      const { token } = await api.addUser(api.one, {});
      await api.services.db
        .updateTable('users')
        .set({ policies: (await admin()).policies })
        .where('email', '!=', body.email)
        .execute();
      return api.call(calls.users.invite, {}, { token, body, headers: from() });
    };
    const admin = () =>
      api.services.db
        .selectFrom('users')
        .select('policies')
        .where('id', '=', api.one.admin.id)
        .executeTakeFirstOrThrow();
    await expectWait(invite, 5, 60 * MINUTE);
  });

  it('says how long it lasts: of codes at the door, for the address and for the structure', async () => {
    const client = api.client({ token: await api.signIn(api.one.admin) });
    const room = await client.rooms.create({ body: { title: 'R' } });
    const door = { name: 'Door', room_id: room.id, is_protected: true };
    const { slug: slugOne } = await client.endpoints.create({ body: door });
    const enter = (headers: Record<string, string>) =>
      api.call(calls.visit.enterOne, { slugOne }, { body: { access_token: 'wrong' }, headers });
    const one = from();
    await expectWait(() => enter(one), 20, 15 * MINUTE);
    const many = await Promise.all(Array.from({ length: 120 }, () => enter(from())));
    const refusals = many.filter(({ status }) => status === 429);
    expect(refusals.length).toBeGreaterThanOrEqual(20);
    for (const { headers, body } of refusals)
      expect([headers.get('retry-after'), body.retry_after]).toEqual(['60', 60]);
  });

  it('says how long it lasts: of messages that visitors share', async () => {
    const client = api.client({ token: await api.signIn(api.one.admin) });
    const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const room = await client.rooms.create({ body: { title: 'R' } });
    const config = { feed_enabled: true, feed_id: feed.id };
    await client.rooms.addElement({ params: { id: room.id }, body: { element: 'group', config } });
    await client.endpoints.create({ body: { name: 'Wall', room_id: room.id } });
    const headers = from();
    const share = () => {
      const form = formOf({ name: 'Eva', message: 'Hello', feed_id: String(feed.id) });
      return api.call(calls.visit.share, {}, { form, headers });
    };
    await expectWait(share, 20, 60 * MINUTE);
  });
});
