import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import type { Mesh } from 'three';
import { describe, expect, test } from 'vitest';
import type { Element } from '../../../engine/document/element.ts';
import { childrenOf } from '../../../engine/document/tree.ts';
import { buildRoom, type CanvasPage } from '../../harness/canvas-page.ts';
import { drop, elements } from '../../harness/dropped-files.ts';
import { makeFilm } from '../../harness/film.ts';
import { sharedCanvas } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';
import { zipOf } from '../../harness/zip.ts';

const suite = webSuite();
/** Few pixels, for they are drawn without a graphics card; still wide enough that nothing is folded. */
const open = sharedCanvas(suite, { width: 1000, height: 520 });

/** A model of two parts beside each other. */
async function house(): Promise<Buffer> {
  const document = new Document();
  const buffer = document.createBuffer();
  const corners = document
    .createAccessor()
    .setType('VEC3')
    .setArray(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]))
    .setBuffer(buffer);
  const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', corners));
  const wall = document.createNode('Wall').setMesh(mesh);
  const door = document.createNode('Front door').setMesh(mesh).setTranslation([2, 0, 1]);
  document.createScene().addChild(wall).addChild(door);
  return Buffer.from(await new NodeIO().writeBinary(document));
}

/** A tenth of a second of silence. */
function silence(): Buffer {
  const samples = Buffer.alloc(1600);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  // One channel of 16-bit samples, 8,000 a second.
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    header.writeUInt16LE(value, at);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** The smallest motion capture: hips that take one step. */
const STEP = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 10 0
  }
}
MOTION
Frames: 2
Frame Time: 0.02
0 90 0 0 0 0
0 90 10 0 0 0
`;

/** The elements at the top of the room. */
const tops = async (canvas: CanvasPage): Promise<Element[]> => childrenOf(await elements(canvas), null);
/** What a model covers of the floor once it is drawn: from and till, across and along. */
const floorOf = (canvas: CanvasPage, id: number) =>
  canvas.page.evaluate(async (wanted) => {
    const { stage } = window.enfiladeCanvas!;
    while (!stage!.viewOf(wanted)) await new Promise(requestAnimationFrame);
    const floor = { x: [1e9, -1e9], z: [1e9, -1e9] };
    stage!.viewOf(wanted)!.object.traverse((part) => {
      if (!('geometry' in part)) return;
      const { geometry, matrixWorld } = part as Mesh;
      geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox!.clone().applyMatrix4(matrixWorld);
      for (const axis of ['x', 'z'] as const)
        floor[axis] = [Math.min(floor[axis][0]!, min[axis]), Math.max(floor[axis][1]!, max[axis])];
    });
    return floor;
  }, id);
const fileOf = async (path: string) => ({ name: basename(path), content: await readFile(path) });

describe('files dropped on the canvas', () => {
  test('a picture, a model and a zipped page become elements where they fell, and the last is selected', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    // The wall on the right: it lies against it.
    const wall = await canvas.seen([500, 0, -300]);
    await drop(canvas, [await fileOf('fixtures/media/panorama-poster.jpg')], wall.x, wall.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 20_000 }).toBe(1);
    const [picture] = await elements(canvas);
    expect(picture).toMatchObject({ element: 'image', name: 'panorama-poster', position_x: 490 });
    expect(picture!.rotation_y).toBeCloseTo(-Math.PI / 2);
    await expect.poll(async () => (await canvas.outlined()).selected).toBe(picture!.id);
    await expect
      .poll(() =>
        canvas.page.evaluate((wanted) => window.enfiladeCanvas!.stage!.viewOf(wanted) !== undefined, picture!.id),
      )
      .toBe(true);

    const middle = await canvas.seen([0, 0, -600]);
    const site = { name: 'page.zip', content: Buffer.from(zipOf([{ name: 'index.html', content: '<p>Hi</p>' }])) };
    await drop(canvas, [await fileOf('fixtures/media/orrery.glb'), site], middle.x, middle.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 20_000 }).toBe(3);
    const [, ...others] = await elements(canvas);
    expect(new Set(others.map(({ element }) => element))).toEqual(new Set(['model', 'iframe']));
    const model = others.find(({ element }) => element === 'model')!;
    const page = others.find(({ element }) => element === 'iframe')!;
    const floor = await floorOf(canvas, model.id);
    const isBeside = page.position_x + 320 <= floor.x[0]! || page.position_x - 320 >= floor.x[1]!;
    const isBefore = page.position_z <= floor.z[0]! || page.position_z >= floor.z[1]!;
    expect(isBeside || isBefore, 'neither stands in the other').toBe(true);
    expect(Math.abs(page.position_x) + 320, 'inside of the room').toBeLessThanOrEqual(501);
    expect(Math.max(-floor.x[0]!, floor.x[1]!), 'inside of the room').toBeLessThanOrEqual(501);
    expect(canvas.faults).toEqual([]);
  });

  test('sound, film, font and motion become the elements that play and show them', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    const font = await fileOf('node_modules/@fontsource/inter/files/inter-latin-400-normal.woff');
    const files = [
      { name: 'bell.wav', content: silence() },
      { name: 'film.mp4', content: Buffer.from(makeFilm()) },
      { ...font, name: 'Welcome.woff' },
      { name: 'step.bvh', content: Buffer.from(STEP) },
    ];
    await drop(canvas, files, 700, 300);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 30_000 }).toBe(files.length);
    const arrived = (await elements(canvas)).map(({ element, name, file }) => [name, element, file?.type]);
    expect(arrived.sort()).toEqual([
      ['Welcome', 'text', 'font'],
      ['bell', 'audio', 'audio'],
      ['film', 'native_video', 'video'],
      ['step', 'motion', 'motion'],
    ]);
    const saving = canvas.page.getByRole('status', { name: 'Saving' });
    await saving.getByText('Saved', { exact: true }).waitFor();
    const { elements: stored } = await suite.app.client.rooms.read({ params: { id } });
    expect(stored.map(({ file_id }) => file_id !== null)).toEqual([true, true, true, true]);
    expect(canvas.faults).toEqual([]);
  });

  test('a model of several parts is added as one, or as a group of its parts that look the same', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    const { page } = canvas;
    const file = { name: 'house.glb', content: await house() };
    const question = page.getByRole('dialog', { name: 'Add “house” as one model?' });
    const model = async (answer: string, count: number) => {
      await drop(canvas, [file], 700, 300);
      await question.getByRole('button', { name: answer }).click({ timeout: 60_000 });
      await question.waitFor({ state: 'hidden' });
      await expect.poll(async () => (await tops(canvas)).length, { timeout: 60_000 }).toBe(count);
      const added = (await tops(canvas)).at(-1)!;
      const parts = childrenOf(await elements(canvas), added.id);
      const ids = (parts.length > 0 ? parts : [added]).map((each) => each.id);
      // Materials are made ready for a software renderer, which takes its time.
      await page.waitForFunction((all) => all.every((each) => window.enfiladeCanvas!.stage!.viewOf(each)), ids, {
        timeout: 60_000,
      });
      await canvas.frames();
    };
    await model('One model', 1);
    await model('Split into parts', 2);
    const [whole, group] = await tops(canvas);
    const parts = childrenOf(await elements(canvas), group!.id);
    expect(whole).toMatchObject({ element: 'model', config: { node: '' } });
    const names = ['Wall', 'Front door'];
    expect(parts.map(({ name }) => name)).toEqual(names);
    expect(parts.map(({ config }) => (config as { node: string }).node)).toEqual(names);
    const ids = [whole!.id, ...parts.map((each) => each.id)];
    // Meshes of the whole, and of all parts together, each with where it stands: the same.
    const meshes = await page.evaluate(([first, ...others]) => {
      const seen = (each: number) => {
        const found: string[] = [];
        const { object } = window.enfiladeCanvas!.stage!.viewOf(each)!;
        object.updateWorldMatrix(true, true);
        const at = object.position.clone().setFromMatrixPosition(object.matrixWorld);
        object.traverse((node) => {
          if (!('isMesh' in node)) return;
          const place = node.position.clone().setFromMatrixPosition(node.matrixWorld).sub(at);
          found.push([node.name, ...place.toArray().map((part) => part.toFixed(1).replace('-0.0', '0.0'))].join(' '));
        });
        return found;
      };
      return { whole: seen(first!).sort(), parts: others.flatMap(seen).sort() };
    }, ids);
    expect(meshes.whole).toHaveLength(2);
    expect(meshes.whole[0]).not.toBe(meshes.whole[1]);
    expect(meshes.parts).toEqual(meshes.whole);
    // Of two that are dropped together, each is asked about in its turn; Esc adds neither of its ways.
    await drop(canvas, [file, { name: 'shed.glb', content: file.content }], 700, 300);
    const asked = page.getByRole('dialog', { name: /^Add “.*” as one model\?$/ });
    await asked.waitFor({ timeout: 60_000 });
    const first = (await asked.getByRole('heading').textContent())!;
    await page.keyboard.press('Escape');
    const other = first.includes('house') ? 'shed' : 'house';
    const next = page.getByRole('dialog', { name: `Add “${other}” as one model?` });
    await next.getByRole('button', { name: 'One model' }).click({ timeout: 60_000 });
    await expect.poll(async () => (await tops(canvas)).map(({ name }) => name)).toEqual(['house', 'house', other]);
    expect(canvas.faults).toEqual([]);
  });

  test('a file that is refused says so, and can be taken off the list', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    await drop(canvas, [{ name: 'words.xyz', content: Buffer.from('nothing of use') }], 700, 300);
    await canvas.page.getByRole('alert').first().waitFor();
    expect(await elements(canvas)).toEqual([]);
    await canvas.page.getByRole('button', { name: 'Dismiss words.xyz' }).click();
    await expect.poll(() => canvas.page.getByText('words.xyz').count()).toBe(0);
  });
});
