import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headingOf, placesOf } from '../../engine/document/places.ts';
import { parseRoom, type Room } from '../../engine/document/room.ts';
import { tourLinks } from '../../engine/document/tour-links.ts';
import { playScene } from '../../engine/scene/play.ts';
import type { SceneEvent, TickInput } from '../../engine/scene/scene.ts';
import { traceRows } from '../../engine/scene/trace.ts';
import { openAdmin } from '../harness/admin-page.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { tourPhoto } from '../harness/tour-photos.ts';
import { webSuite } from '../harness/web-suite.ts';
import { circuitOf, lookOf, mouseOf, passLink, withoutEmptyFrames } from './tour-walk.ts';

const suite = webSuite();

/** Real panoramas made by others; they are beside the project, not in it. */
const REAL = join(import.meta.dirname, '../../../shared/assets/open/pano');
const hasReal = existsSync(REAL);
if (!hasReal) console.log('Tours: the folder of panoramas made by others is absent; their walk is skipped.');

const COLUMNS = 5;
const COUNT = 30;
/** Meters between places, on a grid whose rows lead north. */
const STEP = 4;
/** Headings at which the photos were taken. */
const headingOfPhoto = (nth: number) => (nth * 47) % 360;

const meters = (nth: number) => ({ east: (nth % COLUMNS) * STEP, north: Math.floor(nth / COLUMNS) * STEP });

/** Degrees north and east of a place. */
function onEarth(nth: number): readonly [number, number] {
  const { east, north } = meters(nth);
  const degree = (Math.PI / 180) * 6_371_000;
  return [52 + north / degree, 4.9 + east / (degree * Math.cos((52 * Math.PI) / 180))];
}

/** A photo that shows the direction of each pixel in the world as a color. */
async function directionPhoto(nth: number): Promise<File> {
  const [width, height] = [1024, 512];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const heading = ((((x + 0.5) / width - 0.5) * 360 + headingOfPhoto(nth)) * Math.PI) / 180;
      const pitch = (0.5 - (y + 0.5) / height) * Math.PI;
      const way = [Math.cos(pitch) * Math.sin(heading), Math.sin(pitch), -Math.cos(pitch) * Math.cos(heading)];
      for (const [channel, value] of way.entries())
        pixels[(y * width + x) * 3 + channel] = Math.round(((value + 1) / 2) * 255);
    }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } });
  return tourPhoto(`${String(nth + 1).padStart(2, '0')} place.jpg`, {
    image,
    heading: headingOfPhoto(nth),
    at: onEarth(nth),
  });
}

let photos: File[];
beforeAll(async () => {
  photos = [];
  for (let nth = 0; nth < COUNT; nth++) photos.push(await directionPhoto(nth));
});

let toursCount = 0;

/** Creates a tour from files, and reads its room. */
async function createTour(files: readonly File[]) {
  const { client } = suite.app;
  const name = `Tour ${++toursCount}`;
  const ids: number[] = [];
  for (const file of files) ids.push((await client.media.upload({ body: {}, files: { file } })).id);
  const path = `/tour-${toursCount}`;
  const { room_id } = await client.tours.create({ body: { name, files: ids, endpoint: { path } } });
  return { path, room: parseRoom(await client.rooms.read({ params: { id: room_id! } })) };
}

const apart = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180);

/** A tick of a visit, and what happened in it. */
interface Tick {
  input: TickInput;
  events: SceneEvent[];
}

/** The trace of the same ticks without a browser. */
function playedTrace(room: Room, ticks: readonly Tick[]): string[] {
  const [first] = ticks;
  const start: TickInput = { ...first!.input, input: [{ type: 'entered' }] };
  const played = playScene(room, [start, ...ticks.map(({ input }) => input)]);
  return [...played].slice(1).flatMap(({ rows }) => rows.map((row) => JSON.stringify(row)));
}

/** Walks every link of a tour once, frame by frame, and compares its trace with the one of the same visit in Node. */
async function walkAll(path: string, { elements, config }: Room): Promise<void> {
  const links = tourLinks(elements);
  const circuit = circuitOf(links, config.start_view_point_id!);
  expect(circuit).toHaveLength(links.length);
  const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: { width: 480, height: 300 } });
  const { page, faults, close } = visitor;
  await enterRoom(page, suite.app.origin + path);
  await page.evaluate(() => {
    const { scene } = window.enfilade!.stage!;
    const ticks: { input: unknown; events: unknown }[] = [];
    const tick = scene.tick.bind(scene);
    scene.tick = (input) => {
      const { position, quaternion } = input.camera;
      const { x, y, z, w } = quaternion;
      const at = { x: position.x, y: position.y, z: position.z };
      const asked = structuredClone({
        ...input,
        camera: { ...input.camera, position: at, quaternion: { x, y, z, w } },
      });
      tick(input);
      ticks.push({ input: asked, events: structuredClone([...scene.events]) });
    };
    Object.assign(window, { ticks });
  });
  for (const link of circuit) await withoutEmptyFrames(page, link.element.name, () => passLink(mouseOf(visitor), link));
  const ticks = await page.evaluate(() => (window as Window & { ticks?: Tick[] }).ticks!);
  const shown = ticks.flatMap(({ input, events }) => traceRows(input.time, events).map((row) => JSON.stringify(row)));
  expect(shown.filter((row) => row.includes('place.changed'))).toHaveLength(circuit.length);
  const room = parseRoom((await page.evaluate(() => window.enfilade!.stage!.scene.room)) as never);
  expect(playedTrace(room, ticks)).toEqual(shown);
  expect(faults).toEqual([]);
  await close();
}

