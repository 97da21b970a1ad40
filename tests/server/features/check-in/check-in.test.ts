import { pbkdf2Sync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { API_PREFIX } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('check-in on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let endpoint: number;
  let link: { id: number; token: string };
  let door: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    const { id: room_id } = await client.rooms.create({ body: { title: 'Hall' } });
    const body = { name: 'Gala', slug: `gala-${++count}`, room_id, is_protected: true };
    endpoint = (await client.endpoints.create({ body })).id;
    link = await client.checkIn.create({ params: { id: endpoint }, body: { name: 'Front door' } });
    door = api.client({ token: link.token });
  });

  const add = (body: object = {}) => client.accessTokens.create({ body: { endpoint_id: endpoint, ...body } });
  const iso = (milliseconds: number) => new Date(api.clock.now() + milliseconds).toISOString();

  it('succeeds once of many phones at the same moment, and can be undone by its time only', async () => {
    const { id } = await add({ holder_name: 'Ann', group: 'Press', note: 'Ramp' });
    const phones = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        door.checkIn.checkIn({ params: { id }, body: { at: iso(-1000 * (index + 1)) } }),
      ),
    );
    expect(phones.filter(({ is_changed }) => is_changed)).toHaveLength(1);
    const times = new Set(phones.map(({ guest }) => guest.checked_in_at));
    expect(times.size).toBe(1);
    const [checked_in_at] = [...times] as [string];
    const late = { params: { id }, body: { checked_in_at: iso(-60_000) } };
    expect(await door.checkIn.undo(late)).toMatchObject({ is_changed: false, guest: { checked_in_at } });
    expect(await client.checkIn.links({ params: { id: endpoint } })).toMatchObject({ checked_in: 1, total: 1 });
    const csv = await client.accessTokens.export({ query: { endpoint_id: endpoint } });
    expect(csv).toContain(`"${checked_in_at}"`);
    const range = { from: iso(-3_600_000), till: iso(3_600_000), endpoint_id: endpoint };
    expect((await client.statistics.read({ query: range })).check_ins).toBe(1);
    const undo = { params: { id }, body: { checked_in_at } };
    expect(await door.checkIn.undo(undo)).toMatchObject({ is_changed: true, guest: { checked_in_at: null } });
    // Undoing an edit leaves a later check-in alone.
    const job = await client.bulk.start({
      body: { action: 'accessTokens.update', ids: [id], fields: { note: 'VIP' } },
    });
    const read = () => client.bulk.read({ params: { id: job.id } });
    await expect.poll(async () => (await read()).state).toBe('ended');
    expect((await door.checkIn.checkIn({ params: { id }, body: {} })).is_changed).toBe(true);
    const [entry] = (await read()).restorable;
    await client.history.restore({ params: { id: entry! } });
    const after = await client.accessTokens.read({ params: { id } });
    expect(after).toMatchObject({ note: 'Ramp', checked_in_at: iso(0) });
  });

  it('says why a token does not let its holder in', async () => {
    await add({ token: 'good', note: 'Ramp' });
    await add({ token: 'early', valid_from: iso(3_600_000) });
    const { id: ended } = await add({ token: 'late', valid_till: iso(-1000) });
    const { id: room_id } = await client.rooms.create({ body: { title: 'Else' } });
    const other = await client.endpoints.create({ body: { name: 'Else', room_id, is_protected: true } });
    const { id: foreign } = await client.accessTokens.create({ body: { endpoint_id: other.id, token: 'elsewhere' } });
    const states = [];
    for (const token of [' good ', 'early', 'late', 'elsewhere', 'nothing'])
      states.push((await door.checkIn.find({ body: { token } })).state);
    expect(states).toEqual(['valid', 'not_yet_valid', 'expired', 'other_structure', 'unknown']);
    expect(await door.checkIn.find({ body: { token: 'good' } })).toMatchObject({ note: 'Ramp' });
    expect((await refused(door.checkIn.checkIn({ params: { id: ended }, body: {} }))).code).toBe('invalid');
    // It was valid when the phone without a connection checked it in.
    const earlier = { params: { id: ended }, body: { at: iso(-2000) } };
    expect((await door.checkIn.checkIn(earlier)).is_changed).toBe(true);
    expect((await refused(door.checkIn.checkIn({ params: { id: foreign }, body: {} }))).code).toBe('not_found');
  });

  it('lists guests by slow keys of the link, only if something has changed, without tokens and addresses', async () => {
    await add({ token: 'secret-1', holder_name: 'Ann', holder_email: 'ann@example.com', note: 'Ramp' });
    const derived = () => expect.poll(async () => (await door.checkIn.guests()).guests[0]!.key);
    await derived().not.toBeNull();
    const list = await door.checkIn.guests();
    const { salt, iterations } = list;
    expect(iterations).toBeGreaterThanOrEqual(100_000);
    const key = (token: string) => pbkdf2Sync(token, salt, iterations, 16, 'sha256').toString('hex');
    expect(list).toMatchObject({ structure: 'Gala', link: 'Front door', checked_in: 0, total: 1 });
    expect(list.guests).toMatchObject([{ key: key('secret-1'), guest: { holder_name: 'Ann' } }]);
    for (const hidden of ['secret-1', 'ann@example.com', 'Ramp']) expect(JSON.stringify(list)).not.toContain(hidden);
    const read = (headers = {}) => api.send('GET', `${API_PREFIX}/check-in`, { token: link.token, headers });
    const etag = (await read()).headers.get('etag')!;
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
    await add({ token: 'secret-2' });
    await derived().toBe(key('secret-2'));
    expect((await read({ 'if-none-match': etag })).status).toBe(200);
    const other = await client.checkIn.create({ params: { id: endpoint }, body: { name: 'Back door' } });
    expect((await api.client({ token: other.token }).checkIn.guests()).salt).not.toBe(salt);
  });

  it('judges a check-in with a connection by its own clock, and recognizes retries', async () => {
    const { id } = await add({ valid_till: iso(-1000) });
    const checkIn = (at: string, is_late: boolean) => door.checkIn.checkIn({ params: { id }, body: { at, is_late } });
    expect((await refused(checkIn(iso(-2000), false))).code).toBe('invalid');
    await client.accessTokens.update({ params: { id }, body: { valid_till: null } });
    const at = iso(-2000);
    expect(await checkIn(at, false)).toMatchObject({ is_changed: true, guest: { checked_in_at: at } });
    api.clock.advance(60_000);
    expect(await checkIn(at, true)).toMatchObject({ is_changed: false, guest: { checked_in_at: at } });
    await door.checkIn.undo({ params: { id }, body: { checked_in_at: at } });
    // A wrong clock of a phone doesn't move it.
    const past = await checkIn(iso(-3_600_000), false);
    expect(past.guest.checked_in_at! > iso(-60_000)).toBe(true);
    await door.checkIn.undo({ params: { id }, body: { checked_in_at: past.guest.checked_in_at! } });
    expect((await checkIn(iso(3_600_000), false)).guest.checked_in_at).toBe(iso(0));
  });

  it('ends when its link is revoked or expires, and belongs to its organization', async () => {
    expect(await api.dump()).not.toContain(link.token);
    const theirs = api.client(api.two.admin);
    expect((await refused(theirs.checkIn.links({ params: { id: endpoint } }))).code).toBe('not_found');
    expect((await refused(theirs.checkIn.remove({ params: { id: link.id } }))).code).toBe('not_found');
    const past = { params: { id: endpoint }, body: { name: 'Late', expires_at: iso(-1) } };
    expect((await refused(client.checkIn.create(past))).code).toBe('invalid');
    await client.checkIn.remove({ params: { id: link.id } });
    expect((await refused(door.checkIn.guests())).code).toBe('not_found');
    const short = await client.checkIn.create({
      params: { id: endpoint },
      body: { name: 'Short', expires_at: iso(1000) },
    });
    const brief = api.client({ token: short.token });
    await brief.checkIn.guests();
    api.clock.advance(1000);
    expect((await refused(brief.checkIn.guests())).code).toBe('not_found');
    const events = (await client.audit.list({ query: {} })).data.map(({ event, subject }) => `${event} ${subject}`);
    expect(events).toEqual(
      expect.arrayContaining(['check_in_link_created Front door', 'check_in_link_revoked Front door']),
    );
    const guesses = Array.from({ length: 30 }, () => refused(api.client({ token: 'x'.repeat(43) }).checkIn.guests()));
    expect((await Promise.all(guesses)).map(({ code }) => code)).toContain('too_many');
    // They lock out no working link of the same network.
    const next = await client.checkIn.create({ params: { id: endpoint }, body: { name: 'Next' } });
    expect(await api.client({ token: next.token }).checkIn.guests()).toMatchObject({ link: 'Next' });
  });
});
