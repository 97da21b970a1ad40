import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNITS_PER_METER } from '../../../../engine/document/constants.ts';
import { headingOf, placesOf } from '../../../../engine/document/places.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { onlyPolicies } from '../../../harness/admin-page.ts';
import { ApiApp, databases, oneDatabase, refused } from '../../../harness/api-app.ts';
import { tourPhoto } from '../../../harness/tour-photos.ts';

type Recorded = Parameters<typeof tourPhoto>[1];

const all = { view_any: true, create: true, update: true, delete: true };

/** Degrees of latitude per meter. */
const NORTH = 360 / (2 * Math.PI * 6_371_000);

describe.each(databases)('a tour made from photos, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const uploaded = async (photos: Record<string, Recorded>): Promise<number[]> => {
    const ids: number[] = [];
    for (const [name, recorded] of Object.entries(photos))
      ids.push((await client.media.upload({ body: {}, files: { file: await tourPhoto(name, recorded) } })).id);
    return ids;
  };
  const read = async (id: number) => parseRoom(await client.rooms.read({ params: { id } }));
  const totals = async () => [
    (await client.rooms.list()).meta.total,
    (await client.templates.list()).meta.total,
    (await client.endpoints.list()).length,
  ];

  it('has a place for each photo, in the order they were taken, where they were taken, and as they were turned', async () => {
    const files = await uploaded({
      'IMG_0003_kitchen.jpg': {
        heading: 90,
        roll: 2,
        at: [52 + 10 * NORTH, 4.9],
        altitude: 12,
        taken: '2026:05:01 12:20:00',
      },
      'IMG_0001.jpg': { heading: 0, view: 45, at: [52, 4.9], altitude: 10, taken: '2026:05:01 12:00:00' },
      'IMG_0002_long-hall.jpg': {
        heading: 270,
        at: [52, 4.9 + 10 * (NORTH / Math.cos((52 * Math.PI) / 180))],
        altitude: 10,
        taken: '2026:05:01 12:10:00',
      },
    });
    const before = await totals();
    const body = { name: 'Mill', files, endpoint: { path: 'mill', name: 'The mill' } };
    const plan = await client.tours.create({ body: { ...body, dry_run: true } });
    expect(plan).toMatchObject({
      job: null,
      room_id: null,
      endpoint_id: null,
      order: 'capture_time',
      positions: 'gps',
    });
    expect(await totals()).toEqual(before);
    const made = await client.tours.create({ body });
    expect({ ...made, job: null, room_id: null, endpoint_id: null }).toEqual(plan);
    expect(made.places.map(({ name }) => name)).toEqual(['Place 1', 'Long hall', 'Kitchen']);

    const room = await read(made.room_id!);
    expect(room.template).toMatchObject({ model_type: 'pano', file: null });
    const places = placesOf(room.elements);
    expect(places.map(({ config }) => [config.name, config.order_rank])).toEqual([
      ['Place 1', 0],
      ['Long hall', 1],
      ['Kitchen', 2],
    ]);
    expect(room.config.start_view_point_id).toBe(places[0]!.id);
    expect(room.config.camera).toMatchObject({ rotate: true, rotate_left_button: true, zoom: true });
    expect(places.map(({ config: c }) => [c.panorama_heading, c.panorama_pitch, c.panorama_roll])).toEqual([
      [0, 0, 0],
      [270, 0, 0],
      [90, 0, 2],
    ]);
    // Ten meters east, and ten meters north and two up, around their middle.
    const meters = places.map(({ position_x, position_y, position_z }) =>
      [position_x, position_y, position_z].map((value) => value / UNITS_PER_METER),
    );
    for (const [index, expected] of [
      [-5, -1, 5],
      [5, -1, 5],
      [-5, 1, -5],
    ].entries())
      for (const [axis, value] of expected.entries())
        expect(meters[index]![axis], `${index} ${axis}`).toBeCloseTo(value, 0);
    // The first view as the camera suggests it.
    const [first] = places;
    const towards = headingOf({
      x: first!.config.target_position.x - first!.position_x,
      y: first!.config.target_position.y - first!.position_y,
      z: first!.config.target_position.z - first!.position_z,
    });
    expect(towards.heading).toBeCloseTo(45, 1);
    expect(towards.pitch).toBeCloseTo(0, 1);
    const [endpoint] = (await client.endpoints.list()).filter(({ id }) => id === made.endpoint_id);
    expect(endpoint).toMatchObject({ path: '/mill', name: 'The mill', room_id: made.room_id });

    // One undo takes all of it back.
    await client.imports.undo({ params: { id: made.job! }, body: {} });
    expect(await totals()).toEqual(before);
  });

  it('links each place with the next and back: a hotspot three meters away, in the direction of the other', async () => {
    const files = await uploaded({ 'b10.jpg': {}, 'b2.jpg': {}, 'b1.jpg': {} });
    const {
      room_id,
      places: planned,
      order,
      positions,
    } = await client.tours.create({ body: { name: 'Chain', files } });
    expect([order, positions]).toEqual(['file_name', 'grid']);
    expect(planned.map(({ file_name, notes }) => [file_name, notes.length])).toEqual([
      ['b1.jpg', 1],
      ['b2.jpg', 1],
      ['b10.jpg', 1],
    ]);
    const room = await read(room_id!);
    const places = placesOf(room.elements);
    const buttons = room.elements.filter((element) => element.element === 'button');
    const links = buttons.map((button) => {
      const { navigation, title, ...config } = button.config;
      const { type_config } = navigation as { type_config: { view_point_id: number; arrival: unknown } };
      const from = places.find(({ id }) => id === button.visible_at[0])!;
      const to = places.find(({ id }) => id === type_config.view_point_id)!;
      expect(button.visible_at).toHaveLength(1);
      expect(config).toMatchObject({ appearance: 'hotspot', hotspot_icon: 'walk' });
      expect(type_config.arrival).toBe('keep');
      expect(title).toBe(to.config.name);
      const offset = { x: button.position_x - from.position_x, y: 0, z: button.position_z - from.position_z };
      const drop = button.position_y - from.position_y;
      expect(Math.hypot(offset.x, drop, offset.z) / UNITS_PER_METER).toBeCloseTo(3, 2);
      const way = { x: to.position_x - from.position_x, y: 0, z: to.position_z - from.position_z };
      expect(headingOf(offset).heading).toBeCloseTo(headingOf(way).heading, 1);
      expect(button.position_y).toBeLessThan(from.position_y);
      return `${from.config.name} → ${to.config.name}`;
    });
    expect(links.toSorted()).toEqual(['B1 → B2', 'B10 → B2', 'B2 → B1', 'B2 → B10'].toSorted());
    // Whoever looks at the middle of the first photo sees the way on.
    const ahead = {
      x: places[1]!.position_x - places[0]!.position_x,
      y: 0,
      z: places[1]!.position_z - places[0]!.position_z,
    };
    expect(headingOf(ahead).heading).toBe(0);
    const [a, b] = places.map(({ position_x, position_z }) => ({ position_x, position_z }));
    expect(Math.hypot(a!.position_x - b!.position_x, a!.position_z - b!.position_z)).toBeCloseTo(
      4 * UNITS_PER_METER,
      0,
    );
  });

  it('links neighbors by position, or nothing, or follows the given order', async () => {
    const files = await uploaded({ 'c1.jpg': {}, 'c2.jpg': {}, 'c3.jpg': {}, 'c4.jpg': {} });
    const plan = (body: object) => client.tours.create({ body: { name: 'Square', files, dry_run: true, ...body } });
    const [one, two, three, four] = files;
    const linked = async (body: object) => (await plan(body)).places.map(({ links }) => links);
    // A grid of two by two, filled along a path: each with those beside it, none across.
    expect(await linked({ links: 'neighbors' })).toEqual([
      [two, four],
      [one, three],
      [two, four],
      [one, three],
    ]);
    expect(await linked({ links: 'none' })).toEqual([[], [], [], []]);
    const given = await plan({ order: 'given', files: files.toReversed() });
    expect([given.order, given.places.map(({ file_id }) => file_id)]).toEqual(['given', files.toReversed()]);
  });

  it('grows the room and the camera’s reach so that all places are inside', async () => {
    const files = await uploaded({ 'far1.jpg': { at: [10, 10] }, 'far2.jpg': { at: [10 + 2000 * NORTH, 10] } });
    const { room_id } = await client.tours.create({ body: { name: 'Valley', files } });
    const room = await read(room_id!);
    const places = placesOf(room.elements);
    for (const { position_x, position_z } of places) {
      expect(Math.abs(position_x)).toBeLessThan(room.width / 2);
      expect(Math.abs(position_z)).toBeLessThan(room.depth / 2);
    }
    expect(room.config.camera.far).toBeGreaterThan(2000 * UNITS_PER_METER);
  });

  it('places photos in a grid if one has no position, two have the same, or they are too far apart', async () => {
    const cases: Recorded[][] = [
      [{ at: [10, 10] }, {}],
      [{ at: [10, 10] }, { at: [10, 10] }],
      [{ at: [10, 10] }, { at: [11, 10] }],
    ];
    for (const [index, [first, second]] of cases.entries()) {
      const files = await uploaded({ [`g${index}a.jpg`]: first, [`g${index}b.jpg`]: second });
      const plan = await client.tours.create({ body: { name: 'Grid', files, dry_run: true } });
      expect(plan.positions, String(index)).toBe('grid');
    }
    // Altitudes that no building has count as none; the 180° meridian is no distance.
    const files = await uploaded({
      'm1.jpg': { at: [0.5, 179.9999], altitude: 0 },
      'm2.jpg': { at: [0.5, -179.9999], altitude: 500 },
    });
    const { positions, places } = await client.tours.create({ body: { name: 'Grid', files, dry_run: true } });
    expect(positions).toBe('gps');
    expect(places.map(({ position }) => position.y)).toEqual([0, 0]);
    expect((places[1]!.position.x - places[0]!.position.x) / UNITS_PER_METER).toBeCloseTo(22.24, 1);
  });

  it('uses GPS positions up to the largest room, by its diagonal, and a grid beyond', async () => {
    const apart = async (name: string, north: number, east: number) => {
      // By the equator, degrees of longitude are as long as those of latitude.
      const there = [0.01 + north * NORTH, 10 + east * NORTH] as const;
      const files = await uploaded({ [`${name}1.jpg`]: { at: [0.01, 10] }, [`${name}2.jpg`]: { at: there } });
      return client.tours.create({ body: { name, files } });
    };
    const widest = await apart('Widest', 3150, 0);
    expect(widest.positions).toBe('gps');
    expect((await read(widest.room_id!)).config.camera.far).toBeLessThanOrEqual(1_000_000);
    expect((await apart('Wider', 3300, 0)).positions).toBe('grid');
    expect((await apart('Diagonal', 2500, 2500)).positions).toBe('grid');
  });

  it('skips what is not a 360° photo, and says why; with fewer than two left, nothing is made', async () => {
    const files = await uploaded({ 'd1.jpg': {}, 'd2.jpg': {}, 'plan.jpg': { size: [60, 50] } });
    const before = await totals();
    const plan = await client.tours.create({ body: { name: 'Mixed', files: [...files, 999_999], dry_run: true } });
    expect(plan.places).toHaveLength(2);
    expect(plan.skipped).toEqual([
      { file_id: files[2], file_name: 'plan.jpg', reason: expect.stringMatching(/^Not a 360° photo: .*60 × 50/) },
      { file_id: 999_999, file_name: '', reason: expect.stringMatching(/not found/) },
    ]);
    const few = await refused(client.tours.create({ body: { name: 'Few', files: [files[0]!, files[2]!] } }));
    expect([few.status, few.msg.files![0]]).toEqual([422, 'A tour needs at least two 360° photos.']);
    expect(few.msg.files![1]).toContain('plan.jpg: Not a 360° photo');
    const twice = await refused(client.tours.create({ body: { name: 'Twice', files: [files[0]!, files[0]!] } }));
    expect(twice.status).toBe(422);
    const many = await refused(client.tours.create({ body: { name: 'Many', files: Array(201).fill(files[0]) } }));
    expect([many.status, many.msg.files]).toEqual([
      422,
      ['A tour can have at most 200 photos. Split them into several tours.'],
    ]);
    expect(await totals()).toEqual(before);
  });

  it('is made once for one request, and refused for a name, path or template that can’t be used', async () => {
    const files = await uploaded({ 'e1.jpg': {}, 'e2.jpg': {} });
    const body = { name: 'Once', files, endpoint: { path: 'once' } };
    const idempotencyKey = 'tour-once';
    const made = await client.tours.create({ body, idempotencyKey });
    expect(await client.tours.create({ body, idempotencyKey })).toEqual(made);
    const before = await totals();
    const taken = await refused(client.tours.create({ body }));
    expect(taken.msg).toEqual({
      name: ['Another space has this name. Choose another one.'],
      'endpoint.path': ['Another structure has this path. Choose another one.'],
    });
    const deep = await refused(
      client.tours.create({ body: { ...body, name: 'Deep', endpoint: { path: 'no/where' } } }),
    );
    expect(deep.msg['endpoint.path']![0]).toMatch(/parent structure "no" doesn't exist/);
    const grid = await client.templates.create({ body: { name: 'Grid' } });
    const other = await refused(client.tours.create({ body: { name: 'Other', files, template_id: grid.id } }));
    expect(other.msg.template_id).toEqual(['Choose a template for 360° photos.']);
    await client.templates.remove({ params: { id: grid.id } });
    expect(await totals()).toEqual(before);
  });

  it('needs the rights for all that it makes, and knows only the organization’s own photos', async () => {
    const files = await uploaded({ 'f1.jpg': {}, 'f2.jpg': {} });
    const template = await client.templates.create({ body: { name: 'P', model_type: 'pano', file_id: files[0]! } });
    const makers = api.client(await api.addUser(api.one, onlyPolicies({ rooms: all })));
    expect((await refused(makers.tours.create({ body: { name: 'R1', files } }))).status).toBe(403);
    const shown = { name: 'R2', files, template_id: template.id };
    expect((await refused(makers.tours.create({ body: { ...shown, endpoint: { path: 'r2' } } }))).status).toBe(403);
    expect((await makers.tours.create({ body: shown })).places).toHaveLength(2);
    const others = api.client(api.two.admin);
    expect((await refused(others.tours.create({ body: { name: 'R3', files } }))).status).toBe(422);
  });

  it('learns what a camera recorded when a photo of an earlier version is uploaded again', async () => {
    const file = await tourPhoto('old.jpg', { heading: 77 });
    const { id } = await client.media.upload({ body: {}, files: { file } });
    await api.services.db.updateTable('media').set({ photo: null }).where('id', '=', id).execute();
    expect(await client.media.read({ params: { id } })).not.toHaveProperty('heading');
    expect(await client.media.upload({ body: {}, files: { file } })).toMatchObject({ id, heading: 77 });
  });

  it('leaks no position: the library and the space contain directions only', async () => {
    const files = await uploaded({
      'h1.jpg': { at: [52.123456, 4.654321], heading: 30, taken: '2026:05:01 12:34:56' },
      'h2.jpg': { at: [52.1236, 4.654321], heading: 31, taken: '2026:05:01 12:34:56' },
    });
    const { room_id } = await client.tours.create({ body: { name: 'Secret', files } });
    const media = await client.media.read({ params: { id: files[0]! } });
    expect(media).toMatchObject({ heading: 30 });
    const text = JSON.stringify([media, await client.rooms.read({ params: { id: room_id! } })]);
    for (const secret of ['52.12', '4.65', '12:34:56', 'latitude', 'taken_at']) expect(text).not.toContain(secret);
  });
});

describe.each(oneDatabase)('the name of a place, on %s', (kind) => {
  it('is the file name without what the camera added', async () => {
    const api = await ApiApp.start(kind);
    const client = api.client();
    const names = {
      'IMG_0123_kitchen.jpg': 'Kitchen',
      '01 Entrance hall.jpg': 'Entrance hall',
      'PANO_20260501_101112.jpg': 'Place 3',
      'DSC00012-room_12.jpg': 'Room 12',
      'R0010023.JPG': 'Place 5',
      '2nd floor.jpg': '2nd floor',
      'élan.jpg': 'Élan',
    };
    const files: number[] = [];
    for (const name of Object.keys(names))
      files.push((await client.media.upload({ body: {}, files: { file: await tourPhoto(name) } })).id);
    const { places } = await client.tours.create({ body: { name: 'Names', files, order: 'given', dry_run: true } });
    expect(places.map(({ name }) => name)).toEqual(Object.values(names));
    await api.close();
  });
});
