import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { PIXEL } from '../server/features/history/changing-requests.ts';

let api: ApiApp;
let line: CommandLine;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
  line = await CommandLine.in({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
});
afterAll(async () => {
  await line.close();
  await api.close();
});

it('changes the texts of a file, which the list searches', async () => {
  const file = new File([PIXEL], 'a.png');
  const { id } = await api.client().media.upload({ body: {}, files: { file } });
  const texts = ['--title', 'Sea', '--keywords', 'wide, blue'];
  expect(await line.done('media', 'update', String(id), ...texts)).toBe(`File ${id}: Sea\n`);
  const [{ title, keywords, alt }] = await line.json('media', 'list', '--search', 'blue');
  expect({ title, keywords, alt }).toEqual({ title: 'Sea', keywords: ['wide', 'blue'], alt: '' });
});

it('sets the detailed description and the transcript', async () => {
  const file = new File([PIXEL], 'b.png');
  const { id } = await api.client().media.upload({ body: {}, files: { file } });
  const args = ['--long-description', 'A pier.\nGulls.', '--transcript', 'Hello.', '--json'];
  expect(await line.json('media', 'update', String(id), ...args.slice(0, -1))).toMatchObject({
    long_description: 'A pier.\nGulls.',
    transcript: 'Hello.',
  });
});

it.each([
  [['x', '--title', 'Sea'], 'Invalid ID'],
  [['1'], 'Nothing to change'],
])('refuses %j', async (args, reason) => {
  const { code, error } = await line.run(['media', 'update', ...args]);
  expect([code, error]).toEqual([2, expect.stringContaining(reason)]);
});
