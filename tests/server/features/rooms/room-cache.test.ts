import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { openDatabase } from '../../../../src/server/core/db/database.ts';
import { findRoom } from '../../../../src/server/features/rooms/queries.ts';
import { readRoom } from '../../../../src/server/features/rooms/read-room.ts';
import { publicRoom } from '../../../../src/server/features/rooms/rows.ts';
import { ApiApp, databases, type TestUser } from '../../../harness/api-app.ts';

/** The smallest picture that is as wide as a 360° photo. */
const PIXELS = new Blob([
  new Uint8Array(
    await sharp({ create: { width: 2, height: 1, channels: 3, background: '#B7822F' } })
      .png()
      .toBuffer(),
  ),
]);

describe.each(databases)('rooms that are kept in memory on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let template: number;
  let group: number;
  let picture: number;
  let image: number;
  let endpoint: number;
  let slug: string;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  beforeEach(async () => {
    picture = (await client.media.upload({ body: {}, files: { file: new File([PIXELS], `pixel-${++count}.png`) } })).id;
    template = (await client.templates.create({ body: { name: 'T', model_type: 'pano', file_id: picture } })).id;
    room = (await client.rooms.create({ body: { title: 'Hall', template_id: template } })).id;
    const add = (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      client.rooms.addElement({ params: { id: room }, body });
    group = (await add({ element: 'group', name: 'First' })).id;
    image = (await add({ element: 'image', name: 'Second', file_id: picture })).id;
    const made = await client.endpoints.create({ body: { name: `Hall ${count}`, room_id: room } });
    endpoint = made.id;
    slug = made.slug;
  });
  afterAll(() => api.close());

  const admin = (headers = {}, user: TestUser = api.one.admin) =>
    api.call(calls.rooms.read, { id: room }, { token: user.token, headers });
  const visitor = (headers = {}) => api.send('GET', `/api/v1/endpoints/${slug}`, { headers });

  /** Runs a change; both readings must differ from before, and say what is stored. */
  const changes = async (change: () => Promise<unknown>, isPublic = true) => {
    const before = [await admin(), await visitor()] as const;
    await change();
    const after = [await admin(), await visitor()] as const;
    expect(after[0].text).not.toBe(before[0].text);
    expect(after[0].headers.get('etag')).not.toBe(before[0].headers.get('etag'));
    if (isPublic) expect(after[1].text).not.toBe(before[1].text);
    const stored = await readRoom(api.services.db, (await findRoom(api.services.db, api.one.id, room))!);
    expect(after[0].body.data).toMatchObject(JSON.parse(JSON.stringify(stored)));
    expect(after[1].body.data.room).toMatchObject(JSON.parse(JSON.stringify(publicRoom(stored).room)));
  };

  it('every write that touches a room is read at once, by the back-office and by visitors', async () => {
    const { rooms, elements, templates, media, endpoints } = client;
    const params = { id: group };
    let copy = 0;
    const writes: [string, () => Promise<unknown>, boolean?][] = [
      ['rooms.update', () => rooms.update({ params: { id: room }, body: { title: 'Other' } })],
      ['rooms.addElement', () => rooms.addElement({ params: { id: room }, body: { element: 'group', name: 'Third' } })],
      ['elements.update', () => elements.update({ params, body: { name: 'Changed' } })],
      ['elements.position', () => elements.position({ params, body: { position_x: 7 } })],
      ['elements.reorder', () => elements.reorder({ body: { sort: [image, group] } })],
      ['elements.copy', async () => (copy = (await elements.copy({ params })).id)],
      ['elements.hide', () => elements.hide({ params: { id: group, hidden: '1' } })],
      ['elements.update hidden', () => elements.update({ params, body: { name: 'In the dark' } }), false],
      ['elements.hide off', () => elements.hide({ params: { id: group, hidden: '0' } })],
      ['elements.remove', () => elements.remove({ params: { id: copy } })],
      ['templates.update', () => templates.update({ params: { id: template }, body: { width: 123 } })],
      ['templates.update name', () => templates.update({ params: { id: template }, body: { name: 'Inner' } }), false],
      ['rooms.update template', () => rooms.update({ params: { id: room }, body: { template_id: null } })],
      ['rooms.update template back', () => rooms.update({ params: { id: room }, body: { template_id: template } })],
      ['media.remove', () => media.remove({ params: { id: picture }, query: { force: '1' } })],
    ];
    for (const [name, write, isPublic] of writes)
      await changes(write, isPublic).catch((error) => {
        throw new Error(`${name}: ${error.message}`);
      });
    for (const body of [
      { name: 'Renamed' },
      { is_timed: true },
      { start_time: '10:00' },
      { room_id: (await rooms.create({ body: { title: 'Elsewhere' } })).id },
    ]) {
      const before = await visitor();
      await endpoints.update({ params: { id: endpoint }, body });
      const after = await visitor();
      expect(after.text).not.toBe(before.text);
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    }
    expect((await visitor()).body.data.room.title).toBe('Elsewhere');
    await endpoints.update({ params: { id: endpoint }, body: { room_id: room } });
    await rooms.remove({ params: { id: room } });
    expect((await admin()).status).toBe(404);
    expect((await visitor()).body.data.room).toBeNull();
    await endpoints.update({ params: { id: endpoint }, body: { is_visible: false } });
    expect((await visitor()).status).toBe(404);
  });

  it('says the same as a server that reads it for the first time', async () => {
    await admin();
    await visitor();
    await client.elements.update({ params: { id: group }, body: { name: 'Ünïcode 🙂 "quoted"' } });
    const kept = [(await admin()).body, (await visitor()).body];
    await api.restart();
    client = api.client();
    expect([(await admin()).body, (await visitor()).body]).toEqual(kept);
  });

  it('gives the clock of each request, and 304 to whoever has the rest already', async () => {
    const first = await admin();
    api.clock.advance(1500);
    const second = await admin();
    expect(second.body.data.timestamp_current - first.body.data.timestamp_current).toBe(1.5);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w.-]+"$/);
    for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const path = `/api/v1/backend/rooms/${room}`;
      const { status, text, headers } = await api.send('GET', path, {
        token: api.one.admin.token,
        headers: { 'if-none-match': sent },
      });
      expect([status, text, headers.get('etag'), headers.get('cache-control')]).toEqual([304, '', etag, 'no-store']);
    }
    expect((await admin({ 'if-none-match': '"x"' })).status).toBe(200);
    const seen = await visitor();
    const moment = await visitor();
    expect(moment.body.data.current_time).toBe(api.clock.now() / 1000);
    expect((await visitor({ 'if-none-match': seen.headers.get('etag')! })).status).toBe(304);
    const head = await fetch(`${api.origin}/api/v1/endpoints/${slug}`, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', seen.headers.get('etag')]);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(seen.text)));
  });

  it('tells each user their own rights, and other organizations nothing', async () => {
    const all = await admin();
    const reader = await api.addUser(api.one, {
      rooms: { view_any: true, create: false, update: false, delete: false },
    });
    const own = await admin({}, reader);
    expect(own.body.data.policies).toEqual({ update: false, delete: false });
    expect(own.headers.get('etag')).not.toBe(all.headers.get('etag'));
    expect((await admin({}, api.two.admin)).status).toBe(404);
    expect((await admin({ 'if-none-match': all.headers.get('etag')! }, api.two.admin)).status).toBe(404);
    const foreign = await api.app.inject({
      url: `/api/v1/endpoints/${slug}`,
      headers: { host: api.two.host!, 'if-none-match': '*' },
    });
    expect(foreign.statusCode).toBe(404);
  });

  it('security 17: a protected room that is kept stays closed', async () => {
    const { etag } = Object.fromEntries((await visitor()).headers);
    await client.endpoints.update({ params: { id: endpoint }, body: { is_protected: true } });
    for (const headers of [{}, { 'if-none-match': etag! }, { 'if-none-match': '*' }]) {
      const { status, text } = await visitor(headers);
      expect(status).toBe(400);
      expect(text).not.toMatch(/hall|first|second/i);
    }
  });

  it('many readers and writers at once end with what was written last', async () => {
    const body = (name: string) => ({ params: { id: group }, body: { name } });
    for (let round = 0; round < 20; round++) {
      const name = `Round ${round}`;
      await Promise.all([admin(), visitor(), client.elements.update(body(name)), admin(), visitor(), admin()]);
      expect((await admin()).text).toContain(`"${name}"`);
      expect((await visitor()).text).toContain(`"${name}"`);
    }
  });

  it('what another process writes is read at once; who may not any more, within two seconds', async () => {
    const { token, id } = await api.addUser(api.one, {
      rooms: { view_any: true, create: false, update: false, delete: false },
    });
    const read = () => api.call(calls.rooms.read, { id: room }, { token });
    expect((await read()).status).toBe(200);
    const { settings } = api.services;
    const other = openDatabase({ url: settings.DATABASE_URL, folder: settings.DATA_DIR });
    try {
      await other
        .updateTable('rooms')
        .set({ title: 'From afar', revision: 1_000_000 })
        .where('id', '=', room)
        .execute();
      expect((await read()).body.data.title).toBe('From afar');
      await other.updateTable('users').set({ is_active: 0 }).where('id', '=', id).execute();
      api.clock.advance(2000);
      expect((await read()).status).toBe(401);
    } finally {
      await other.destroy();
    }
  });

  it('security 4: what this process writes about a sign-in counts at once, also while others ask', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await api.addUser(api.one, {
        rooms: { view_any: true, create: false, update: false, delete: false },
      });
      const read = () => api.call(calls.rooms.read, { id: room }, { token: user.token });
      await Promise.all([read(), read()]);
      const asking = [read(), read(), read()];
      await api.services.db.deleteFrom('sessions').where('user_id', '=', user.id).execute();
      expect((await read()).status).toBe(401);
      await Promise.all(asking);
      expect((await read()).status).toBe(401);
    }
  });
});
