import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { Database } from '../../../../src/server/core/db/database.ts';
import { lockSubjects } from '../../../../src/server/core/limits/attempts.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** How many transactions of PostgreSQL wait for a lock that stands for something else than a row. */
async function waiting(db: Database): Promise<number> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(db);
  return rows.length;
}

describe.each(databases)('entering with a code on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let slug: string;
  let endpoint: number;
  let count = 0;
  let addresses = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'Treasure' } });
    await client.endpoints.create({ body: { name: 'Open', room_id: room } });
  });
  beforeEach(async () => {
    // The tests move the clock and restart the server, which changes its port.
    client = await fresh();
    slug = `members-${++count}`;
    endpoint = (await client.endpoints.create({ body: { name: slug, room_id: room, is_protected: true } })).id;
  });
  afterAll(() => api.close());

  const fresh = async () => api.client({ token: await api.signIn(api.one.admin) });
  /** An address that nobody else has. */
  const somewhere = () => {
    addresses++;
    return { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
  };
  const enter = (access_token?: string | null, headers: Record<string, string> = somewhere(), token?: string) =>
    api.call(calls.visit.enterOne, { slugOne: slug }, { body: { access_token, after_login: true }, headers, token });
  const look = (token: string | null, slugOne = slug) => api.call(calls.visit.one, { slugOne }, { token });
  const add = (body: object = {}) => client.accessTokens.create({ body: { endpoint_id: endpoint, ...body } });
  const iso = (milliseconds: number) => new Date(api.clock.now() + milliseconds).toISOString();

  it('a right code opens the room, and gives a token that goes on opening it', async () => {
    const { token: code } = await add();
    const { status, body, headers } = await enter(` ${code} `);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ slug, is_protected: true, room: { elements: [{ name: 'Treasure' }] } });
    expect(headers.get('authorization')).toBe(`Bearer ${body.token}`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await look(body.token)).body.data.room.title).toBe('Hall');
    expect((await enter(null, {}, body.token)).status).toBe(200);
    expect((await look(null)).body.code).toBe('code_required');
    expect((await look('x'.repeat(43))).body.code).toBe('signed_out');
    expect((await enter(undefined, {}, 'x'.repeat(43))).status).toBe(401);
    expect((await look(api.one.admin.token)).status).toBe(401);
    expect((await look('x'.repeat(43), 'open')).status).toBe(200);
    expect(await api.dump()).not.toContain(body.token);
    const below = await client.endpoints.create({
      body: { name: 'Below', room_id: room, parent_endpoint_id: endpoint, is_protected: true },
    });
    const own = await client.accessTokens.create({ body: { endpoint_id: below.id } });
    const params = { slugOne: slug, slugTwo: 'below' };
    expect((await api.call(calls.visit.two, params, { token: body.token })).body.code).toBe('code_required');
    const inner = await api.call(calls.visit.enterTwo, params, { body: { access_token: own.token } });
    expect((await api.call(calls.visit.two, params, { token: inner.body.token })).status).toBe(200);
    expect((await look(body.token)).status).toBe(200);
  });

  it('the end of a visit is told to whoever holds its token, and to nobody else', async () => {
    const inSeconds = (milliseconds: number) => (api.clock.now() + milliseconds) / 1000;
    const endOf = (answer: Awaited<ReturnType<typeof look>>) => answer.body.data.access_ends_at;
    const long = (await add()).token;
    const timed = await add({ valid_duration: 10 });
    const short = await enter(timed.token);
    const tenMinutes = inSeconds(10 * MINUTE);
    expect(endOf(short)).toBeCloseTo(tenMinutes, 2);
    const other = await enter(long);
    // Without an end of its own the visit ends when no visit goes on any longer.
    expect(endOf(other)).toBeCloseTo(inSeconds(3 * DAY), 2);
    api.clock.advance(MINUTE);
    const [again, others] = [await look(short.body.token), await look(other.body.token)];
    expect([endOf(again), endOf(others)]).toEqual([endOf(short), endOf(other)]);
    expect(again.headers.get('etag')).not.toBe(others.headers.get('etag'));
    expect(again.headers.get('cache-control')).toBe('no-store');
    // What the back-office changes counts at once.
    await client.accessTokens.update({ params: { id: timed.id }, body: { valid_till: iso(2 * MINUTE) } });
    expect(endOf(await look(short.body.token))).toBeCloseTo(inSeconds(2 * MINUTE), 2);
    expect((await look(null)).text).not.toContain('access_ends_at');
    expect(endOf(await look(short.body.token, 'open'))).toBeNull();
  });

  it('the home page opens by its own address and without one', async () => {
    const home = (body: object, token: string | null = null) => api.call(calls.visit.enterHome, {}, { body, token });
    const [first] = await client.endpoints.list();
    const params = { id: first!.id };
    expect((await home({})).body.data).toMatchObject({ id: first!.id, path: '/open', room: { title: 'Hall' } });
    await client.endpoints.update({ params, body: { is_protected: true } });
    const { token: code } = await client.accessTokens.create({ body: { endpoint_id: first!.id } });
    expect((await home({})).body.code).toBe('code_required');
    expect((await home({ access_token: 'wrong' })).body.code).toBe('code_required');
    const { status, body } = await home({ access_token: code, after_login: 1 });
    expect([status, body.data.room.title]).toEqual([200, 'Hall']);
    expect((await home({}, body.token)).status).toBe(200);
    expect((await look(body.token, 'open')).status).toBe(200);
    await client.endpoints.update({ params, body: { is_protected: false } });
  });

  it('an open structure asks for nothing, whatever is sent', async () => {
    const { status, body } = await api.call(calls.visit.enterOne, { slugOne: 'open' }, { body: { access_token: 'x' } });
    expect([status, body.token, body.data.is_protected]).toEqual([200, undefined, false]);
  });

  it('security 17: missing, wrong, ended and other codes get one identical answer, with nothing of the room', async () => {
    const { token: good } = await add();
    const ended = await add({ valid_till: iso(SECOND) });
    const early = await add({ valid_from: iso(MINUTE) });
    const other = await client.endpoints.create({
      body: { name: `other-${count}`, room_id: room, is_protected: true },
    });
    const foreign = await client.accessTokens.create({ body: { endpoint_id: other.id } });
    const { token: removed, id } = await add();
    await client.accessTokens.remove({ params: { id } });
    api.clock.advance(SECOND);
    const wrong = [
      undefined,
      null,
      '',
      '  ',
      'wrong',
      foreign.token,
      removed,
      good.toUpperCase(),
      'a\0b',
      'x'.repeat(999),
      "' or 1=1",
    ];
    const answers = await Promise.all(wrong.map((code) => enter(code)));
    const { text } = answers[0]!;
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([400, text]);
    expect(JSON.parse(text)).toEqual({ code: 'code_required', msg: expect.anything(), suggestion: expect.anything() });
    expect(text).not.toMatch(/hall|members|treasure/i);
    for (const [code, reason] of [
      [ended.token, 'expired'],
      [early.token, 'not_yet_valid'],
    ] as const) {
      const answer = await enter(code);
      expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ ...JSON.parse(text), reason })]);
    }
    expect((await enter(good)).status).toBe(200);
  });

  it('security 18: 600 guesses from 300 addresses: 100 are looked at in a minute, also across a restart; who is inside stays', async () => {
    const { token: code } = await add();
    const inside: string = (await enter(code)).body.token;
    const crowd = Array.from({ length: 300 }, somewhere);
    // More at a time than are looked at, and not so many that they wait for a connection longer than the server lets them.
    const statuses: number[] = [];
    for (const half of [crowd.slice(0, 150), crowd.slice(150)]) {
      const answers = await Promise.all(half.map((from, guess) => enter(`guess-${guess}`, from)));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(200);
    await api.restart();
    const more = await Promise.all(crowd.map((from, guess) => enter(`more-${guess}`, from)));
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([429]));
    expect((await enter(code)).status).toBe(429);
    expect((await enter('')).status).toBe(400);
    expect((await look(inside)).status).toBe(200);
    expect((await api.call(calls.visit.one, { slugOne: 'open' })).status).toBe(200);
    api.clock.advance(MINUTE - 1);
    expect((await enter(code)).status).toBe(429);
    api.clock.advance(1);
    expect((await enter(code)).status).toBe(200);
  });

  it('security 18: of codes that are sent at once, none is looked at after the last attempt is taken, right ones neither', async () => {
    const { token: code } = await add();
    for (let guess = 0; guess < 99; guess++) expect((await enter(`first-${guess}`)).status).toBe(400);
    const { db } = api.services;
    const locked = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    // Whoever counts first holds all others up, until hundreds of codes have come.
    const holder = db.transaction().execute(async (transaction) => {
      await lockSubjects(transaction, [{ subject: `entry:${endpoint}` }]);
      locked.resolve();
      await opened.promise;
    });
    await locked.promise;
    const wrong = enter('last');
    if (kind === 'postgres') await expect.poll(() => waiting(db)).toBe(1);
    const right = Array.from({ length: 5 }, () => enter(code));
    // Each of them waits, unless it is let in without being held against the count.
    if (kind === 'postgres') await Promise.race([...right, expect.poll(() => waiting(db)).toBe(6)]);
    const crowd = Array.from({ length: 200 }, (_, guess) => enter(guess % 2 ? code : `next-${guess}`));
    opened.resolve();
    await holder;
    expect((await wrong).status).toBe(400);
    const statuses = (await Promise.all([...right, ...crowd])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([429]));
  });

  it('security 18: an address has 20 wrong codes in 15 minutes, over all structures; right ones do not count', async () => {
    const { token: code } = await add();
    const from = somewhere();
    const first = slug;
    for (let guess = 0; guess < 19; guess++) expect((await enter(`guess-${guess}`, from)).status).toBe(400);
    for (let visit = 0; visit < 5; visit++) expect((await enter(code, from)).status).toBe(200);
    slug = (await client.endpoints.create({ body: { name: `next-${count}`, room_id: room, is_protected: true } })).slug;
    expect((await enter('guess', from)).status).toBe(400);
    expect((await enter('guess', from)).status).toBe(429);
    slug = first;
    expect((await enter(code, from)).status).toBe(429);
    expect((await enter(code)).status).toBe(200);
    await api.restart();
    api.clock.advance(15 * MINUTE - 1);
    expect((await enter(code, from)).status).toBe(429);
    api.clock.advance(1);
    expect((await enter(code, from)).status).toBe(200);
  });

  it('security 20: 200 first uses at once give one end, and later uses do not move it', async () => {
    const { token: code, id } = await add({ valid_duration: 30 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => enter(code)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const end = iso(30 * MINUTE);
    const { valid_till, first_used_at } = await client.accessTokens.read({ params: { id } });
    expect([valid_till, first_used_at]).toEqual([end, iso(0)]);
    const { db } = api.services;
    const visits = await db
      .selectFrom('visitor_sessions')
      .select('expires_at')
      .where('access_token_id', '=', id)
      .execute();
    expect(visits).toHaveLength(200);
    expect(new Set(visits.map(({ expires_at }) => expires_at))).toEqual(new Set([end]));
    api.clock.advance(30 * MINUTE - SECOND);
    const last: string = (await enter(code)).body.token;
    expect((await client.accessTokens.read({ params: { id } })).valid_till).toBe(end);
    expect((await look(last)).status).toBe(200);
    api.clock.advance(SECOND);
    expect((await look(last)).status).toBe(401);
    expect((await enter(code)).body.reason).toBe('expired');
  });

  it('a duration never reaches beyond the end that was set', async () => {
    const { token: code, id } = await add({ valid_duration: 30, valid_till: iso(10 * MINUTE) });
    const end = iso(10 * MINUTE);
    await enter(code);
    expect((await client.accessTokens.read({ params: { id } })).valid_till).toBe(end);
  });

  it.each(['-14:00', '+14:00', '+01:00', 'Z'])('security 21: opens and ends to the second, at %s', async (offset) => {
    const shift = offset === 'Z' ? 0 : Number(`${offset[0]}1`) * Number(offset.slice(1, 3)) * 60 * MINUTE;
    const at = (milliseconds: number) => iso(milliseconds + shift).replace('Z', offset);
    const { token: code } = await add({ valid_from: at(10 * SECOND), valid_till: at(20 * SECOND) });
    const outcome = async () => (await enter(code)).body.reason ?? 'open';
    const seen: string[] = [];
    let visit = '';
    for (const step of [9, 1, 1, 8, 1, 1]) {
      api.clock.advance(step * SECOND);
      seen.push(await outcome());
      if (step === 8) visit = (await enter(code)).body.token;
    }
    expect(seen).toEqual(['not_yet_valid', 'open', 'open', 'open', 'expired', 'expired']);
    expect((await look(visit)).status).toBe(401);
  });

  it('security 22: a visit ends with its code: removed, shortened, moved, put off, or after three days', async () => {
    const visit = async (body = {}) => {
      const made = await add(body);
      const { token } = (await enter(made.token)).body;
      expect((await look(token)).status).toBe(200);
      return { id: made.id, token: token as string };
    };
    const removed = await visit();
    await client.accessTokens.remove({ params: { id: removed.id } });
    expect((await look(removed.token)).status).toBe(401);
    const other = await client.endpoints.create({
      body: { name: `moved-${count}`, room_id: room, is_protected: true },
    });
    for (const body of [{ valid_till: iso(0) }, { valid_from: iso(1) }, { endpoint_id: other.id }]) {
      const { id, token } = await visit();
      await client.accessTokens.update({ params: { id }, body });
      expect((await look(token)).status, JSON.stringify(body)).toBe(401);
    }
    const long = await visit();
    api.clock.advance(3 * DAY - 1);
    expect((await look(long.token)).status).toBe(200);
    api.clock.advance(1);
    expect((await look(long.token)).status).toBe(401);
    client = await fresh();
    const swept = await visit();
    const { db } = api.services;
    expect(await db.selectFrom('visitor_sessions').select('access_token_id').execute()).toEqual([
      { access_token_id: swept.id },
    ]);
  });
});
