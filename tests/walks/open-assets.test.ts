import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { enterRoom, LOOKED_AT, newVisitor } from '../harness/browser.ts';
import { colorCount, type Pixels, partOf, pixelsOf } from '../harness/picture.ts';
import type { ElementInput } from '../harness/web-app.ts';
import { webSuite } from '../harness/web-suite.ts';

/** Real files made by others; they lie beside the project, not in it. */
const FOLDER = join(import.meta.dirname, '../../../shared/assets/open');
const isThere = existsSync(FOLDER);
if (!isThere) console.log('Open assets: the folder of files made by others is absent; its tests are skipped.');

/** What each file must give: its type, or the code and a part of the sentence with which it is refused. */
const EXPECTED: Record<string, string | { code: string; says: RegExp }> = {
  'audio/coin.ogg': 'audio',
  'audio/item-spawn.mp3': 'audio',
  'audio/m4a-content-named.mp3': 'audio',
  'audio/stereo-24bit.wav': 'audio',
  'bvh/fair-dab.bvh': 'motion',
  'csv/bom-utf8.csv': { code: 'wrong_type', says: /Import it at its structure/ },
  'csv/crlf-quoted-newline.csv': { code: 'wrong_type', says: /Import it at its structure/ },
  'csv/latin1.csv': { code: 'wrong_type', says: /isn't encoded as UTF-8/ },
  'csv/quotes_and_newlines.csv': { code: 'wrong_type', says: /Import it at its structure/ },
  'csv/semicolon-quoted.csv': { code: 'wrong_type', says: /Import it at its structure/ },
  'env/artist_workshop_1k.hdr': 'hdr',
  'env/blender-interior.exr': 'hdr',
  'font/Amiri-Regular.woff2': 'font',
  'font/EBGaramond12-Regular.otf': 'font',
  'font/helvetiker_regular.typeface.json': 'font',
  'font/newsreader_9pt_regular.ttf': 'font',
  'gltf/CesiumMilkTruck.zip': 'object',
  'gltf/KayKit-Knight-76-clips.glb': 'object',
  'gltf/MorphStressTest.gltf': 'object',
  'gltf/RobotExpressive.glb': 'object',
  'gltf/SimpleSparseAccessor.zip': 'object',
  'gltf/Unicode❤♻Test.zip': 'object',
  'gltf/box-spaces-in-texture-name.zip': 'object',
  'gltf/draco-alarm-clock.glb': 'object',
  'gltf/fox-skinned.glb': 'object',
  'gltf/ktx2-terrain-tile.glb': 'object',
  'gltf/many-nodes-cubes.zip': 'object',
  'gltf/meshopt-pirate.glb': 'object',
  'gltf/unlit-vr-gallery.glb': 'object',
  'gltf/webxr-camp-scene.zip': 'object',
  'gltf-invalid/RecursiveNodes.gltf': { code: 'bad_file', says: /cycle of nodes/ },
  'gltf-invalid/glb-outside-texture-coin.glb': { code: 'bad_file', says: /colormap\.png.*ZIP/s },
  'gltf-invalid/missing-bin-BoxTextured.gltf': { code: 'bad_file', says: /BoxTextured0\.bin.*ZIP/s },
  'gltf-invalid/remote-http-buffer.gltf': { code: 'bad_file', says: /external URL/ },
  'gltf-invalid/truncated_chunk_data.glb': { code: 'bad_file', says: /truncated/ },
  'image/exif-orientation-6.jpg': 'image',
  'image/lossy.webp': 'image',
  'image/paris-icc-exif-xmp.avif': 'image',
  'image/rotating-squares.gif': 'image',
  'image/truncated.jpg': { code: 'bad_file', says: /damaged/ },
  'image/webp-content-named.jpg': 'image',
  'image/xss-script-triangle.svg': { code: 'wrong_type', says: /SVG/ },
  'pano/milky-way-4k.png': 'image',
  'pano/pannellum-examplepano-4k.jpg': 'image',
  'site/html5-boilerplate.zip': 'site',
  'site/mdn-gallery-nested.zip': 'site',
  'site/path-traversal.zip': { code: 'bad_file', says: /unsafe path/ },
  'subtitles/elephantsdream.ar.vtt': 'text_track',
  'subtitles/elephantsdream.en.vtt': 'text_track',
  'subtitles/garbage-signature.vtt': { code: 'bad_file', says: /WEBVTT/ },
  'video/rabbit320.mp4': 'video',
  'video/rabbit320.webm': 'video',
};

const suite = webSuite({ isWanted: isThere });
/** Few pixels: they are drawn in software. */
const SMALL = { width: 360, height: 225 };
/** Of a room with many elements, which stand in a grid: each has a part of the picture to itself. */
const WALL = { width: 640, height: 400 };
const COLUMNS = 4;
const ROWS = 4;
/** Of the grid, in units, and degrees that are seen of it. */
const CELL = { width: 360, height: 225 };
const FOV = 50;

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? readdirSync(join(folder, entry.name)).map((name) => `${entry.name}/${name}`) : [],
  );
const names = Object.keys(EXPECTED);
const accepted = names.filter((name) => typeof EXPECTED[name] === 'string');

