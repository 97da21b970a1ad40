import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { UNITS_PER_METER } from '../../../engine/document/constants.ts';
import { buildRoom, plainRoom } from '../../harness/canvas-page.ts';
import { drop, dropFromDisk, elements, pictures } from '../../harness/dropped-files.ts';
import { sharedCanvas } from '../../harness/shared-window.ts';
import { shellModel } from '../../harness/shell-model.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();
/** Few pixels, for they are drawn without a graphics card; still wide enough that nothing is folded. */
const open = sharedCanvas(suite, { width: 1000, height: 520 });

/** Metadata of a work: its title, creator, date, description and alternative text. */
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
  xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" photoshop:DateCreated="1889-06">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Irises</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Vincent van Gogh</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">Painted in the garden of the asylum.</rdf:li></rdf:Alt></dc:description>
<Iptc4xmpCore:AltTextAccessibility><rdf:Alt><rdf:li xml:lang="x-default">Blue irises in a bed</rdf:li></rdf:Alt>
</Iptc4xmpCore:AltTextAccessibility></rdf:Description></rdf:RDF></x:xmpmeta>`;

describe('an image with metadata', () => {
  test('hangs with its caption and its alternative text', async () => {
    const { id } = await buildRoom(suite.app, []);
    const canvas = await open(id);
    const create = { width: 60, height: 40, channels: 3, background: '#3355AA' } as const;
    const content = await sharp({ create }).withXmp(XMP).jpeg().toBuffer();
    const { x, y } = await canvas.seen([0, 0, -400]);
    await drop(canvas, [{ name: 'scan-0042.jpg', content }], x, y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 30_000 }).toBe(1);
    expect((await elements(canvas))[0]!.config).toMatchObject({
      title: 'Irises',
      author: 'Vincent van Gogh',
      date: '1889-06',
      text: 'Painted in the garden of the asylum.',
      alt: 'Blue irises in a bed',
    });
  });
});

describe('images dropped together', () => {
  test('images hang in rows at eye level, in the order of the files, as one step, on one wall after the other', async () => {
    const { id } = await buildRoom(suite.app, [], { ...plainRoom(), width: 1600, height: 700, depth: 1600 });
    const canvas = await open(id);
    const names = Array.from({ length: 10 }, (_, nth) => `Work ${nth + 1}`);
    const wall = await canvas.seen([-200, 60, -800]);
    await drop(canvas, await pictures(10), wall.x, wall.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 30_000 }).toBe(10);
    const hung = await elements(canvas);
    expect(hung.map(({ name }) => name)).toEqual(names);
    const rows = Map.groupBy(hung, ({ rotation_y }) => Math.round(rotation_y / (Math.PI / 2)));
    // Clockwise from the wall ahead: the one on the right comes next.
    expect([...rows.keys()]).toEqual([0, -1]);
    expect([...rows.values()].flat().map(({ name }) => name)).toEqual(names);
    const eyes = Math.floor(-350 + 1.55 * UNITS_PER_METER);
    const gaps: number[] = [];
    for (const [turn, row] of rows) {
      const spans = row.map(({ position_x, position_z, file }) => {
        const middle = turn === 0 ? position_x : position_z;
        const half = (100 * file!.width!) / file!.height!;
        return { from: middle - half, to: middle + half };
      });
      gaps.push(...spans.slice(1).map(({ from }, nth) => from - spans[nth]!.to));
      expect(spans[0]!.from, 'within the wall').toBeGreaterThan(-800);
      expect(spans.at(-1)!.to, 'within the wall').toBeLessThan(800);
      for (const { position_x, position_y, position_z } of row) {
        expect(position_y).toBe(eyes);
        expect(turn === 0 ? position_z : position_x).toBe(turn === 0 ? -790 : 790);
      }
    }
    expect(Math.min(...gaps)).toBeGreaterThan(30);
    // Positions are whole numbers.
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1.01);
    expect([...(await canvas.selectedIds())].sort()).toEqual(hung.map((each) => each.id).sort());
    await canvas.page.waitForFunction(
      (all) => all.every((each) => window.enfiladeCanvas!.stage!.viewOf(each)),
      hung.map((each) => each.id),
    );
    // More of them keep out of the way of those that hang there, at the height that is set.
    await canvas.page.getByRole('button', { name: 'Steps and eye level' }).click();
    await canvas.page.getByRole('textbox', { name: 'Eye level' }).fill('120');
    await canvas.page.keyboard.press('Escape');
    await drop(canvas, (await pictures(3)).slice(1), wall.x, wall.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 30_000 }).toBe(12);
    const later = (await elements(canvas)).slice(10);
    expect(later.map(({ position_y }) => position_y)).toEqual(
      later.map(() => Math.floor(-350 + 1.2 * UNITS_PER_METER)),
    );
    expect(later.map(({ rotation_y }) => Math.round(rotation_y / (Math.PI / 2)))).not.toContain(0);
    for (const left of [10, 0]) {
      await canvas.key('Control+z');
      await expect.poll(async () => (await elements(canvas)).length).toBe(left);
    }
    expect(canvas.faults).toEqual([]);
  });

  test('the images of a folder hang together, in the order of their names, folders in it included', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-drop-'));
    try {
      const names = ['Work 10.jpg', 'Work 2.jpg', 'Work 1.jpg', 'Other/B 1.jpg'];
      await mkdir(join(folder, 'Exhibition', 'Other'), { recursive: true });
      const images = await pictures(names.length);
      for (const [nth, name] of names.entries()) {
        await writeFile(join(folder, 'Exhibition', name), images[nth]!.content);
      }
      await writeFile(join(folder, 'Exhibition', '.DS_Store'), 'nothing of use');
      await writeFile(join(folder, 'Last.jpg'), images[0]!.content);
      const { id } = await buildRoom(suite.app, [], { ...plainRoom(), width: 1600, height: 700, depth: 1600 });
      const canvas = await open(id);
      const wall = await canvas.seen([-200, 60, -800]);
      const paths = ['Exhibition', 'Last.jpg'].map((name) => join(folder, name));
      await dropFromDisk(canvas, paths, wall.x, wall.y);
      await expect.poll(async () => (await elements(canvas)).length, { timeout: 30_000 }).toBe(5);
      const hung = await elements(canvas);
      expect(hung.map(({ name }) => name)).toEqual(['B 1', 'Work 1', 'Work 2', 'Work 10', 'Last']);
      const eyes = Math.floor(-350 + 1.55 * UNITS_PER_METER);
      expect(hung.map(({ position_y }) => position_y)).toEqual(hung.map(() => eyes));
      await canvas.key('Control+z');
      await expect.poll(async () => (await elements(canvas)).length, { message: 'one step' }).toBe(0);
      expect(canvas.faults).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a folder of 60 images shows its progress as a whole, and hangs in order without overlap', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-sixty-'));
    try {
      const [picture] = (await pictures(5)).slice(4);
      const names = Array.from({ length: 60 }, (_, nth) => `Work ${nth + 1}`);
      await mkdir(join(folder, 'Exhibition'));
      for (const name of names.toReversed())
        await writeFile(join(folder, 'Exhibition', `${name}.jpg`), picture!.content);
      const { id } = await buildRoom(suite.app, [], { ...plainRoom(), width: 4800, height: 900, depth: 4800 });
      const canvas = await open(id);
      const wall = await canvas.seen([-200, 60, -2400]);
      await dropFromDisk(canvas, [join(folder, 'Exhibition')], wall.x, wall.y);
      await canvas.page.getByText(/^\d+ of 60 uploaded$/).waitFor();
      await expect.poll(async () => (await elements(canvas)).length, { timeout: 60_000 }).toBe(60);
      const hung = await elements(canvas);
      expect(hung.map(({ name }) => name)).toEqual(names);
      const boxes = hung.map(({ position_x, position_z, rotation_y, file }) => {
        const half = (100 * file!.width!) / file!.height!;
        const [x, z] = [Math.abs(Math.cos(rotation_y)) * half, Math.abs(Math.sin(rotation_y)) * half];
        return { min: [position_x - x, position_z - z], max: [position_x + x, position_z + z] };
      });
      const overlapping = boxes.flatMap((one, nth) =>
        boxes
          .slice(nth + 1)
          .filter((other) =>
            [0, 1].every((axis) => one.min[axis]! < other.max[axis]! && other.min[axis]! < one.max[axis]!),
          ),
      );
      expect(overlapping).toEqual([]);
      await canvas.page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' });
      await canvas.key('Control+z');
      await expect.poll(async () => (await elements(canvas)).length, { message: 'one step' }).toBe(0);
      expect(canvas.faults).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('images hang at eye level on the walls of a room that is one model', async () => {
    // Walls of the model, 1,000 units apart, stand inside those of the room.
    const file = await shellModel();
    const { id: file_id } = await suite.app.client.media.upload({ body: {}, files: { file } });
    const { id, ids } = await buildRoom(
      suite.app,
      [{ element: 'model', name: 'Shell', file_id, width: 1000, height: 1000, depth: 1000 }],
      { ...plainRoom(), width: 3000, height: 1500, depth: 3000 },
    );
    const canvas = await open(id);
    await canvas.page.waitForFunction((each) => window.enfiladeCanvas!.stage!.viewOf(each), ids.Shell!);
    const wall = await canvas.seen([-100, 50, -500]);
    await drop(canvas, await pictures(3), wall.x, wall.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 30_000 }).toBe(4);
    const [, ...hung] = await elements(canvas);
    expect(hung.map(({ name }) => name)).toEqual(['Work 1', 'Work 2', 'Work 3']);
    // The model's floor is 500 units below its middle.
    const eyes = Math.floor(-500 + 1.55 * UNITS_PER_METER);
    for (const { position_y, position_z, rotation_y } of hung)
      expect({ position_y, position_z, rotation_y }).toEqual({ position_y: eyes, position_z: -490, rotation_y: 0 });
    const edges = hung.flatMap(({ position_x, file }) => {
      const half = (100 * file!.width!) / file!.height!;
      return [position_x - half, position_x + half];
    });
    expect(edges, 'beside each other').toEqual(edges.toSorted((a, b) => a - b));
    expect(Math.max(...edges.map(Math.abs)), 'between the walls').toBeLessThan(500);
    expect(canvas.faults).toEqual([]);
  });

  test('images on the floor stand beside each other in the order of the files', async () => {
    const { id } = await buildRoom(suite.app, [], { ...plainRoom(), width: 1200, height: 700, depth: 1400 });
    const canvas = await open(id);
    const floor = await canvas.seen([0, -350, -300]);
    await drop(canvas, await pictures(4), floor.x, floor.y);
    await expect.poll(async () => (await elements(canvas)).length, { timeout: 30_000 }).toBe(4);
    const stood = await elements(canvas);
    expect(stood.map(({ name }) => name)).toEqual(['Work 1', 'Work 2', 'Work 3', 'Work 4']);
    const edges = stood.flatMap(({ position_x, file }) => {
      const half = (100 * file!.width!) / file!.height!;
      return [position_x - half, position_x + half];
    });
    expect(edges).toEqual(edges.toSorted((a, b) => a - b));
    await canvas.key('Control+z');
    await expect.poll(async () => (await elements(canvas)).length).toBe(0);
  });
});
