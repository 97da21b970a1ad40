import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ElementOf } from '../../../../engine/document/element.ts';
import { headingOf, isPlace, type PlaceElement, placesOf } from '../../../../engine/document/places.ts';
import { parseRoom, type Room } from '../../../../engine/document/room.ts';
import { rotationOf } from '../../../../engine/document/rotation.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { findTourConfigs } from '../../../../src/contract/tour-files.ts';
import { finishImport, planImport, sendPanoramas } from '../../../../src/contract/tour-sending.ts';
import { onlyPolicies } from '../../../harness/admin-page.ts';
import { ApiApp, databases, oneDatabase, refused } from '../../../harness/api-app.ts';
import {
  angleBetween,
  bearing,
  CORRECTION,
  filesOfTour,
  HEADINGS,
  krpanoTour,
  type MadeTour,
  marzipanoTour,
  pannellumTour,
  photoSphereViewerTour,
  type Ray,
  type RoomKey,
  rayOf,
  sphereRay,
  TILT,
} from '../../../harness/made-tours.ts';

const RADIANS = Math.PI / 180;
/** Pixels of a JPEG's blocks, whose averages are true; single pixels are up to 3° off. */
const BLOCK = 8;

/** Difference of two headings in degrees. */
const apart = (a: number, b: number) => Math.abs(((((a - b + 180) % 360) + 360) % 360) - 180);

/** The world direction of a heading and pitch. */
const towards = (heading: number, pitch: number): Ray => sphereRay(heading * RADIANS, pitch * RADIANS);

const TOURS = {
  pannellum: pannellumTour,
  marzipano: marzipanoTour,
  'photo-sphere-viewer': photoSphereViewerTour,
  krpano: krpanoTour,
} as const;

