import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { completeMailing, insertEmails } from '../../../../src/server/features/mailings/queries.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { decoded, headerOf, MailServer, utf8Text } from '../../../harness/mail-server.ts';

const MINUTE = 60_000;

describe.each(databases)('a mailing on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let smtp: MailServer;
  let room: number;
  let hall: number;
  let count = 0;
  beforeAll(async () => {
    smtp = await MailServer.start();
    api = await ApiApp.start(
      kind,
      {
        LOG_LEVEL: 'error',
        SMTP_URL: smtp.url,
        MAIL_FROM: 'Museum <museum@example.com>',
        PUBLIC_URL: 'https://rooms.example.com',
      },
      { allowed: [`127.0.0.1:${smtp.port}`] },
    );
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.organizations.update({ body: { time_zone: 'Europe/Amsterdam' } });
    await client.mail.update({ body: { rate: 100 } });
  });
  beforeEach(async () => {
    hall = (await client.endpoints.create({ body: { name: `Hall ${++count}`, slug: `hall-${count}`, room_id: room } }))
      .id;
  });
  afterEach(() => {
    smtp.answer = () => 'accept';
    smtp.received.splice(0);
  });
  afterAll(async () => {
    await api.close();
    await smtp.close();
  });

  const pass = async (milliseconds: number) => {
    api.clock.advance(milliseconds);
    api.one.admin.token = await api.signIn(api.one.admin);
    client = api.client();
  };
  const invite = async (...emails: (string | null)[]) => {
    const ids: number[] = [];
    for (const holder_email of emails)
      ids.push((await client.accessTokens.create({ body: { endpoint_id: hall, holder_email } })).id);
    return ids;
  };
  const guests = (number: number) => Array.from({ length: number }, (_, index) => `guest-${index}@example.com`);
  const draft = async (fields: object = {}) => {
    const body = { endpoint_id: hall, name: 'Opening', subject: 'Welcome, {name}', text: 'Enter: {link}', ...fields };
    return (await client.mailings.create({ body })).id;
  };
  const send = (id: number, body: object = {}) => client.mailings.send({ params: { id }, body });
  const read = (id: number) => client.mailings.read({ params: { id } });
  const emails = async (id: number, state?: 'waiting' | 'rejected' | 'uncertain' | 'sent') =>
    (await client.mailings.emails({ params: { id }, query: { per_page: 100, state } })).data;
  /** Waits until a mailing has these numbers and this state. */
  const settled = async (id: number, counts: object, state = 'done') => {
    await expect.poll(() => read(id), { timeout: 20_000 }).toMatchObject({ counts, state });
    return read(id);
  };

  /** Waits until as many e-mails have been tried once, and wait for another attempt. */
  const tried = (id: number, number: number) =>
    expect
      .poll(async () => (await emails(id, 'waiting')).filter(({ attempts }) => attempts === 1), { timeout: 20_000 })
      .toHaveLength(number);

  it('reaches each holder once, with a personal link in a text without gaps', async () => {
    const [first] = await invite('zoe@example.com', ...guests(4), null);
    const validity = { valid_from: '2026-12-01T17:00:00Z', valid_till: null };
    await client.accessTokens.update({ params: { id: first! }, body: { holder_name: 'Zoë Łukasz 王', ...validity } });
    const { token } = await client.accessTokens.read({ params: { id: first! } });
    const text = 'Dear {name},\n{link}\n{structure}, {valid_from}–{valid_till} {token}{group}{note} {not a word}';
    const id = await draft({ text, reply_to: 'desk@example.com', language: 'de' });
    const who = { endpoint_id: hall, mailing_id: id };
    expect(await client.mailings.recipients({ body: who })).toMatchObject({ count: 5, without_address: 1 });
    expect(await send(id)).toMatchObject({ state: 'sending' });
    // A second request changes nothing.
    await send(id);
    expect(await settled(id, { sent: 5, waiting: 0, sending: 0 })).toMatchObject({ state: 'done', problem: '' });
    expect(await client.mailings.recipients({ body: who })).toMatchObject({ count: 0, already: 5 });
    expect(smtp.received.flatMap(({ to }) => to).sort()).toEqual([...guests(4), 'zoe@example.com']);
    const { source, from } = smtp.to('zoe@example.com')[0]!;
    expect(from).toBe('museum@example.com');
    expect(decoded(headerOf(source, 'Subject'))).toBe('Welcome, Zoë Łukasz 王');
    expect(decoded(headerOf(source, 'To'))).toBe('Zoë Łukasz 王 <zoe@example.com>');
    expect(headerOf(source, 'Reply-To')).toBe('desk@example.com');
    const [email] = await emails(id, 'sent');
    expect(headerOf(source, 'Message-ID')).toBe(email!.message_id);
    const link = `https://rooms.example.com/hall-${count}#access_token=${token}`;
    const lines = utf8Text(source).trim().split('\r\n');
    expect(lines).toEqual([
      'Dear Zoë Łukasz 王,',
      link,
      expect.stringMatching(/^Hall \d+, 1\. Dezember 2026.*18:00 MEZ– /),
    ]);
    expect(lines[2]).toContain(`${token} {not a word}`);
    const audit = (await client.audit.list({ query: {} })).data.filter(({ event }) => event === 'mailing_sent');
    expect(audit[0]).toMatchObject({ subject: 'Opening', details: { emails: 5 } });
  });

  it('names unknown placeholders, and lets no value add a header', async () => {
    const unknown = await refused(draft({ text: '{name} {lnik} {Foo}', subject: 'Hello {nmae}' }));
    expect(unknown.msg.text).toEqual([expect.stringContaining('{lnik}, {Foo}')]);
    expect(unknown.msg.subject).toEqual([expect.stringContaining('{nmae}')]);
    for (const fields of [
      { subject: 'A\r\nBcc: eve@example.com' },
      { reply_to: 'a@example.com\r\nBcc: eve@example.com' },
    ])
      expect((await refused(draft(fields))).status).toBe(422);
    const [token] = await invite('ann@example.com');
    const holder_name = 'Ann\r\nBcc: eve@example.com\u2028X-Other: 1';
    await api.services.db.updateTable('access_tokens').set({ holder_name }).where('id', '=', token!).execute();
    const id = await draft();
    await send(id);
    await settled(id, { sent: 1 });
    const [{ source, to }] = smtp.received as [(typeof smtp.received)[number]];
    expect(to).toEqual(['ann@example.com']);
    expect(source).not.toMatch(/^(Bcc|X-Other):/im);
  });

  it('goes to no token of another organization or structure, and to nobody without an address', async () => {
    const other = await api.addOrganization(`other-${count}-${kind}.example`);
    const theirs = api.client(other.admin);
    const theirRoom = (await theirs.rooms.create({ body: { title: 'Theirs' } })).id;
    const endpoint_id = (await theirs.endpoints.create({ body: { name: 'Theirs', room_id: theirRoom } })).id;
    const foreign = await theirs.accessTokens.create({ body: { endpoint_id, holder_email: 'foreign@example.com' } });
    const [own] = await invite('own@example.com');
    const id = await draft();
    for (const ids of [[foreign.id], [own!, foreign.id]]) {
      expect(await refused(send(id, { ids }))).toMatchObject({ code: 'not_found' });
      expect(await refused(client.mailings.test({ params: { id }, body: { ids } }))).toMatchObject({
        code: 'not_found',
      });
    }
    expect(await refused(draft({ endpoint_id }))).toMatchObject({ code: 'invalid' });
    expect(await refused(theirs.mailings.send({ params: { id }, body: {} }))).toMatchObject({ code: 'not_found' });
    const shop = (await client.endpoints.create({ body: { name: `Shop ${count}`, room_id: room } })).id;
    const elsewhere = await client.accessTokens.create({
      body: { endpoint_id: shop, holder_email: 'shop@example.com' },
    });
    expect(await refused(send(id, { ids: [own!, elsewhere.id] }))).toMatchObject({ code: 'invalid' });
    const [silent] = await invite(null);
    expect(await refused(send(id, { ids: [silent!] }))).toMatchObject({ code: 'invalid' });
    expect(await read(id)).toMatchObject({ state: 'draft', counts: { waiting: 0 } });
    expect(smtp.received).toEqual([]);
  });

  it('shows why the mail server rejected some, and sends chosen ones again', async () => {
    await invite(...guests(6));
    const isOdd = (to: string) => Number(/\d/.exec(to)![0]) % 2 === 1;
    smtp.answer = (to) => (isOdd(to) ? { code: 550, text: 'No such user here' } : 'accept');
    const id = await draft();
    await send(id);
    expect(await settled(id, { sent: 3, rejected: 3 })).toMatchObject({ state: 'done' });
    const rejected = await emails(id, 'rejected');
    expect(rejected[0]!.answer).toBe('550 No such user here');
    smtp.answer = () => 'accept';
    await client.mailings.resend({ params: { id }, body: { ids: [rejected[0]!.id] } });
    expect(await settled(id, { sent: 4, rejected: 2 })).toMatchObject({ state: 'done' });
    expect(smtp.received).toHaveLength(4);
    expect(await refused(client.mailings.markSent({ params: { id }, body: { ids: [rejected[1]!.id] } }))).toMatchObject(
      {
        code: 'invalid',
      },
    );
    expect(await refused(client.mailings.update({ params: { id }, body: { name: 'Late' } }))).toMatchObject({
      code: 'invalid',
    });
  });

  it('is tried five times if the mail server is busy, then given up', async () => {
    await invite('busy@example.com');
    smtp.answer = () => ({ code: 451, text: 'Greylisted' });
    const id = await draft();
    await send(id);
    for (let attempt = 1; attempt < 5; attempt++) {
      await expect.poll(async () => (await emails(id, 'waiting'))[0]?.attempts, { timeout: 20_000 }).toBe(attempt);
      const [email] = await emails(id);
      expect(email!.answer).toContain('Greylisted');
      await pass(Date.parse(email!.next_at!) - api.clock.now());
    }
    expect(await settled(id, { rejected: 1 })).toMatchObject({ state: 'done' });
    expect((await emails(id))[0]).toMatchObject({ attempts: 5, next_at: null });
  });

  it('is repeated after a connection that broke before the end, and never after one that broke without a response', async () => {
    await invite('before@example.com', 'after@example.com');
    smtp.answer = (to) => (to.startsWith('before') ? 'drop before the end' : 'drop after the end');
    const id = await draft();
    await send(id);
    await settled(id, { waiting: 1, uncertain: 1 }, 'sending');
    await tried(id, 1);
    smtp.answer = () => 'accept';
    await pass(2 * MINUTE);
    expect(await settled(id, { sent: 1, uncertain: 1 })).toMatchObject({ state: 'done' });
    await pass(24 * 60 * MINUTE);
    expect(smtp.to('before@example.com')).toHaveLength(1);
    expect(smtp.to('after@example.com')).toHaveLength(1);
    const [uncertain] = await emails(id, 'uncertain');
    await client.mailings.markSent({ params: { id }, body: { ids: [uncertain!.id] } });
    await settled(id, { sent: 2 });
    await client.mailings.resend({ params: { id }, body: { ids: [uncertain!.id] } });
    await settled(id, { sent: 2 });
    expect(smtp.to('after@example.com')).toHaveLength(2);
  });

  it('leaves those uncertain whose server crashed: another one takes over when the lease ends', async () => {
    await invite('lost@example.com', 'held@example.com');
    const id = await draft();
    await client.mailings.update({ params: { id }, body: { name: 'Crash' } });
    const { db } = api.services;
    smtp.answer = () => ({ code: 451, text: 'Later' });
    await send(id);
    await tried(id, 2);
    const [lost] = await emails(id);
    const lease = new Date(api.clock.now() + 2 * MINUTE).toISOString();
    await db
      .updateTable('mailing_emails')
      .set({ state: 'sending', next_at: lease })
      .where('id', '=', lost!.id)
      .execute();
    smtp.answer = () => 'accept';
    await pass(3 * MINUTE);
    expect(await settled(id, { uncertain: 1, sent: 1 })).toMatchObject({ state: 'done' });
    expect(smtp.received.map(({ to }) => to[0])).toEqual(['held@example.com']);
  });

  it('can be paused and resumed; while it is sent, it can not be removed', async () => {
    await client.mail.update({ body: { rate: 1 } });
    await invite(...guests(8));
    const id = await draft();
    await send(id);
    await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await refused(client.mailings.remove({ params: { id } }))).toMatchObject({ code: 'in_use' });
    expect(await client.mailings.pause({ params: { id } })).toMatchObject({ state: 'paused' });
    await expect.poll(async () => (await read(id)).counts.sending).toBe(0);
    const { waiting } = (await read(id)).counts;
    expect(waiting).toBeGreaterThan(0);
    await client.mail.update({ body: { rate: 100 } });
    await pass(MINUTE);
    expect((await read(id)).counts.waiting).toBe(waiting);
    await client.mailings.resume({ params: { id } });
    expect(await settled(id, { sent: 8 })).toMatchObject({ state: 'done' });
    expect(smtp.received).toHaveLength(8);
    await client.mailings.remove({ params: { id } });
    expect(await refused(read(id))).toMatchObject({ code: 'not_found' });
  });

  it('uses the organization’s own mail server, whose password goes nowhere else', async () => {
    const sender = { sender_name: 'Zoë', sender_address: 'zoe@gallery.example' };
    const own = { host: '127.0.0.1', port: smtp.port, security: 'none', username: '', ...sender } as const;
    for (const host of ['127.0.0.2', '10.0.0.1', '::1'])
      expect((await refused(client.mail.update({ body: { server: { ...own, host } } }))).msg).toHaveProperty([
        'server.host',
      ]);
    expect((await refused(client.mail.update({ body: { server: { ...own, username: 'kim' } } }))).status).toBe(422);
    const locked = { ...own, host: 'smtp.example.com', security: 'tls', username: 'kim' } as const;
    const saved = await client.mail.update({ body: { server: { ...locked, password: 'hunter2 secret' } } });
    expect(saved).toMatchObject({ source: 'organization', server: { has_password: true } });
    expect(JSON.stringify(saved) + (await api.dump())).not.toContain('hunter2');
    expect(await client.mail.update({ body: { server: { ...locked, port: 25 } } })).toMatchObject({
      server: { has_password: true },
    });
    const moved = await refused(client.mail.update({ body: { server: { ...locked, host: 'smtp.evil.example' } } }));
    expect(moved.msg).toHaveProperty(['server.password']);
    await client.mail.update({ body: { server: own } });
    expect(await client.mail.test()).toMatchObject({ works: true });
    const [token] = await invite('ann@example.com');
    const id = await draft();
    expect(await client.mailings.test({ params: { id }, body: { ids: [token!] } })).toMatchObject({ works: true });
    const { source, to, from } = smtp.received.at(-1)!;
    expect([from, to]).toEqual(['zoe@gallery.example', [api.one.admin.email]]);
    expect(decoded(headerOf(source, 'From'))).toBe('Zoë <zoe@gallery.example>');
    expect(await read(id)).toMatchObject({ state: 'draft' });
    const at = (year: number) => new Date(Date.UTC(2000 + year)).toISOString();
    // It takes no sign-in: the mailing is paused at once instead of failing for everybody.
    await api.services.db
      .updateTable('mail_settings')
      .set({ username: 'kim', updated_at: at(1) })
      .execute();
    await send(id);
    await expect.poll(async () => (await read(id)).state, { timeout: 20_000 }).toBe('paused');
    expect(await read(id)).toMatchObject({ counts: { waiting: 1 }, problem: expect.stringContaining('password') });
    // It can't be reached any more: the mailing waits, and nothing is lost.
    const port = 9;
    await api.services.db
      .updateTable('mail_settings')
      .set({ port, host: 'smtp.invalid', username: '', updated_at: at(2) })
      .execute();
    expect(await client.mail.test()).toMatchObject({ works: false });
    await client.mailings.resume({ params: { id } });
    await tried(id, 1);
    expect(await read(id)).toMatchObject({ state: 'sending', counts: { waiting: 1 } });
    expect(await client.mail.update({ body: { server: null } })).toMatchObject({ source: 'server', server: null });
    await pass(2 * MINUTE);
    await settled(id, { sent: 1 });
    expect(smtp.to('ann@example.com')).toHaveLength(1);
  });

  it('keeps its recipients with the draft, until it moves to another structure', async () => {
    const [first, second, third] = await invite(...guests(3));
    const id = await draft({ selection: { ids: [first!, second!, third!] } });
    expect(await read(id)).toMatchObject({ selection: { ids: [first, second, third] } });
    await client.mailings.update({ params: { id }, body: { selection: { ids: [first!, second!] } } });
    // A token that is removed meanwhile is left out.
    await client.accessTokens.remove({ params: { id: second! } });
    const { selection, updated_at } = await read(id);
    await client.mailings.update({ params: { id }, body: { selection, updated_at } });
    const who = { endpoint_id: hall, mailing_id: id };
    expect(await client.mailings.recipients({ body: who })).toMatchObject({ count: 1 });
    await send(id);
    await settled(id, { sent: 1 });
    expect(smtp.received.map(({ to }) => to)).toEqual([[guests(1)[0]]]);
    // A selection that is given counts instead.
    await send(id, { filter: {} });
    await settled(id, { sent: 2 });

    const elsewhere = (await client.endpoints.create({ body: { name: `Shop ${count}`, room_id: room } })).id;
    const moving = await draft({ selection: { ids: [first!] } });
    const wrong = { endpoint_id: elsewhere, selection: { ids: [first!] } };
    expect((await refused(client.mailings.update({ params: { id: moving }, body: wrong }))).msg).toHaveProperty([
      'selection.ids',
    ]);
    expect((await refused(draft(wrong))).msg).toHaveProperty(['selection.ids']);
    expect(await refused(draft({ selection: { ids: [999_999] } }))).toMatchObject({ code: 'not_found' });
    await client.mailings.update({ params: { id: moving }, body: { endpoint_id: elsewhere } });
    expect((await read(moving)).selection).toEqual({});
  });

  it('goes to the current holder of a token if it is sent again, and to no former one', async () => {
    const [token] = await invite('former@example.com');
    smtp.answer = () => ({ code: 451, text: 'Later' });
    const id = await draft();
    await send(id);
    await tried(id, 1);
    const holder = { holder_name: 'New', holder_email: 'new@example.com' };
    await client.accessTokens.update({ params: { id: token! }, body: holder });
    smtp.answer = () => 'accept';
    await pass(2 * MINUTE);
    await settled(id, { rejected: 1 });
    const [email] = await emails(id);
    expect(email).toMatchObject({ answer: 'The token has another holder now.', email: 'former@example.com' });
    expect(smtp.received).toEqual([]);
    await client.mailings.resend({ params: { id }, body: { ids: [email!.id] } });
    await settled(id, { sent: 1 });
    expect(decoded(headerOf(smtp.to('new@example.com')[0]!.source, 'To'))).toBe('New <new@example.com>');
    expect(await emails(id)).toMatchObject([{ name: 'New', email: 'new@example.com' }]);
  });

  it('is not done if e-mails are added just before it would be', async () => {
    const [token] = await invite('late@example.com');
    const id = await draft();
    const { db } = api.services;
    await db.updateTable('mailings').set({ state: 'sending' }).where('id', '=', id).execute();
    const adding = await db.startTransaction().execute();
    await adding.updateTable('mailings').set({ problem: '' }).where('id', '=', id).execute();
    const completing = completeMailing(db, id);
    const blocked = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%mailings%'`;
    if (kind === 'postgres') await expect.poll(async () => (await blocked.execute(db)).rows.length).toBeGreaterThan(0);
    const email = { name: '', email: 'late@example.com', attempts: 0, next_at: null, answer: '', message_id: '' };
    const about = { organization_id: api.one.id, mailing_id: id, access_token_id: token!, sent_at: null };
    await insertEmails(adding, [{ ...email, ...about, state: 'waiting' }]);
    await adding.commit().execute();
    await completing;
    expect(await read(id)).toMatchObject({ state: 'sending', counts: { waiting: 1 } });
    await client.mailings.pause({ params: { id } });
    await client.mailings.resume({ params: { id } });
    await settled(id, { sent: 1 });
  });

  it('forgets a person who is erased, and is done if it waited only for them', async () => {
    const [token] = await invite('only@example.com', 'kept@example.com');
    smtp.answer = (to) => (to.startsWith('only') ? { code: 451, text: 'Later' } : 'accept');
    const id = await draft();
    const found = await draft({ selection: { filter: { search: 'Only@example.com' } } });
    await send(id);
    await tried(id, 1);
    const { db } = api.services;
    await db.updateTable('access_tokens').set({ holder_email: null }).where('id', '=', token!).execute();
    const erase = () => client.privacy.eraseUser({ body: { email: 'only@example.com' } });
    expect(await erase()).toMatchObject({ was_user: false, tokens: 0, messages: 1, entries: 1 });
    await settled(id, { sent: 1, waiting: 0 });
    expect((await emails(id)).map(({ email }) => email)).toEqual(['kept@example.com']);
    expect((await read(found)).selection).toEqual({ filter: { search: 'Erased person' } });
    expect(await api.dump()).not.toMatch(/only@example.com/i);
    expect(await refused(erase())).toMatchObject({ code: 'not_found' });
  });
});
