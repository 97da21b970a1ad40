import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { lineErrors, ruled, type Turn } from '../harness/ruled-panorama.ts';
import { webSuite } from '../harness/web-suite.ts';
import { nextFrames } from '../web/elements/play.ts';

/** Largest error of a line, in pixels of the screen. */
const MAX_ERROR = 0.25;
const SCREEN = { width: 1280, height: 720 };

const suite = webSuite();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-ruled-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Metadata of a part of a sphere. */
const partXmp = (
  full: { width: number; height: number },
  area: { left: number; top: number; width: number; height: number },
) => `
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="equirectangular"
GPano:FullPanoWidthPixels="${full.width}" GPano:FullPanoHeightPixels="${full.height}"
GPano:CroppedAreaImageWidthPixels="${area.width}" GPano:CroppedAreaImageHeightPixels="${area.height}"
GPano:CroppedAreaLeftPixels="${area.left}" GPano:CroppedAreaTopPixels="${area.top}"/></rdf:RDF></x:xmpmeta>`;

/** Opens a room whose only place has a panorama. @param width of the whole sphere in pixels */
async function open(width: number, turn: Turn, area?: { left: number; top: number; width: number; height: number }) {
  const full = { width, height: width / 2 };
  const file = join(folder, `${width}-${area?.left ?? ''}.jpg`);
  const picture = sharp(ruled(width), { raw: { ...full, channels: 1 } });
  if (area) picture.extract(area).withXmp(partXmp(full, area));
  await picture.jpeg({ quality: 97, chromaSubsampling: '4:4:4' }).toFile(file);
  const { id: file_id } = await suite.app.upload(file);
  const { client } = suite.app;
  const { heading: panorama_heading, pitch: panorama_pitch, roll: panorama_roll } = turn;
  const room = await client.rooms.create({ body: { title: 'Ruled' } });
  const place = await client.rooms.addElement({
    params: { id: room.id },
    body: {
      element: 'view_point',
      file_id,
      position_x: 30,
      config: { name: 'Here', pulse_radius: 0, panorama_heading, panorama_pitch, panorama_roll },
    },
  });
  const camera = { fov: 75, rotate: true, zoom: true };
  await client.rooms.update({
    params: { id: room.id },
    body: { config: { camera, pixelratio: 1, start_view_point_id: place.id } },
  });
  const endpoint = await client.endpoints.create({ body: { name: `Ruled ${room.id}`, room_id: room.id } });
  const visitor = await newVisitor(suite.browser, { ...LOOKED_AT, viewport: SCREEN });
  await enterRoom(visitor.page, suite.app.origin + endpoint.path);
  return visitor;
}

/** The view in a direction, in degrees, once everything of it has loaded. */
async function look(page: Page, { heading, pitch, fov }: { heading: number; pitch: number; fov: number }) {
  await page.evaluate(
    ([azimuth, polar, degrees]) => {
      const { rig, camera } = window.enfilade!.stage!;
      Object.assign(rig.controls, { minPolarAngle: 0, maxPolarAngle: Math.PI });
      rig.look(azimuth!, polar!);
      rig.update(0);
      camera.fov = degrees!;
      camera.updateProjectionMatrix();
      window.enfilade!.stage!.invalidate();
    },
    [(-heading * Math.PI) / 180, ((90 + pitch) * Math.PI) / 180, fov],
  );
  await nextFrames(page, 30);
  await page.waitForLoadState('networkidle');
  const shown = async () => {
    const url = await page.evaluate(() => window.enfilade!.stage!.snapshot());
    return sharp(Buffer.from(url.split(',')[1]!, 'base64'))
      .extractChannel(0)
      .raw()
      .toBuffer();
  };
  let before = await shown();
  for (;;) {
    await nextFrames(page, 30);
    const now = await shown();
    if (now.equals(before)) return now;
    before = now;
  }
}

const VIEWS = [
  { heading: 0, pitch: 0 },
  { heading: 180, pitch: -10 },
  { heading: 65, pitch: 35 },
  { heading: -120, pitch: 89 },
  { heading: 10, pitch: -86 },
];
const LEVEL: Turn = { heading: 0, pitch: 0, roll: 0 };
const PART = { left: 2560, top: 1024, width: 5120, height: 2048 };

describe('a panorama with lines', () => {
  test.each([
    { name: 'level', width: 4096, turn: LEVEL },
    { name: 'turned, in tiles', width: 8192, turn: { heading: 47, pitch: 13, roll: -8 } },
    { name: 'a part of the sphere, in tiles', width: 8192, turn: LEVEL, area: PART },
  ])(`$name: every line is where it belongs, within ${MAX_ERROR} pixels`, async ({ width, turn, area }) => {
    const { page, close, faults } = await open(width, turn, area);
    const views = area
      ? [
          { heading: 0, pitch: 0 },
          { heading: 70, pitch: 20 },
        ]
      : VIEWS;
    for (const fov of [20, 75, 100])
      for (const view of views) {
        const pixels = await look(page, { ...view, fov });
        const part = area && {
          left: area.left / width,
          top: area.top / (width / 2),
          width: area.width / width,
          height: area.height / (width / 2),
        };
        const errors = lineErrors({ data: pixels, ...SCREEN }, { ...view, fov }, turn, part);
        expect(errors.length, `${fov} ${JSON.stringify(view)}`).toBeGreaterThan(100);
        expect(Math.max(...errors), `${fov} ${JSON.stringify(view)}`).toBeLessThanOrEqual(MAX_ERROR);
      }
    expect(faults).toEqual([]);
    await close();
  });
});
