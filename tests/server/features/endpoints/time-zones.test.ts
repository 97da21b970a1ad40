import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseRoom } from '../../../../engine/document/room.ts';
import { createEditableScene } from '../../../../engine/scene/editable-scene.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { PLAIN_POSE } from '../../../harness/scene-player.ts';

const AMSTERDAM = 'Europe/Amsterdam';
const SUMMER = Date.parse('2026-07-01T12:00Z');
const WINTER = Date.parse('2026-12-01T12:00Z');

describe.each(databases)('time zones on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  /** Moves the clock; sessions end with it. */
  const moveTo = async (instant: number) => {
    api.clock.advance(instant - api.clock.now());
    client = api.client({ token: await api.signIn(api.one.admin) });
  };
  beforeEach(async () => {
    await moveTo(SUMMER);
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.organizations.update({ body: { time_zone: null } });
  });

  const add = (body: Partial<Parameters<Client['endpoints']['create']>[0]['body']>) =>
    client.endpoints.create({ body: { name: 'Show', slug: `s-${room}`, room_id: room, start_time: '20:00', ...body } });
  type Edit = Parameters<Client['endpoints']['update']>[0]['body'];
  const edit = async (id: number, body: Edit) => {
    const { time_zone, start_time_utc_offset } = await client.endpoints.update({ params: { id }, body });
    return [time_zone, start_time_utc_offset];
  };

  it('gives a structure the offset of its next start, in summer and in winter', async () => {
    const { id, start_time_utc_offset } = await add({ time_zone: AMSTERDAM });
    expect(start_time_utc_offset).toBe(-120);
    await moveTo(WINTER);
    expect((await client.endpoints.read({ params: { id } })).start_time_utc_offset).toBe(-60);
  });

  it('keeps zone and time when something else is saved, whoever saves it', async () => {
    const { id } = await add({ time_zone: AMSTERDAM });
    expect(await edit(id, { name: 'Other' })).toEqual([AMSTERDAM, -120]);
  });

  it.each<[string, Edit, (string | number | null)[]]>([
    ['keeps the zone for an offset of its summer', { start_time_utc_offset: -120 }, [AMSTERDAM, -120]],
    ['keeps the zone for an offset of its winter', { start_time_utc_offset: -60 }, [AMSTERDAM, -120]],
    ['becomes fixed for another offset', { start_time_utc_offset: 240 }, [null, 240]],
    ['follows another zone', { time_zone: 'America/New_York' }, ['America/New_York', 240]],
    [
      'prefers a zone to an offset',
      { time_zone: 'America/New_York', start_time_utc_offset: 0 },
      ['America/New_York', 240],
    ],
    ['stays at its present offset without the zone', { time_zone: null }, [null, -120]],
    ['loses both with its time', { start_time: null }, [null, null]],
  ])('of a structure %s', async (_, body, expected) => {
    const { id } = await add({ time_zone: AMSTERDAM });
    expect(await edit(id, body)).toEqual(expected);
  });

  it('refuses what is no zone', async () => {
    expect(await refused(add({ time_zone: 'Europe/Nowhere' }))).toMatchObject({ status: 422 });
  });

  it('opens a countdown at the same local time after the clocks changed', async () => {
    const { slug } = await add({ time_zone: AMSTERDAM, is_timed: true, show_countdown: true });
    const opens = async () => {
      const { opens_at } = await client.visit.one({ params: { slugOne: slug } });
      return opens_at && new Date(opens_at * 1000).toISOString();
    };
    expect(await opens()).toBe('2026-07-01T18:00:00.000Z');
    await moveTo(WINTER);
    expect(await opens()).toBe('2026-12-01T19:00:00.000Z');
  });

  it('are the same for the API, the page as text and a simulation', async () => {
    const element = {
      element: 'text' as const,
      name: 'Act',
      time_zone: 'America/New_York',
      start_time: '20:00',
      end_time: '21:00',
    };
    await client.rooms.addElement({ params: { id: room }, body: element });
    const { slug } = await add({ time_zone: 'America/New_York', is_timed: true, show_countdown: true });
    for (const [moment, opens, name] of [
      [SUMMER, '2026-07-02T00:00:00.000Z', 'Eastern Daylight Time'],
      [WINTER, '2026-12-02T01:00:00.000Z', 'Eastern Standard Time'],
    ] as const) {
      await moveTo(moment);
      const { opens_at } = await client.visit.one({ params: { slugOne: slug } });
      expect(new Date(opens_at! * 1000).toISOString()).toBe(opens);
      const page = await api.app.inject({ url: `/${slug}?text` });
      expect(page.body).toContain(`<time datetime="${opens}">20:00 ${name}</time>`);
      const document = parseRoom(await client.rooms.read({ params: { id: room } }));
      const epoch = Math.floor(moment / 86_400_000) * 86_400;
      const scene = createEditableScene(document, { epoch });
      const isShown = (instant: number) => {
        scene.tick({ time: instant / 1000 - epoch, camera: PLAIN_POSE });
        return scene.state().elements[document.elements[0]!.id]?.visible;
      };
      const start = Date.parse(opens);
      expect([isShown(start - 1000), isShown(start), isShown(start + 3_599_000), isShown(start + 3_600_000)]).toEqual([
        false,
        true,
        true,
        false,
      ]);
    }
  });

  it('of the organization is given to new times, and once to the existing ones that it fits', async () => {
    const fits = await add({ slug: `fits-${room}`, start_time_utc_offset: -60 });
    const other = await add({ slug: `other-${room}`, start_time_utc_offset: 240 });
    const element = await client.rooms.addElement({
      params: { id: room },
      body: { element: 'image', start_time: '10:00', utc_offset: -120 },
    });
    await client.organizations.update({ body: { time_zone: AMSTERDAM } });
    const read = async (id: number) => {
      const { time_zone, start_time_utc_offset } = await client.endpoints.read({ params: { id } });
      return [time_zone, start_time_utc_offset];
    };
    expect(await read(fits.id)).toEqual([AMSTERDAM, -120]);
    expect(await read(other.id)).toEqual([null, 240]);
    expect((await add({ slug: `new-${room}` })).time_zone).toBe(AMSTERDAM);
    expect(await client.elements.read({ params: { id: element.id } })).toMatchObject({
      time_zone: AMSTERDAM,
      utc_offset: -120,
    });
    await moveTo(WINTER);
    const { elements } = await client.rooms.read({ params: { id: room } });
    expect(elements[0]).toMatchObject({ time_zone: AMSTERDAM, utc_offset: -60 });
  });
});
