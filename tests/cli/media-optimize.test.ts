import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isInstalled } from '../../src/server/core/files/decoders/decoder-process.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

let api: ApiApp;
let line: CommandLine;
let image: number;
let sound: number;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
  line = await CommandLine.in({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  const upload = async (name: string) => {
    const file = new File([new Uint8Array(await readFile(`fixtures/media/${name}`))], name.split('/').at(-1)!);
    return (await api.client().media.upload({ body: {}, files: { file } })).id;
  };
  image = await upload('pictures/upper-town.webp');
  sound = await upload('chime.wav');
  // As if an earlier version had stored it.
  await api.services.db.deleteFrom('media_optimizations').execute();
});
afterAll(async () => {
  await line.close();
  await api.close();
});

it('converts files, waits for them, and lists the result', async () => {
  const out = await line.done('media', 'optimize', String(image), String(sound));
  const heard = isInstalled('ffmpeg')
    ? '-\\d+(?:\\.\\d)? LUFS, gain -?\\d+(?:\\.\\d)? dB\\.'
    : 'The server has no ffmpeg.*';
  expect(out).toMatch(
    new RegExp(
      `^${image} {2}upper-town\\.webp: \\d+ → \\d+ bytes\\.\n${sound} {2}chime\\.wav: kept as it is\\. Playback starts before the whole file has loaded\\. ${heard}\n$`,
    ),
  );
  expect(await line.done('media', 'optimize', '--all')).toMatch(/^1 lighter: \d+ → \d+ bytes\. 1 kept, 0 waiting\.\n$/);
  const table = await line.done('media', 'list', '--csv');
  expect(table.split('\r\n')[0]).toMatch(/"creator","lighter","lighter_bytes","loudness","gain"$/);
  expect(table).toMatch(/"upper-town\.webp".*,"done","\d+","",""/);
});

it.each([
  [[], 'No file specified.'],
  [['--all', '1'], "can't be combined"],
  [['x'], 'Invalid ID'],
])('refuses %j', async (args, reason) => {
  const { code, error } = await line.run(['media', 'optimize', ...args]);
  expect([code, error]).toEqual([2, expect.stringContaining(reason)]);
});

it('names files that do not exist', async () => {
  const { code, error } = await line.run(['media', 'optimize', '999999']);
  expect([code, error]).toEqual([1, expect.stringContaining('File 999999 not found.')]);
});
