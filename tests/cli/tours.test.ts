import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { pannellumTour } from '../harness/made-tours.ts';
import { tourPhoto } from '../harness/tour-photos.ts';
import { zipOf } from '../harness/zip.ts';

describe('a tour from a folder', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    await mkdir(join(line.folder, 'photos'));
    for (const file of [
      await tourPhoto('IMG_10_hall.jpg', { heading: 90 }),
      await tourPhoto('IMG_2_kitchen.jpg', { heading: 180 }),
      await tourPhoto('IMG_3_attic.jpg'),
      await tourPhoto('IMG_4_detail.jpg', { size: [50, 40] }),
      new File(['no image'], 'IMG_5_broken.jpg'),
      new File(['text'], 'notes.txt'),
    ])
      await writeFile(join(line.folder, 'photos', file.name), new Uint8Array(await file.arrayBuffer()));
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  const uploads = async () => (await api.client().media.list()).data.length;

  it('is planned without creating it, created, and undone; photos are sent once', async () => {
    const client = api.client();
    const before = (await client.rooms.list()).meta.total;
    const unsent = await line.done('tours', 'create', 'photos', '--name', 'Mill', '--dry-run');
    expect(unsent).toMatch(
      /^Would upload 5 of 5 photos \(0\.0 MB\), and create Mill from them:\n {2}upload {2}photos\/IMG_10/,
    );
    expect(unsent).not.toContain('notes.txt');
    expect(await uploads()).toBe(0);
    const made = await line.json(
      'tours',
      'create',
      'photos',
      '--name',
      'Mill',
      '--path',
      'mill',
      '--links',
      'neighbors',
    );
    expect(made.places.map(({ name }: { name: string }) => name)).toEqual(['Kitchen', 'Attic', 'Hall']);
    expect(made.rejected).toEqual([{ file: 'photos/IMG_5_broken.jpg', reason: expect.any(String) }]);
    const room = await client.rooms.read({ params: { id: made.room_id } });
    expect(room.elements.filter(({ element }) => element === 'view_point')).toHaveLength(3);
    expect(await line.json('endpoints', 'list')).toMatchObject([{ name: 'Mill', room_id: made.room_id }]);
    expect(await line.done('undo', String(made.job))).toBe('Undone: 3.\n');
    expect((await client.rooms.list()).meta.total).toBe(before);
    // All usable photos are in the library now: they aren't sent again, and the plan is exact.
    const sent = await uploads();
    await rm(join(line.folder, 'photos', 'IMG_5_broken.jpg'));
    const plan = await line.done('tours', 'create', 'photos', '--name', 'Mill', '--dry-run');
    expect(plan).toMatch(
      /^Would create Mill, 3 places, by file name, positions in a grid\n +1 {2}Kitchen {2}180° {2}1 link {2}IMG_2_kitchen\.jpg\n +2 {2}Attic {4}0° {2}2 links .*\n +3 {2}Hall {5}90° {2}1 link /,
    );
    expect(plan).toContain('Without a recorded direction: 1.');
    expect(plan).toMatch(/skipped {2}IMG_4_detail\.jpg: Not a 360° photo/);
    expect((await client.rooms.list()).meta.total).toBe(before);
    const again = await line.done('tours', 'create', 'photos', '--name', 'Mill');
    expect(again).toMatch(/^Room \d+: Mill, 3 places[\s\S]*Run `enfilade undo \d+` to undo this\.\n$/);
    expect(await uploads()).toBe(sent);
  });

  it('says what is wrong with a folder or a name', async () => {
    const run = async (...args: string[]) => {
      const { code, error } = await line.run(['tours', 'create', ...args]);
      return [code, error];
    };
    expect(await run('nowhere', '--name', 'X')).toEqual([2, expect.stringContaining('Folder not found: nowhere.')]);
    await mkdir(join(line.folder, 'empty'));
    expect(await run('empty', '--name', 'X')).toEqual([2, expect.stringContaining('contains no images')]);
    await mkdir(join(line.folder, 'many'));
    for (let index = 0; index < 201; index++) await writeFile(join(line.folder, 'many', `${index}.jpg`), '');
    const before = await uploads();
    expect(await run('many', '--name', 'X')).toEqual([2, expect.stringContaining('A tour can have at most 200.')]);
    expect(await uploads()).toBe(before);
    await api.client().rooms.create({ body: { title: 'Taken' } });
    expect(await run('photos', '--name', 'Taken')).toEqual([1, expect.stringContaining('Another space has this name')]);
  });
});