describe('every link of a tour is followed in both directions', () => {
  let grid: string;
  test('of thirty places whose geometry is known', async () => {
    const { path, room } = await createTour(photos);
    grid = path;
    const places = placesOf(room.elements);
    const nthOf = (id: number) => places.findIndex((place) => place.id === id);
    const links = tourLinks(room.elements);
    expect(links).toHaveLength(2 * (COUNT - 1));
    for (const { from, to, element } of links) {
      const [a, b] = [meters(nthOf(from)), meters(nthOf(to))];
      const wanted = (Math.atan2(b.east - a.east, b.north - a.north) * 180) / Math.PI;
      const here = places[nthOf(from)]!;
      const { heading } = headingOf({
        x: element.position_x - here.position_x,
        y: 0,
        z: element.position_z - here.position_z,
      });
      expect(apart(heading, wanted), element.name).toBeLessThan(1);
    }
    await walkAll(path, room);
  }, 900_000);

  test('and each place shows its photo in the direction where it was taken', async () => {
    const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: { width: 480, height: 300 } });
    const { page, close } = visitor;
    await enterRoom(page, suite.app.origin + grid);
    const places = placesOf(await page.evaluate(() => window.enfilade!.stage!.scene.room.elements));
    for (const { id } of places) {
      await page.evaluate((place) => window.enfilade!.goToViewPoint(place), id);
      await expect.poll(async () => (await lookOf(page)).place).toBe(id);
      const { heading } = await lookOf(page);
      const seen = async () => {
        const clip = { x: 232, y: 20, width: 16, height: 16 };
        const { channels } = await sharp(await page.screenshot({ clip })).stats();
        const [x, , z] = channels.map(({ mean }) => (mean / 255) * 2 - 1);
        return apart((Math.atan2(x!, -z!) * 180) / Math.PI, heading);
      };
      await expect.poll(seen, { message: String(id) }).toBeLessThan(1);
    }
    await close();
  }, 300_000);

  test.runIf(hasReal)(
    'of two real panoramas',
    async () => {
      const { readdir, readFile } = await import('node:fs/promises');
      const files: File[] = [];
      for (const name of (await readdir(REAL)).filter((each) => /\.(?:jpe?g|png)$/.test(each)))
        files.push(new File([await readFile(join(REAL, name))], name));
      const { path, room } = await createTour(files);
      await walkAll(path, room);
    },
    300_000,
  );
});

describe('an author', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-author-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('makes a public tour with a plan from thirty photos in at most 15 clicks', async () => {
    const paths: string[] = [];
    for (const photo of photos) {
      paths.push(join(folder, photo.name));
      await writeFile(paths.at(-1)!, await photo.bytes());
    }
    const { client, origin } = suite.app;
    const { page, context, faults } = await openAdmin(suite.app, suite.browser, '/admin/spaces/new');
    let clicks = 0;
    const press = async (name: string) => {
      clicks++;
      await page.getByRole('button', { name, exact: true }).click();
    };
    clicks++;
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('Choose files').click()]);
    await chooser.setFiles(paths);
    await page.getByText('30 places').waitFor({ timeout: 120_000 });
    clicks++;
    await page.getByRole('combobox', { name: 'Links between places' }).click();
    clicks++;
    await page.getByRole('option', { name: 'Neighbors by position, both ways' }).click();
    await page.getByLabel('Title').fill('Thirty rooms');
    await press('Create');
    await page.waitForURL(/\/admin\/editor\/\d+/);
    const id = Number(/\/editor\/(\d+)/.exec(page.url())![1]);
    const tour = page.getByRole('region', { name: 'Tour' });
    await tour.waitFor();
    await press('Plan');
    await press('Draw from above');
    await expect
      .poll(async () => {
        const { elements } = await client.rooms.read({ params: { id } });
        return elements.flatMap(({ config }) => ('plan_marks' in config ? config.plan_marks : [])).length;
      })
      .toBe(COUNT);
    expect(clicks).toBeLessThanOrEqual(15);
    expect(faults).toEqual([]);
    await context.close();

    const visitor = await newVisitor(suite.browser);
    await enterRoom(visitor.page, `${origin}/thirty-rooms`);
    await visitor.page.getByRole('button', { name: 'Plan' }).click();
    await expect
      .poll(() => visitor.page.getByRole('region', { name: 'Plan' }).getByRole('button').count())
      .toBeGreaterThanOrEqual(COUNT);
    await visitor.close();
  }, 300_000);
});
