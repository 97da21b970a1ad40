import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatRoom, parseRoom } from '../../../../engine/document/room.ts';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { tourPhoto } from '../../../harness/tour-photos.ts';

describe.each(databases)('visits on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let visitor: Client;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    visitor = api.client({ token: null });
    const template = await client.templates.create({ body: { name: 'Internal name', description: 'Internal notes' } });
    room = (
      await client.rooms.create({
        body: { title: 'Hall', name: 'DRAFT for ACME', description: '<p>Welcome</p>', template_id: template.id },
      })
    ).id;
    const add = (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      client.rooms.addElement({ params: { id: room }, body });
    const shown = await add({ element: 'group', name: 'Shown' });
    const hidden = await add({ element: 'group', name: 'Hidden group', hidden: true });
    await add({ element: 'text', name: 'Below hidden', parent_element_id: hidden.id, config: { text: 'surprise' } });
    await add({ element: 'text', name: 'Below shown', parent_element_id: shown.id, config: { text: 'hello' } });
    await add({ element: 'text', name: 'Hidden text', parent_element_id: shown.id, hidden: true });
    const top = await client.endpoints.create({ body: { name: 'Museum', room_id: room } });
    await client.endpoints.create({ body: { name: 'East', room_id: room, parent_endpoint_id: top.id } });
    const secret = await client.endpoints.create({ body: { name: 'Secret', room_id: room, is_visible: false } });
    await client.endpoints.create({ body: { name: 'Below', room_id: room, parent_endpoint_id: secret.id } });
    await client.endpoints.create({ body: { name: 'Members', room_id: room, is_protected: true } });
    const gone = await client.rooms.create({ body: { title: 'Gone' } });
    await client.endpoints.create({ body: { name: 'Empty', room_id: gone.id } });
    await client.rooms.remove({ params: { id: gone.id } });
  });
  afterAll(() => api.close());

  it('security 14: gives visitors nothing hidden, nothing internal and no secret', async () => {
    const one = await api.call(calls.visit.one, { slugOne: 'museum' });
    const two = await api.call(calls.visit.two, { slugOne: 'museum', slugTwo: 'east' });
    const settings = await api.call(calls.visit.settings);
    const list = await api.call(calls.visit.list);
    for (const { text } of [one, two, settings, list])
      expect(text).not.toMatch(
        /hidden (?:group|text)|below hidden|surprise|draft|internal|secret|policies|updated_at|password|token|email/i,
      );
    expect(one.body.data.room.elements).toMatchObject([{ name: 'Shown', children: [{ name: 'Below shown' }] }]);
    expect(Object.keys(settings.body.data)).toEqual([
      'name',
      'meta_title',
      'meta_description',
      'font_color',
      'logo_url',
      'accent_color',
      'font_url',
      'embed_domains',
      'modules',
      'texts',
      'has_statistics',
      'has_statistics_poses',
      'third_parties',
      'tag_manager_id',
      'statement_url',
      'realtime_api_key',
    ]);
    expect(list.body.data).toMatchObject([
      { slug: 'museum', path: '/museum', is_protected: false, children: [{ path: '/museum/east', children: [] }] },
      { slug: 'members', is_protected: true },
      { slug: 'empty' },
    ]);
    expect(list.body.data).toHaveLength(3);
  });

  it('security 14: gives visitors the files of a room without what the camera recorded', async () => {
    const recorded = { heading: 123, roll: 7, at: [52.1, 4.2], taken: '2026:05:01 12:34:56' } as const;
    const file = await tourPhoto('photo.jpg', recorded);
    const { id: file_id } = await client.media.upload({ body: {}, files: { file } });
    expect(await client.media.read({ params: { id: file_id } })).toMatchObject({ heading: 123, roll: 7 });
    const template = await client.templates.create({ body: { name: 'Photo', model_type: 'pano', file_id } });
    const { id } = await client.rooms.create({ body: { title: 'Photo', template_id: template.id } });
    await client.rooms.addElement({ params: { id }, body: { element: 'image', file_id } });
    await client.rooms.addElement({ params: { id }, body: { element: 'view_point', file_id } });
    await client.endpoints.create({ body: { name: 'Photo', room_id: id } });
    const { room } = await visitor.visit.one({ params: { slugOne: 'photo' } });
    const files = [room!.template!.file, ...room!.elements.map((element) => element.file)];
    expect(files).toHaveLength(3);
    const known = ['id', 'name', 'type', 'url', 'mime', 'width', 'height', 'duration', 'part', 'lights'];
    for (const given of files) expect(Object.keys(given!).filter((key) => !known.includes(key))).toEqual([]);
    const page = await api.send('GET', '/photo');
    expect(page.text).toContain('photo.jpg');
    expect(page.text).not.toMatch(/"heading"|"roll"/);
  });

  it('gives a room that the engine reads, and the clock by which it plays', async () => {
    const endpoint = await visitor.visit.one({ params: { slugOne: 'museum' } });
    expect(endpoint).toMatchObject({ name: 'Museum', path: '/museum', is_timed: false, start_time: null });
    expect(endpoint.current_time * 1000).toBe(api.clock.now());
    const { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, tag, ...document } = endpoint.room!;
    expect(parseRoom(document)).toEqual(flatRoom(document));
    expect(tag).toMatch(/^[\w-]{22}$/);
    expect(timestamp_current * 1000).toBe(api.clock.now());
    expect([timestamp_start_of_day % 86_400, timestamp_end_of_day % 86_400]).toEqual([0, 0]);
  });

  it('finds nothing at hidden, unknown and misspelled addresses', async () => {
    const paths = [
      ['secret'],
      ['secret', 'below'],
      ['museum', 'west'],
      ['nothing'],
      ['Museum'],
      ['museum x'],
      ['east'],
      [''],
    ];
    for (const [slugOne, slugTwo] of paths) {
      const call = slugTwo === undefined ? calls.visit.one : calls.visit.two;
      expect((await api.call(call, { slugOne, slugTwo })).status, `${slugOne} ${slugTwo}`).toBe(404);
    }
  });

  it('security 17: asks for a code at a protected address, and gives nothing of its room', async () => {
    const { status, text } = await api.call(calls.visit.one, { slugOne: 'members' });
    expect(status).toBe(400);
    expect(JSON.parse(text).code).toBe('code_required');
    expect(text).not.toMatch(/hall|members|shown/i);
  });

  it('an address whose space was removed is there, without a room', async () => {
    expect(await visitor.visit.one({ params: { slugOne: 'empty' } })).toMatchObject({ name: 'Empty', room: null });
  });

  it('knows the addresses of the organization whose host was asked only', async () => {
    const { statusCode } = await api.app.inject({
      url: '/api/v1/endpoints/museum',
      headers: { host: api.two.host! },
    });
    expect(statusCode).toBe(404);
    const other = api.client(api.two.admin);
    expect((await refused(other.rooms.read({ params: { id: room } }))).status).toBe(404);
  });

  it('security 16: other spellings of a path open nothing that the plain one keeps closed', async () => {
    const closed = [
      '/api/v1/backend/rooms',
      `/api/v1/backend/rooms/${room}`,
      '/api/v1/endpoints/members',
      '/api/v1/endpoints/secret',
    ];
    const spellings = (path: string) => [
      path.toUpperCase(),
      `${path}/`,
      `/${path}`,
      `${path}//`,
      path.replace('/api', '/api/'),
      path.replace('/v1', '/v1/.'),
      path.replace('/v1', '/x/../v1'),
      path.replaceAll('/', '%2F'),
      path.replace(/\/(\w+)$/, '%2f$1'),
      path.replace('backend', '%62ackend').replace('endpoints', '%65ndpoints'),
      path.replace('v1', 'v%31'),
      `${path}%00`,
      `${path}%20`,
      `${path}.json`,
      `${path};a=b`,
      `${path}?`,
      `${path}#x`,
      `${path}\\`,
      path.replaceAll('/', '\\'),
    ];
    for (const path of closed)
      for (const url of spellings(path)) {
        const { statusCode, body } = await api.app.inject({ url });
        expect([400, 401, 404], `${url} ${statusCode}`).toContain(statusCode);
        expect(body).not.toContain('Shown');
      }
  });
});