describe('a tour that was made elsewhere', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const tour = await pannellumTour();
    for (const [path, content] of Object.entries(tour)) {
      await mkdir(join(line.folder, 'old', dirname(path)), { recursive: true });
      await writeFile(join(line.folder, 'old', path), content);
    }
    const { 'images/hall.png': _, ...rest } = tour;
    const entries = Object.entries(rest).map(([name, content]) => ({ name: `mill/${name}`, content }));
    await writeFile(join(line.folder, 'old.zip'), zipOf(entries));
    await mkdir(join(line.folder, 'empty'));
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('is planned without uploading, imported, and undone', async () => {
    const client = api.client();
    const plan = await line.done('tours', 'import', 'old', '--dry-run');
    expect(plan).toMatch(/^Would create Mill, from Pannellum, 3 places, positions in a grid\n/);
    expect(plan).toContain('left out  Scene “hall”, hotspot 4: shows a video');
    expect((await client.media.list()).data).toHaveLength(0);
    const made = await line.json('tours', 'import', join('old', 'tour.json'), '--name', 'Mill', '--path', 'mill');
    expect(made).toMatchObject({ failed: [], start: 'kitchen', endpoint_id: expect.any(Number) });
    const room = await client.rooms.read({ params: { id: made.room_id } });
    expect(room.elements.filter(({ element }) => element === 'view_point')).toHaveLength(3);
    expect(await line.done('undo', String(made.job))).toMatch(/^Undone: \d+\.\n$/);
  });

  it('comes from an archive, without the places whose images are missing', async () => {
    const text = await line.done('tours', 'import', 'old.zip', '--yes');
    expect(text).toMatch(/^Room \d+: Mill, from Pannellum, 2 places/);
    expect(text).toContain('left out  Scene “hall”: mill/images/hall.png is missing');
  });

  it.each([
    [['empty'], 'empty contains no tour.'],
    [['nowhere'], 'File or folder not found: nowhere.'],
    [['old/images/hall.png'], 'is not a tour that can be imported'],
  ])('is refused: %s', async (args, problem) => {
    const { code, error } = await line.run(['tours', 'import', ...args, '--yes']);
    expect(code).not.toBe(0);
    expect(error).toContain(problem);
  });
});

describe('a tour merged from spaces', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('is planned, created, and undone; spaces are named', async () => {
    const client = api.client();
    for (const title of ['Hall', 'Attic']) {
      const file = await client.media.upload({ body: {}, files: { file: await tourPhoto(`${title}.jpg`) } });
      const template = await client.templates.create({ body: { name: title, model_type: 'pano', file_id: file.id } });
      const room = await client.rooms.create({ body: { title, template_id: template.id } });
      await client.endpoints.create({ body: { name: title, slug: title.toLowerCase(), room_id: room.id } });
    }
    const merge = ['tours', 'merge', 'Hall', 'Attic', '--name', 'Mill'];
    const lines = ' Mill, 2 places, at /hall\n {4}1 {2}Hall .*\n {4}2 {2}Attic .*\n {2}redirect {2}/attic → Attic\n';
    expect(await line.done(...merge, '--dry-run')).toMatch(new RegExp(`^Would create${lines}`));
    expect((await client.rooms.list()).meta.total).toBe(2);
    const made = await line.done(...merge, '--yes');
    expect(made).toMatch(new RegExp(`^Room \\d+:${lines}`));
    expect((await client.rooms.list()).meta.total).toBe(3);
    const [, job] = /Run `enfilade undo (\d+)` to undo this\./.exec(made)!;
    await line.done('undo', job!);
    expect((await client.rooms.list()).meta.total).toBe(2);
  });

  it('is refused with a space that is not there', async () => {
    const { code, error } = await line.run(['tours', 'merge', 'Hall', 'Cellar', '--name', 'Barn', '--yes']);
    expect(code).not.toBe(0);
    expect(error).toContain('Cellar');
  });
});
