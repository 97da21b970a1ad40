import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { placesOf } from '../../../../engine/document/places.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { onlyPolicies } from '../../../harness/admin-page.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { tourPhoto } from '../../../harness/tour-photos.ts';

const all = { view_any: true, create: true, update: true, delete: true };

describe.each(databases)('spaces merged into a tour, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const read = async (id: number) => parseRoom(await client.rooms.read({ params: { id } }));

  /** A space with a panorama, a door and a group with a text, shown by a structure. */
  const space = async (title: string, { by = client, position = { x: 0, y: 0, z: 0 } } = {}) => {
    const file = await by.media.upload({ body: {}, files: { file: await tourPhoto(`${title}.jpg`) } });
    const template = await by.templates.create({ body: { name: title, model_type: 'pano', file_id: file.id } });
    const camera = { position, angle: { x: position.x + 1000, y: position.y, z: position.z } };
    const room = await by.rooms.create({ body: { title, template_id: template.id, config: { camera } } });
    const endpoint = await by.endpoints.create({ body: { name: title, slug: title.toLowerCase(), room_id: room.id } });
    return { room: room.id, endpoint: endpoint.id, file: file.id };
  };
  const door = (room: number, to: number, arrival?: object | 'keep') =>
    client.rooms.addElement({
      params: { id: room },
      body: {
        element: 'button',
        name: 'Door',
        position_x: 300,
        config: {
          title: 'Go',
          navigation: { type: 'space', type_config: { endpoint: to, ...(arrival && { arrival }) } },
        },
      },
    });

  it('have places, links and elements of their own; their addresses lead to the places, and one undo restores all', async () => {
    const hall = await space('Hall', { position: { x: 100, y: 20, z: 0 } });
    const attic = await space('Attic');
    const outside = await space('Outside');
    await door(hall.room, attic.endpoint, { heading: 45, pitch: 5 });
    await door(hall.room, outside.endpoint);
    await door(attic.room, hall.endpoint, 'keep');
    await client.rooms.addElement({
      params: { id: attic.room },
      body: { element: 'text', name: 'Sign', position_z: -500, config: { text: 'Mind your head' } },
    });
    const before = await client.endpoints.list();
    const body = { name: 'Mill', rooms: [hall.room, attic.room] };
    const plan = await client.tours.merge({ body: { ...body, dry_run: true } });
    expect(plan).toMatchObject({
      job: null,
      address: '/hall',
      redirects: [{ path: '/attic', room_id: attic.room }],
      places: [
        { room_id: hall.room, name: 'Hall', links: [attic.room], elements: 2 },
        { room_id: attic.room, name: 'Attic', links: [hall.room], elements: 2 },
      ],
    });
    expect(await client.endpoints.list()).toEqual(before);
    const made = await client.tours.merge({ body });
    expect({ ...made, job: null, room_id: null }).toEqual({ ...plan, job: null, room_id: null });

    const room = await read(made.room_id!);
    const [first, second] = placesOf(room.elements);
    expect([first!.file_id, second!.file_id]).toEqual([hall.file, attic.file]);
    expect(room.config.start_view_point_id).toBe(first!.id);
    const apart = Math.hypot(first!.position_x - second!.position_x, first!.position_z - second!.position_z);
    expect(apart).toBeCloseTo(4 * 312.5, 0);
    // The first view still looks east.
    expect(first!.config.target_position.x - first!.position_x).toBeCloseTo(1000, 0);
    const at = (place: typeof first) => room.elements.filter(({ visible_at }) => visible_at.includes(place!.id));
    const doors = at(first) as ElementOf<'button'>[];
    expect(doors.map(({ config }) => config.navigation.type)).toEqual(['view_point', 'space']);
    expect(doors[0]!.config.navigation.type_config).toEqual({
      view_point_id: second!.id,
      arrival: { heading: 45, pitch: 5 },
    });
    // 200 units right of the camera, as before.
    expect(doors[0]!.position_x - first!.position_x).toBeCloseTo(200, 0);
    expect(doors[0]!.position_y - first!.position_y).toBeCloseTo(-20, 0);
    const [back, sign] = at(second);
    expect((back as ElementOf<'button'>).config.navigation.type_config).toEqual({
      view_point_id: first!.id,
      arrival: 'keep',
    });
    expect(sign!.position_z - second!.position_z).toBeCloseTo(-500, 0);

    const moved = await fetch(`${api.origin}/attic?lang=en`, { redirect: 'manual' });
    expect(moved.headers.get('location')).toBe(`/hall?lang=en#view_point=${second!.id}`);
    expect((await client.endpoints.list()).find(({ id }) => id === hall.endpoint)!.room_id).toBe(made.room_id);

    await client.imports.undo({ params: { id: made.job! }, body: {} });
    expect((await fetch(`${api.origin}/attic`, { redirect: 'manual' })).status).toBe(200);
    const after = await client.endpoints.list();
    expect(after.map(({ id, path, room_id }) => ({ id, path, room_id }))).toEqual(
      before.map(({ id, path, room_id }) => ({ id, path, room_id })),
    );
    expect(await refused(client.rooms.read({ params: { id: made.room_id! } }))).toMatchObject({ code: 'not_found' });
  });

  it('are refused without a panorama, twice, from another organization, or without rights', async () => {
    const [one, two] = [await space('One'), await space('Two')];
    const plain = await client.rooms.create({ body: { title: 'Plain' } });
    const foreign = await space('Foreign', { by: api.client(api.two.admin) });
    const body = { name: 'Wrong', rooms: [one.room, one.room, plain.id, foreign.room] };
    expect(await refused(client.tours.merge({ body }))).toMatchObject({
      code: 'invalid',
      msg: {
        rooms: [
          'Choose each space only once.',
          '“Plain” has no panorama.',
          `Space ${foreign.room} is not there; it may have been deleted.`,
        ],
      },
    });
    const makers = api.client(await api.addUser(api.one, onlyPolicies({ rooms: all, templates: all })));
    const error = await refused(makers.tours.merge({ body: { name: 'Without', rooms: [one.room, two.room] } }));
    expect(error).toMatchObject({ code: 'forbidden' });
    expect((await client.endpoints.list()).filter(({ id }) => [one.endpoint, two.endpoint].includes(id))).toHaveLength(
      2,
    );
  });

  it('are refused if they have view points, or if their structure is less open than the one that stays', async () => {
    const [open, closed, viewed] = [await space('Open'), await space('Closed'), await space('Viewed')];
    await client.endpoints.update({ params: { id: closed.endpoint }, body: { is_protected: true, is_visible: false } });
    await client.rooms.addElement({
      params: { id: viewed.room },
      body: { element: 'view_point', name: 'Window', config: { name: 'Window' } },
    });
    const merge = (...rooms: number[]) => client.tours.merge({ body: { name: 'Museum', rooms, dry_run: true } });
    expect(await refused(merge(open.room, viewed.room))).toMatchObject({
      code: 'invalid',
      msg: { rooms: ['“Viewed” has view points of its own. Remove them, or choose another space.'] },
    });
    expect(await refused(merge(open.room, closed.room))).toMatchObject({
      code: 'invalid',
      msg: { rooms: [expect.stringMatching(/^\/closed is protected and hidden, but \/open/)] },
    });
    expect(await merge(closed.room, open.room)).toMatchObject({ address: '/closed' });
  });

  it('may have an address that was another structure’s; the plan names the structure that shows the tour', async () => {
    const { id: outdoors } = await client.rooms.create({ body: { title: 'Outdoors' } });
    const yard = await client.endpoints.create({ body: { name: 'Yard', slug: 'loft', room_id: outdoors } });
    await client.endpoints.update({ params: { id: yard.id }, body: { slug: 'yard' } });
    const [bare, shop, loft] = [await space('Bare'), await space('Shop'), await space('Loft')];
    await client.endpoints.remove({ params: { id: bare.endpoint } });
    const made = await client.tours.merge({ body: { name: 'Farm', rooms: [bare.room, shop.room, loft.room] } });
    expect(made.notes).toContain('“Bare” has no structure, so /shop shows the tour from its start.');
    const places = placesOf((await read(made.room_id!)).elements);
    const moved = await fetch(`${api.origin}/loft`, { redirect: 'manual' });
    expect(moved.headers.get('location')).toBe(`/shop#view_point=${places[2]!.id}`);
    await client.imports.undo({ params: { id: made.job! }, body: {} });
    expect((await fetch(`${api.origin}/loft`, { redirect: 'manual' })).status).toBe(200);
  });

  it('keep structures that are added below theirs at the same time', async () => {
    const [mill, barn] = [await space('Watermill'), await space('Barn')];
    const { room: other } = await space('Market');
    const [merging, child] = await Promise.allSettled([
      client.tours.merge({ body: { name: 'Together', rooms: [mill.room, barn.room] } }),
      client.endpoints.create({
        body: { name: 'Stall', slug: 'stall', room_id: other, parent_endpoint_id: barn.endpoint },
      }),
    ]);
    expect(merging.status).toBe('fulfilled');
    const tree = JSON.stringify(await client.endpoints.list());
    expect(tree.includes('"/barn/stall"')).toBe(child.status === 'fulfilled');
  });
});
