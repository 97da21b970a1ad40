import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { onlyPolicies } from '../../../harness/admin-page.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { picture } from '../../../harness/media-requests.ts';

const image = (file_id: number, name: string, position_x: number) => ({
  file_id,
  name,
  width: 2,
  height: 1,
  position_x,
  position_y: 0,
  position_z: 0,
  rotation_y: 0,
});
const all = { view_any: true, create: true, update: true, delete: true };

describe.each(databases)('a structure with the space that it shows, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const counts = async () => [
    (await client.rooms.list()).meta.total,
    (await client.templates.list()).meta.total,
    (await client.accessTokens.list()).meta.total,
    (await client.endpoints.list()).length,
  ];

  it('is added with its template, elements and access tokens in one call', async () => {
    const file = await client.media.upload({ body: {}, files: { file: new File([picture().content], 'pixel.png') } });
    const template = await client.templates.create({
      body: { name: 'Walls', width: 1234, config: { camera: { fov: 60 } } },
    });
    const view = { position: { x: 1, y: 2, z: 3 }, angle: { x: 4, y: 5, z: 6 } };
    const made = await client.endpoints.createWithRoom({
      body: {
        endpoint: {
          name: 'Night',
          is_protected: true,
          start_time: '19:55',
          start_time_utc_offset: -60,
          access_token_duration: 30,
        },
        room: { title: 'Night', template_id: template.id, ...view },
        images: [image(file.id, 'First', 10), image(file.id, 'Second', 20)],
        tokens: { count: 3, length: 8 },
      },
    });
    expect(made.endpoint).toMatchObject({ path: '/night', room_id: made.room_id, access_tokens_count: 3 });
    expect(made.tokens).toHaveLength(3);
    const room = await client.rooms.read({ params: { id: made.room_id } });
    expect(room).toMatchObject({ width: 1234, template: { name: 'Walls' }, config: { camera: { fov: 60, ...view } } });
    expect(room.elements.map(({ name, position_x }) => [name, position_x])).toEqual([
      ['First', 10],
      ['Second', 20],
    ]);
    const { data } = await client.accessTokens.list({ query: { endpoint_id: made.endpoint.id } });
    expect(data.map(({ token, valid_duration }) => [made.tokens.includes(token), valid_duration])).toEqual(
      Array(3).fill([true, 30]),
    );
  });

  it('is refused as a whole: nothing of it is left', async () => {
    await client.endpoints.createWithRoom({ body: { endpoint: { name: 'Taken' }, room: { title: 'Taken' } } });
    const before = await counts();
    const attempt = (body: Parameters<typeof client.endpoints.createWithRoom>[0]['body']) =>
      refused(client.endpoints.createWithRoom({ body }));
    const never = { endpoint: { name: 'Never' }, room: { title: 'Never' } };
    const twin = await attempt({ ...never, endpoint: { name: 'Taken' } });
    expect(Object.keys(twin.msg)).toEqual(['slug']);
    await attempt({ ...never, template: { model_type: 'pano', file_id: 999_999 } });
    await attempt({ ...never, images: [image(999_999, 'Nothing', 0)] });
    await attempt({
      ...never,
      endpoint: { name: 'Never', parent_endpoint_id: 999_999 },
      tokens: { count: 2, length: 9 },
    });
    expect(await counts()).toEqual(before);
  });

  it('needs the right to add each thing that is in it', async () => {
    const user = await api.addUser(api.one, onlyPolicies({ endpoints: all, rooms: all }));
    const own = api.client(user);
    const body = { endpoint: { name: 'Own' }, room: { title: 'Own' } };
    await own.endpoints.createWithRoom({ body });
    const other = { ...body, endpoint: { name: 'Other' } };
    expect(
      (
        await refused(
          own.endpoints.createWithRoom({ body: { ...other, template: { model_type: 'model', file_id: 1 } } }),
        )
      ).status,
    ).toBe(403);
    const tokens = { count: 1, length: 10 };
    expect((await refused(own.endpoints.createWithRoom({ body: { ...other, tokens } }))).status).toBe(403);
  });

  it('is added by the form of a structure with the title of a new space: both, or neither', async () => {
    const before = await counts();
    const body = { name: 'Both', new_room_title: 'Both' };
    const made = await client.endpoints.create({ body });
    expect(made.room?.title).toBe('Both');
    const twin = await refused(client.endpoints.create({ body }));
    expect(Object.keys(twin.msg)).toEqual(['slug']);
    expect(Object.keys((await refused(client.endpoints.create({ body: { name: 'None' } }))).msg)).toEqual(['room_id']);
    expect(await counts()).toEqual([before[0]! + 1, before[1], before[2], before[3]! + 1]);
  });
});

describe.each(databases)('the list of spaces on %s', (kind) => {
  it('says what shows a space, who changed it last, and comes in the order that is asked for', async () => {
    const api = await ApiApp.start(kind);
    const client = api.client();
    const names = async (query: NonNullable<Parameters<typeof client.rooms.list>[0]>['query']) =>
      (await client.rooms.list({ query })).data.map(({ title }) => title);
    const template = await client.templates.create({ body: { name: 'T' } });
    const rooms: Record<string, number> = {};
    for (const title of ['Beta', 'Alpha', 'Gamma']) {
      api.clock.advance(60_000);
      rooms[title] = (
        await client.rooms.create({ body: { title, ...(title === 'Beta' && { template_id: template.id }) } })
      ).id;
    }
    api.clock.advance(60_000);
    await client.rooms.addElement({ params: { id: rooms.Beta! }, body: { element: 'group' } });
    const { id } = await client.endpoints.create({ body: { name: 'Way', room_id: rooms.Alpha! } });
    const all = ['Alpha', 'Beta', 'Gamma'];
    const mine = (titles: string[]) => titles.filter((title) => all.includes(title));
    expect(mine(await names({ per_page: 100 }))).toEqual(all);
    expect(mine(await names({ per_page: 100, sort: '-name' }))).toEqual(all.toReversed());
    expect(mine(await names({ per_page: 100, sort: '-edited' }))).toEqual(['Beta', 'Gamma', 'Alpha']);
    expect(mine(await names({ per_page: 100, used: '1' }))).toEqual(['Alpha']);
    expect(mine(await names({ per_page: 100, used: '0' }))).toEqual(['Beta', 'Gamma']);
    expect(mine(await names({ per_page: 100, template_id: template.id }))).toEqual(['Beta']);
    const rows = (await client.rooms.list({ query: { per_page: 100 } })).data;
    const { name } = await client.users.active();
    expect(rows.find(({ title }) => title === 'Alpha')).toMatchObject({ used_in: [{ id, name: 'Way' }] });
    expect(rows.find(({ title }) => title === 'Beta')).toMatchObject({ used_in: [], edited_by: name });
    // Spaces that were only created have an author, too.
    expect(rows.find(({ title }) => title === 'Gamma')).toMatchObject({ edited_by: name });
    const { data } = await client.templates.list();
    expect(data.find((row) => row.id === template.id)?.used_in).toEqual([{ id: rooms.Beta, name: 'Beta' }]);
    await api.close();
  });
});