/** Enters a room, and waits until what is found wanting in its picture is nothing. */
async function expectWhole(path: string, viewport: typeof SMALL, wanting: (seen: Pixels) => string[]): Promise<void> {
  const { page, close, faults } = await newVisitor(suite.browser, { ...LOOKED_AT, viewport });
  await enterRoom(page, suite.app.origin + path);
  // Controls would count as colors of the room.
  await page.addStyleTag({ content: '#overlay { display: none }' });
  // A large picture reaches the screen some frames after it was drawn, where graphics are drawn by software.
  await expect.poll(async () => wanting(await pixelsOf(page)), { timeout: 100_000 }).toEqual([]);
  await close();
  expect(faults).toEqual([]);
}

/**
 * Expects that each of some elements shows more colors than this, in one room in which they stand in a grid.
 * @param elements by name; they are smaller than a cell of the grid
 */
async function expectColors(elements: Record<string, ElementInput>, more: number): Promise<void> {
  const named = Object.entries(elements);
  const rows = Math.ceil(named.length / COLUMNS);
  const placed = named.map(([name, element], index) => ({
    name,
    element,
    x: ((index % COLUMNS) - (COLUMNS - 1) / 2) * CELL.width,
    y: ((rows - 1) / 2 - Math.floor(index / COLUMNS)) * CELL.height,
  }));
  const height = ROWS * CELL.height;
  const position = { x: 0, y: 0, z: height / 2 / Math.tan((FOV * Math.PI) / 360) };
  const camera = { fov: FOV, position, angle: { x: 0, y: 0, z: 0 } };
  const path = await suite.app.publish(
    { config: { camera, ambient_light: 0.8 }, width: 3000, height: 2000, depth: 3000 },
    placed.map(({ element, x, y }) => ({ ...element, position_x: x, position_y: y })),
  );
  const scale = WALL.height / height;
  const size = { width: Math.floor(CELL.width * scale), height: Math.floor(CELL.height * scale) };
  await expectWhole(path, WALL, (seen) => {
    const cellOf = (x: number, y: number) =>
      partOf(
        seen,
        Math.round(WALL.width / 2 + x * scale - size.width / 2),
        Math.round(WALL.height / 2 - y * scale - size.height / 2),
        size.width,
        size.height,
      );
    return placed.filter(({ x, y }) => colorCount(cellOf(x, y)) <= more).map(({ name }) => name);
  });
}

describe.skipIf(!isThere)('files made by others', () => {
  test('each of them is in the table of what it must give', () => {
    expect(filesOf(FOLDER).toSorted()).toEqual(names.toSorted());
  });

  test.each(names)('%s is taken or refused as it should be', async (name) => {
    const expected = EXPECTED[name]!;
    const upload = suite.app.upload(join(FOLDER, name));
    if (typeof expected === 'string') {
      const media = await upload;
      expect(media.type).toBe(expected);
      const served = await fetch(suite.app.origin + media.url);
      expect(served.status).toBe(200);
      await served.arrayBuffer();
      return;
    }
    const error = await upload.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).code).toBe(expected.code);
    expect(
      Object.values((error as ApiError).msg)
        .flat()
        .join(' '),
    ).toMatch(expected.says);
  });

  const idsOf = async (wanted: string[]) => {
    const media = await Promise.all(wanted.map((name) => suite.app.upload(join(FOLDER, name))));
    return wanted.map((name, index) => ({ name, file_id: media[index]!.id }));
  };

  test('a room with all of the models shows each of them', async () => {
    const models = await idsOf(accepted.filter((name) => EXPECTED[name] === 'object'));
    expect(models.length).toBeGreaterThan(10);
    const size = { width: 200, height: 200, depth: 200, rotation_y: 0.5 };
    const element = (file_id: number) => ({ element: 'model', file_id, ...size, config: { animate: true } }) as const;
    // The empty grid room shows five shades of paper.
    await expectColors(Object.fromEntries(models.map(({ name, file_id }) => [name, element(file_id)])), 8);
  });

  test.each(accepted.filter((name) => name.startsWith('pano/')))('a 360° room of %s shows it', async (name) => {
    const { id } = await suite.app.upload(join(FOLDER, name));
    const template = await suite.app.client.templates.create({ body: { name, model_type: 'pano', file_id: id } });
    const path = await suite.app.publish({ template_id: template.id });
    await expectWhole(path, SMALL, (seen) => (colorCount(seen) > 20 ? [] : [name]));
  });

  test('a room with all of the pictures shows each of them', async () => {
    const pictures = await idsOf(accepted.filter((name) => EXPECTED[name] === 'image'));
    expect(pictures.length).toBeGreaterThan(4);
    const element = (file_id: number) => ({ element: 'image', file_id, height: 160, ignore_light: true }) as const;
    await expectColors(Object.fromEntries(pictures.map(({ name, file_id }) => [name, element(file_id)])), 9);
  });

  test('a photo that its camera held sideways stands upright, without the camera’s notes', async () => {
    const media = await suite.app.upload(join(FOLDER, 'image/exif-orientation-6.jpg'));
    expect([media.width, media.height]).toEqual([1800, 1200]);
    const bytes = Buffer.from(await (await fetch(suite.app.origin + media.url)).arrayBuffer());
    expect(bytes.includes('Exif')).toBe(false);
  });
});
