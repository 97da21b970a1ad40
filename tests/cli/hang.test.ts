import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAND_OFF } from '../../engine/document/constants.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { tourPhoto } from '../harness/tour-photos.ts';
import { xlsxOf } from '../harness/xlsx.ts';

describe('works hung from a spreadsheet', () => {
  let api: ApiApp;
  let line: CommandLine;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    room = (await api.client().rooms.create({ body: { title: 'Hall', width: 2000, height: 1000, depth: 3000 } })).id;
    await mkdir(join(line.folder, 'scans'));
    for (let nth = 1; nth <= 6; nth++) {
      const file = await tourPhoto(`work-${nth}.jpg`, { size: [80, 60] });
      await writeFile(join(line.folder, 'scans', file.name), new Uint8Array(await file.arrayBuffer()));
    }
    const rows = Array.from({ length: 6 }, (_, nth) => [
      `work-${nth + 1}`,
      `Work ${nth + 1}`,
      'Kim',
      1990 + nth,
      '60 x 80 cm',
      'Oil',
    ]);
    const sheet = xlsxOf([
      ['Image', 'Title', 'Artist', 'Year', 'Size', 'Text'],
      ...rows,
      ['lost', 'Lost', '', '', '', ''],
      ['work-1', 'Huge', '', '', '9 x 12 m', ''],
    ]);
    await writeFile(join(line.folder, 'works.xlsx'), sheet);
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  const elements = async () => (await api.client().rooms.read({ params: { id: room } })).elements;

  it('are planned without changing anything, then hung wall after wall, with captions, in one entry of the log', async () => {
    const args = ['rooms', 'hang', 'Hall', 'works.xlsx', '--images', 'scans', '--wall', 'front,left'];
    const tried = await line.run([...args, '--dry-run']);
    expect(tried.code).toBe(1);
    expect(tried.out).toMatch(/^Would hang 6 works\n {2}Front wall: Work 1, /);
    expect(tried.out).toContain('  upload    scans/work-6.jpg\n  The proportions of these images are unknown');
    expect(tried.out).toContain('  left out  row 8: No image is named “lost” in the media library.\n');
    expect(await elements()).toEqual([]);
    expect((await api.client().media.list()).data).toEqual([]);

    const { code, out } = await line.run([...args, '--json']);
    expect(code).toBe(1);
    const { works, problems } = JSON.parse(out);
    expect(problems.filter(({ kind }: { kind: string }) => kind !== 'note')).toMatchObject([
      { row: 8, kind: 'missing' },
      { row: 9, kind: 'unplaced', text: '“Huge” fits on none of the chosen walls.' },
    ]);
    expect(works).toHaveLength(7);
    const [front, left] = await elements();
    expect(front).toMatchObject({ element: 'group', name: 'Front wall', position_z: -1500, rotation_y: 0 });
    expect(left).toMatchObject({ name: 'Left wall', position_x: -1000, rotation_y: Math.PI / 2 });
    expect(front!.children.map(({ name }) => name)).toEqual(['Work 1', 'Work 2', 'Work 3', 'Work 4', 'Work 5']);
    expect(front!.children[0]).toMatchObject({
      // 80 × 60 cm, centered 155 cm above the floor.
      width: 250,
      height: 187.5,
      position_y: Math.round(155 * 3.125 - 500),
      position_z: STAND_OFF,
      config: {
        title: 'Work 1',
        author: 'Kim',
        date: '1990',
        text: 'Oil',
        caption_style: 'plaque',
        caption_side: 'below',
      },
    });
    const xs = front!.children.map(({ position_x }) => position_x);
    // 30 cm between neighbors, up to rounding.
    for (const [nth, x] of xs.slice(1).entries()) expect(Math.abs(x - xs[nth]! - 343.75)).toBeLessThanOrEqual(1);
    expect(
      (await api.client().rooms.log({ params: { id: room } })).entries.filter(({ commands }) => commands.length > 0),
    ).toHaveLength(1);
  });

  it('keep off what hangs there, and are refused for unknown walls and lengths', async () => {
    const again = await line.run(['rooms', 'hang', 'Hall', 'works.xlsx', '--wall', 'front', '--json']);
    expect(JSON.parse(again.out).works.every(({ wall }: { wall: unknown }) => wall === null)).toBe(true);
    const unknown = await line.run(['rooms', 'hang', 'Hall', 'works.xlsx', '--wall', 'ceiling']);
    expect(unknown).toMatchObject({ code: 2, error: expect.stringContaining('Use front, right, back, left.') });
    const twice = await line.run(['rooms', 'hang', 'Hall', 'works.xlsx', '--center', '1', '--bottom', '1']);
    expect(twice).toMatchObject({ code: 2, error: expect.stringContaining('exclude each other') });
    expect((await line.run(['rooms', 'hang', 'Hall', 'works.xlsx', '--gap', 'wide'])).code).toBe(2);
  });
});
