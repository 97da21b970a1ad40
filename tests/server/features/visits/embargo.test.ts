import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** What nobody may read before the room opens. */
const SECRET = 'The winner is Ada';

describe.each(databases)('a room behind a countdown on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let feed: number;
  let made = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    feed = (await client.feeds.create({ body: { name: 'Wall', type: 'local' } })).id;
    const hall = await client.rooms.create({
      body: { title: SECRET, description: `<p>${SECRET}</p>`, config: { duration: 2 * 3600 } },
    });
    room = hall.id;
    const add = (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      client.rooms.addElement({ params: { id: room }, body });
    await add({ element: 'text', config: { text: SECRET } });
    await add({ element: 'group', config: { feed_enabled: true, feed_id: feed } });
  });
  afterAll(() => api.close());

  /** Publishes the room with a countdown to a moment of the day, in UTC. Sessions end as the clock moves on. */
  const publish = async (fields: Partial<Parameters<Client['endpoints']['create']>[0]['body']> = {}) => {
    client = api.client({ token: await api.signIn(api.one.admin) });
    return client.endpoints.create({
      body: {
        name: `Show ${++made}`,
        room_id: room,
        is_timed: true,
        show_countdown: true,
        start_time: '20:00',
        start_time_utc_offset: 0,
        ...fields,
      },
    });
  };
  /** Moves the clock on to the next time that it is this hour and minute, in UTC. */
  const moveTo = (hours: number, minutes = 0, milliseconds = 0) => {
    const now = new Date(api.clock.now());
    const next = new Date(now).setUTCHours(hours, minutes, 0, milliseconds);
    api.clock.advance(next >= now.getTime() ? next - now.getTime() : next + 24 * HOUR - now.getTime());
  };
  const look = async (slug: string, token: string | null = null) =>
    (await api.call(calls.visit.one, { slugOne: slug }, { token })).body;
  const opens = (at: number) => new Date(at * 1000).toISOString().slice(11);

  it('opens on its date, once, at its time in its zone', async () => {
    moveTo(12);
    const day = new Date(api.clock.now() + 3 * 24 * HOUR).toISOString().slice(0, 10);
    const start = { start_date: day, start_time: '20:00', start_time_utc_offset: undefined, time_zone: 'Asia/Tokyo' };
    const { id, slug } = await publish(start);
    const opensAt = Date.parse(`${day}T20:00+09:00`);
    expect((await look(slug)).data).toMatchObject({ start_date: day, opens_at: opensAt / 1000, room: null });
    api.clock.advance(opensAt - api.clock.now() - 1000);
    expect((await look(slug)).data.room).toBeNull();
    api.clock.advance(1000);
    expect((await look(slug)).data).toMatchObject({ opens_at: null, room: { title: SECRET } });
    // The next day it stays open, where a daily start would close it.
    moveTo(1);
    expect((await look(slug)).data.room).not.toBeNull();
    client = api.client({ token: await api.signIn(api.one.admin) });
    const params = { id };
    await expect(client.endpoints.update({ params, body: { start_date: '2027-02-30' } })).rejects.toThrow();
    await client.endpoints.update({ params, body: { start_time: null } });
    expect(await client.endpoints.read({ params })).toMatchObject({ start_time: null, start_date: null });
    await client.endpoints.remove({ params });
  });

  it('is given to nobody before it opens: not by the API, the page, its text, or its feeds', async () => {
    moveTo(12);
    const { slug } = await publish();
    const { data } = await look(slug);
    expect(data).toMatchObject({ name: `Show ${made}`, room: null, start_time: '20:00' });
    expect(opens(data.opens_at)).toBe('20:00:00.000Z');
    const answers = await Promise.all([
      api.call(calls.visit.one, { slugOne: slug }),
      api.call(calls.visit.enterOne, { slugOne: slug }, { body: { access_token: null } }),
      api.send('GET', `/${slug}`),
      api.send('GET', `/embed/${slug}?autoload=1`),
      api.send('GET', `/${slug}?text`),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain(SECRET);
    }
    expect((await api.call(calls.visit.feedItems, { id: feed })).status).toBe(404);
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'Kim', message: 'Early', feed_id: String(feed) }))
      form.append(name, value);
    expect((await api.call(calls.visit.share, {}, { form })).status).toBe(404);
  });

  it('is given from the very moment at which it opens', async () => {
    moveTo(19, 59);
    const { slug } = await publish();
    moveTo(19, 59, 59_999);
    expect((await look(slug)).data).toMatchObject({ room: null });
    expect((await api.send('GET', `/${slug}`)).text).not.toContain(SECRET);
    api.clock.advance(1);
    expect((await look(slug)).data).toMatchObject({ opens_at: null, room: { title: SECRET } });
    expect((await api.send('GET', `/${slug}`)).text).toContain(SECRET);
    expect((await api.send('GET', `/${slug}?text`)).text).toContain(SECRET);
    expect((await api.call(calls.visit.feedItems, { id: feed })).status).toBe(200);
  });

  it('stays open past midnight while its sequence runs, and closes until the next day', async () => {
    moveTo(12);
    const { slug } = await publish({ start_time: '23:00' });
    moveTo(23, 30);
    expect((await look(slug)).data.room).not.toBeNull();
    moveTo(0, 59);
    expect((await look(slug)).data).toMatchObject({ opens_at: null, room: { title: SECRET } });
    moveTo(1);
    expect((await look(slug)).data).toMatchObject({ room: null });
  });

  it('opens by the hour of where it was published', async () => {
    moveTo(12);
    const { slug } = await publish({ start_time: '20:00', start_time_utc_offset: -120 });
    expect(opens((await look(slug)).data.opens_at)).toBe('18:00:00.000Z');
  });

  it('is there at once where no countdown shows, or none has a start', async () => {
    moveTo(12);
    for (const fields of [{ show_countdown: false }, { start_time: null, start_time_utc_offset: null }]) {
      const { slug } = await publish(fields);
      expect((await look(slug)).data).toMatchObject({ opens_at: null, room: { title: SECRET } });
    }
  });

  it('lets who has entered a code wait, and gives the room to that visit when it opens', async () => {
    moveTo(12);
    const { id, slug } = await publish({ is_protected: true });
    const { token: code } = await client.accessTokens.create({ body: { endpoint_id: id } });
    const entered = await api.call(calls.visit.enterOne, { slugOne: slug }, { body: { access_token: code } });
    expect(entered.text).not.toContain(SECRET);
    expect(entered.body.data).toMatchObject({ is_protected: true, room: null });
    expect((await look(slug, entered.body.token)).data.room).toBeNull();
    moveTo(20);
    expect((await look(slug, entered.body.token)).data.room).toMatchObject({ title: SECRET });
    expect((await api.call(calls.visit.one, { slugOne: slug })).status).toBe(400);
  });

  it('counts the minutes of a code from when it opens, for who came earlier', async () => {
    moveTo(12);
    const { id, slug } = await publish({ is_protected: true });
    const body = { endpoint_id: id, valid_duration: 5 };
    const { token: code } = await client.accessTokens.create({ body });
    const entered = await api.call(calls.visit.enterOne, { slugOne: slug }, { body: { access_token: code } });
    const visit: string = entered.body.token;
    const statusAt = async (hours: number, minutes: number, milliseconds: number) => {
      moveTo(hours, minutes, milliseconds);
      return (await api.call(calls.visit.one, { slugOne: slug }, { token: visit })).status;
    };
    expect(await statusAt(19, 59, 0)).toBe(200);
    expect(await statusAt(20, 4, 59_999)).toBe(200);
    expect(await statusAt(20, 5, 0)).toBe(401);
  });
});