describe.each(databases)('a tour made elsewhere, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const imported = async (tour: MadeTour, name: string) => {
    const files = filesOfTour(tour);
    const configs = (await findTourConfigs(files))!;
    const { plan, missing } = await planImport(client, files, configs, { name });
    const sent = new Map<string, number>();
    const failed = [...missing, ...(await sendPanoramas(client, files, plan, { onPlace: () => {}, sent }))];
    const made = await finishImport(client, configs, { name }, { sent, without: failed });
    const room = parseRoom(await client.rooms.read({ params: { id: made.room_id! } }));
    return { plan, made, room, failed };
  };

  /** The hotspots at a place. */
  const hotspotsAt = ({ elements }: Room, place: PlaceElement) =>
    elements.filter(
      (element): element is ElementOf<'button'> =>
        element.element === 'button' && element.visible_at.includes(place.id),
    );
  const placeNamed = ({ elements }: Room, name: string) =>
    placesOf(elements).find(({ config }) => config.name === name)!;
  /** Where a hotspot is as seen from its place. */
  const seen = (place: PlaceElement, spot: ElementOf<'button'>) =>
    headingOf({
      x: spot.position_x - place.position_x,
      y: spot.position_y - place.position_y,
      z: spot.position_z - place.position_z,
    });
  const firstView = ({ config: { target_position: target }, ...at }: PlaceElement) =>
    headingOf({ x: target.x - at.position_x, y: target.y - at.position_y, z: target.z - at.position_z });
  /** Links of all places: from, to, heading and pitch of the hotspot, and its arrival. */
  const linksOf = (room: Room) =>
    placesOf(room.elements).flatMap((place) =>
      hotspotsAt(room, place).flatMap((spot) => {
        const { navigation } = spot.config;
        if (navigation.type !== 'view_point') return [];
        const to = room.elements.find(({ id }) => id === navigation.type_config.view_point_id)!;
        const from = place.config.name.toLowerCase() as RoomKey;
        const target = (isPlace(to) ? to.config.name.toLowerCase() : '') as RoomKey;
        return [{ from, to: target, ...seen(place, spot), arrival: navigation.type_config.arrival ?? null }];
      }),
    );

  /** The worst difference in degrees between what a panorama shows and where its place shows it. */
  const worstDirection = async (place: PlaceElement): Promise<number> => {
    const { panorama_heading: heading, panorama_pitch: pitch, panorama_roll: roll } = place.config;
    const columns = rotationOf({ heading, pitch, roll });
    const image = await fetch(api.origin + place.file!.url);
    const { data, info } = await sharp(await image.arrayBuffer())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(info.height * 2);
    let worst = 0;
    for (let top = 0; top < info.height; top += BLOCK)
      for (let left = 0; left < info.width; left += BLOCK) {
        const [own, shown] = [
          [0, 0, 0],
          [0, 0, 0],
        ];
        for (let y = top; y < Math.min(info.height, top + BLOCK); y++)
          for (let x = left; x < Math.min(info.width, left + BLOCK); x++) {
            const at = (y * info.width + x) * info.channels;
            const color = rayOf([...data.subarray(at, at + 3)]);
            const way = towards(((x + 0.5) / info.width - 0.5) * 360, (0.5 - (y + 0.5) / info.height) * 180);
            for (let axis = 0; axis < 3; axis++) {
              own[axis]! += way[axis]!;
              shown[axis]! += color[axis]!;
            }
          }
        const world = [0, 1, 2].map((axis) =>
          own.reduce((sum, value, column) => sum + value * columns[column * 3 + axis]!, 0),
        );
        worst = Math.max(worst, angleBetween(world, shown));
      }
    return worst;
  };

  const expectDoors = (room: Room, tolerance = 1) => {
    const links = linksOf(room);
    expect(links.map(({ from, to }) => `${from}-${to}`).toSorted()).toEqual([
      'hall-attic',
      'hall-kitchen',
      'kitchen-hall',
    ]);
    for (const { from, to, heading } of links) expect(apart(heading, bearing(from, to))).toBeLessThan(tolerance);
    return Object.fromEntries(links.map(({ from, to, ...link }) => [`${from}-${to}`, link]));
  };

  const expectDirections = async (room: Room) => {
    // Images don't depend on the database.
    if (kind !== oneDatabase[0]) return;
    for (const place of placesOf(room.elements)) expect(await worstDirection(place)).toBeLessThanOrEqual(1);
  };

  it('of Pannellum', async () => {
    const { plan, made, room } = await imported(await pannellumTour(), 'From Pannellum');
    expect(plan).toMatchObject({ format: 'pannellum', title: 'Mill', start: 'kitchen', positions: 'grid', job: null });
    expect({ ...made, ...{ job: null, room_id: null }, places: [] }).toEqual({ ...plan, places: [] });
    const places = placesOf(room.elements);
    expect(places.map(({ config }) => config.name)).toEqual(['Hall', 'Kitchen', 'Attic']);
    expect(room.config.start_view_point_id).toBe(placeNamed(room, 'Kitchen').id);
    const doors = expectDoors(room);
    expect(doors['hall-kitchen']).toMatchObject({ arrival: 'keep' });
    expect(doors['hall-kitchen']!.pitch).toBeCloseTo(-3, 0);
    expect(doors['hall-attic']).toMatchObject({ arrival: { heading: HEADINGS.attic + 40, pitch: -10 } });
    expect(doors['kitchen-hall']).toMatchObject({ arrival: null });
    const hall = placeNamed(room, 'Hall');
    expect(hall.config.arrival_view).toBe('set');
    expect(firstView(hall).heading).toBeCloseTo(HEADINGS.hall + 15, 0);
    expect(firstView(hall).pitch).toBeCloseTo(5, 0);
    expect(apart(firstView(placeNamed(room, 'Kitchen')).heading, HEADINGS.kitchen - 20)).toBeLessThan(1);
    // The image is rolled around the viewing axis last.
    expect(hall.config.panorama_pitch).toBeCloseTo(TILT.pitch, 0);
    expect(hall.config.panorama_roll).toBeCloseTo(TILT.roll, 0);
    const links = hotspotsAt(room, hall).map(({ config }) => [config.title, config.navigation.type]);
    expect(links).toContainEqual(['The clock', 'url']);
    expect(made.left_out).toEqual([
      expect.stringContaining('Scene “hall”: The author'),
      'Scene “hall”, hotspot 4: shows a video; that is left out',
      expect.stringContaining('Scene “kitchen”: The author'),
      expect.stringContaining('Scene “attic”: The author'),
      'Scene “attic”: the link to “cellar” leads to a missing scene; left out',
    ]);
    await expectDirections(room);
  });

  it('of Marzipano', async () => {
    const { plan, room } = await imported(await marzipanoTour(), 'From Marzipano');
    expect(plan).toMatchObject({
      format: 'marzipano',
      title: 'Mill',
      start: '0-hall',
      left_out: ['Autorotation is left out.'],
    });
    // Only the largest level is sent.
    expect(plan.places.map(({ source }) => source.kind === 'cube' && source.tiles.length)).toEqual([24, 24, 24]);
    const doors = expectDoors(room);
    expect(doors['hall-kitchen']).toMatchObject({ arrival: null });
    expect(doors['hall-kitchen']!.pitch).toBeCloseTo(-4, 0);
    const hall = placeNamed(room, 'Hall');
    expect(firstView(hall).heading).toBeCloseTo(45, 0);
    expect(firstView(hall).pitch).toBeCloseTo(-10, 0);
    expect(room.config.camera.fov).toBeCloseTo(80, 3);
    const info = hotspotsAt(room, hall).find(({ config }) => config.title === 'The clock')!;
    expect(info.config).toMatchObject({
      hotspot_icon: 'info',
      navigation: { type: 'modal_content', type_config: { title: 'The clock', content: 'Built in <b>1790</b>.' } },
    });
    expect(seen(hall, info).heading).toBeCloseTo(1 / RADIANS, 0);
    expect(seen(hall, info).pitch).toBeCloseTo(0.2 / RADIANS, 0);
    await expectDirections(room);
  });

  it('of Photo Sphere Viewer', async () => {
    const { plan, room } = await imported(await photoSphereViewerTour(), 'From Photo Sphere Viewer');
    expect(plan).toMatchObject({ format: 'photo-sphere-viewer', title: 'Mill', start: 'kitchen', positions: 'gps' });
    const doors = expectDoors(room);
    expect(doors['hall-kitchen']).toMatchObject({ arrival: 'keep' });
    const hall = placeNamed(room, 'Hall');
    expect(hall.config).toMatchObject({
      arrival_view: 'keep',
      panorama_heading: -CORRECTION.pan,
      panorama_pitch: -CORRECTION.tilt,
      panorama_roll: CORRECTION.roll,
    });
    expect(firstView(hall).heading).toBeCloseTo(20, 0);
    const kitchen = placeNamed(room, 'Kitchen');
    expect(Math.hypot(kitchen.position_x - hall.position_x, kitchen.position_z - hall.position_z) / 312.5).toBeCloseTo(
      6,
      1,
    );
    expect(plan.left_out).toEqual([
      'Scene “hall”, marker 1: its image is left out; its text is kept',
      'Scene “hall”, marker 2: is a polygon without a position in angles; left out',
    ]);
    await expectDirections(room);
  });

  it('of krpano; scripts are listed', async () => {
    const { plan, room } = await imported(await krpanoTour(), 'From krpano');
    expect(plan).toMatchObject({ format: 'krpano', title: 'Mill & barn', start: 'scene_kitchen', positions: 'gps' });
    const doors = expectDoors(room);
    expect(doors['hall-kitchen']!.arrival).toEqual({ heading: HEADINGS.kitchen + 40, pitch: -10 });
    expect(doors['hall-attic']).toMatchObject({ arrival: null });
    expect(doors['kitchen-hall']).toMatchObject({ arrival: 'keep' });
    expect(doors['hall-attic']!.pitch).toBeCloseTo(-4, 0);
    const hall = placeNamed(room, 'Hall');
    expect(firstView(hall).heading).toBeCloseTo(HEADINGS.hall + 15, 0);
    expect(firstView(hall).pitch).toBeCloseTo(5, 0);
    expect(room.config.camera.fov).toBeCloseTo(104.8, 0);
    expect(hotspotsAt(room, hall).map(({ config }) => config.title)).toContain('The clock');
    expect(plan.left_out).toEqual([
      'Scene “scene_hall”, hotspot “clock”: runs the script “openinfo(clock);”; not run',
      'tour.xml: action “startup” is a script; not run',
      'skin/vtourskin.xml: 1 × action is left out',
      'skin/vtourskin.xml: 1 × layer is left out',
      expect.stringMatching(/^Zoom: all places open with the field of view of the start, 105°/),
    ]);
    await expectDirections(room);
  });

  it('is undone with one job; the panoramas stay in the library', async () => {
    const before = (await client.rooms.list()).meta.total;
    const { made } = await imported(await TOURS.marzipano(), 'Undone');
    await client.imports.undo({ params: { id: made.job! }, body: {} });
    expect((await client.rooms.list()).meta.total).toBe(before);
  });

  it('is imported without the places whose images are missing or damaged', async () => {
    const { 'images/hall.png': _, ...tour } = await pannellumTour();
    const { made, failed, room } = await imported({ ...tour, 'images/kitchen/3.png': 'no image' }, 'With gaps');
    expect(failed).toEqual([
      { key: 'hall', reason: 'images/hall.png is missing' },
      { key: 'kitchen', reason: expect.stringContaining('damaged') },
    ]);
    expect(placesOf(room.elements).map(({ config }) => config.name)).toEqual(['Attic']);
    expect(made.left_out).toContain('Scene “hall”: its panorama is missing; left out');
    const files = filesOfTour({ 'tour.json': tour['tour.json']! });
    const error = await refused(planImport(client, files, (await findTourConfigs(files))!, { name: 'Empty' }));
    expect(error).toMatchObject({
      code: 'invalid',
      msg: { files: expect.arrayContaining(['images/hall.png is missing.']) },
    });
  });

  it('is rejected with the panoramas of another organization, a taken name, or without rights', async () => {
    const configs = [{ path: 'tour.json', text: JSON.stringify({ title: 'Hall', panorama: 'hall.png' }) }];
    const other = api.client(api.two.admin);
    const [tour] = [await photoSphereViewerTour()];
    const file = new File([new Uint8Array(tour['attic.png'] as Buffer)], 'attic.png');
    const { id } = await other.media.upload({ body: {}, files: { file } });
    const body = { name: 'Taken', configs, panoramas: [{ key: 'Hall', file_id: id }] };
    expect(await refused(client.tours.importTour({ body }))).toMatchObject({
      code: 'invalid',
      msg: { panoramas: ['Scene “Hall”: File not found; it may have been deleted.'] },
    });
    expect(await refused(client.tours.importTour({ body: { ...body, panoramas: [] } }))).toMatchObject({
      msg: { panoramas: ['Scene “Hall” has no panorama.'] },
    });
    await other.tours.importTour({ body });
    const taken = await refused(other.tours.importTour({ body: { ...body, panoramas: [], dry_run: true } }));
    expect(taken).toMatchObject({ code: 'invalid', msg: { name: [expect.stringContaining('Another space')] } });
    const reader = await api.addUser(
      api.one,
      onlyPolicies({ rooms: { view_any: true, create: false, update: false, delete: false } }),
    );
    const without = api.client(reader);
    expect(await refused(without.tours.importTour({ body }))).toMatchObject({ code: 'forbidden' });
  });
});
