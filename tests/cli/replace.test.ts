import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

let api: ApiApp;
let line: CommandLine;
let room: number;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
  line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  const { rooms } = api.client();
  room = (await rooms.create({ body: { title: 'Winter hall' } })).id;
  for (const body of ['<p>The winter of 1998</p>', '<p>Winterly</p>'])
    await rooms.addElement({ params: { id: room }, body: { element: 'html', name: 'Intro', config: { body } } });
});
afterAll(async () => {
  await line.close();
  await api.close();
});

const texts = async () => {
  const { title, elements } = await api.client().rooms.read({ params: { id: room } });
  return [title, ...elements.map(({ config }) => (config as { body: string }).body)];
};

it('replaces a text in a room, after telling where', async () => {
  const args = ['rooms', 'replace', String(room), 'winter', 'summer', '--whole-words'];
  const before = await texts();
  const tried = await line.run([...args, '--dry-run']);
  expect(tried.out).toMatch(/^Would replace 3 matches\n {2}room, Name: Winter hall\n/);
  expect(tried.out).toContain('Intro (1), Text: The winter of 1998\n');
  expect(await texts()).toEqual(before);
  expect((await line.run([...args, '--yes'])).code).toBe(0);
  expect(await texts()).toEqual(['summer hall', '<p>The summer of 1998</p>', '<p>Winterly</p>']);
});

it('leaves out what would become too long, and ends with 1', async () => {
  const long = await line.run(['rooms', 'replace', String(room), 'hall', 'x'.repeat(500), '--yes']);
  expect(long.code).toBe(1);
  expect(long.out).toContain('not replaced: room, Name: Use at most 255 characters.');
  const empty = await line.run(['rooms', 'replace', String(room), ' ', 'x', '--yes']);
  expect([empty.code, empty.error]).toEqual([2, expect.stringContaining('wrong length')]);
});
