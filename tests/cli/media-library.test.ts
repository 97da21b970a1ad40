import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { otherPicture, PIXEL } from '../harness/media-requests.ts';

let api: ApiApp;
let line: CommandLine;
let ids: string[];
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
  line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  ids = [];
  for (const name of ['a.png', 'b.png']) {
    const { id } = await api.client().media.upload({ body: {}, files: { file: new File([PIXEL], name) } });
    ids.push(String(id));
  }
});
afterAll(async () => {
  await line.close();
  await api.close();
});

const names = async (...filters: string[]) =>
  (await line.json('media', 'list', ...filters)).map(({ name }: { name: string }) => name);

it('folders hold files, and the list is filtered', async () => {
  expect(await line.done('media-folders', 'create', 'Museum')).toMatch(/^Folder \d+: Museum\n$/);
  await line.done('media-folders', 'create', 'Museum/East');
  expect(await line.done('media', 'move', ids[0]!, '--folder', 'museum/east')).toBe('Changed 1.\n');
  expect(await names('--folder', 'Museum')).toEqual(['a.png']);
  expect(await names('--folder', '/')).toEqual(['b.png']);
  expect(await line.done('media-folders', 'list', '--csv')).toContain('Museum/East');
  expect(await line.done('media', 'keywords', ...ids, '--add', 'wide, blue')).toBe('Changed 2.\n');
  await line.done('media', 'keywords', ids[1]!, '--remove', 'blue');
  expect(await names('--keyword', 'blue')).toEqual(['a.png']);
  expect(await names('--duplicates', '--sort', '-name')).toEqual(['b.png', 'a.png']);
  expect(await names('--used')).toEqual([]);
  expect(await names('--unused', '--without-alt', '--sort', 'name')).toEqual(['a.png', 'b.png']);
  const { code, error } = await line.run(['media', 'move', ids[0]!, '--folder', 'Nowhere']);
  expect([code, error]).toEqual([1, expect.stringContaining('Available: Museum, Museum/East.')]);
});

it('replaces a file, lists its versions, and restores one', async () => {
  const room = await api.client().rooms.create({ body: { title: 'Hall' } });
  const file_id = Number(ids[0]);
  await api.client().rooms.addElement({
    params: { id: room.id },
    body: { element: 'image', name: 'Poster', file_id },
  });
  expect(await line.done('media', 'uses', ids[0]!)).toBe(`room ${room.id}: Hall (Poster)\n`);
  expect(await line.done('media', 'uses', ids[1]!)).toBe('Not in use.\n');
  await line.file('new.png', Buffer.from(await otherPicture().content.arrayBuffer()));
  expect(await line.done('media', 'replace', ids[0]!, 'new.png')).toMatch(/^File \d+: \/media\/.*\/new\.png\n$/);
  const [version] = await line.json('media', 'versions', ids[0]!);
  expect(await line.done('media', 'restore', ids[0]!, String(version.id))).toContain(version.url);
});

it('refuses an ID of zero', async () => {
  const { code, error } = await line.run(['media', 'uses', '0']);
  expect([code, error]).toEqual([2, expect.stringContaining('Invalid ID: "0".')]);
});

it('downloads an archive, and merges equal files after asking', async () => {
  await line.done('media', 'download', ...ids, '--out', 'files.zip');
  const archive = await readFile(join(line.folder, 'files.zip'));
  expect(archive.includes('a.png') && archive.includes('b.png')).toBe(true);
  expect(await line.done('media', 'merge', ...ids, '--dry-run')).toBe(`Would merge ${ids[1]}: b.png\n`);
  expect(await line.done('media', 'merge', ...ids, '--yes')).toBe('Removed 1.\n');
  expect(await names()).toEqual(['a.png']);
  expect(await line.done('media-folders', 'remove', 'Museum/East', '--yes')).toMatch(/^removed \d+ East\n$/);
});
