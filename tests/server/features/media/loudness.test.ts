import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Media } from '../../../../src/contract/entities.ts';
import { isInstalled } from '../../../../src/server/core/files/decoders/decoder-process.ts';
import { readSummary } from '../../../../src/server/core/files/decoders/loudness.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { makeFilm } from '../../../harness/film.ts';
import { makeTone } from '../../../harness/tone.ts';

const hasFfmpeg = isInstalled('ffmpeg');
if (!hasFfmpeg) console.warn('Loudness: skipped, because ffmpeg is not installed.');
const PATIENCE = { timeout: 60_000, interval: 100 };

describe.each(databases)('loudness on %s', (kind) => {
  let api: ApiApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-loudness-'));
    api = await ApiApp.start(kind);
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true });
  });

  const fileOf = (name: string, content: Buffer) => new File([new Uint8Array(content)], name);
  const upload = async (name: string, content: Buffer): Promise<Media> =>
    api.client().media.upload({ body: {}, files: { file: fileOf(name, content) } });
  const read = (id: number) => api.client().media.read({ params: { id } });
  const measured = async (id: number) => {
    api.clock.advance(31_000);
    await expect.poll(async () => (await read(id)).optimized?.state, PATIENCE).not.toBe('waiting');
    return read(id);
  };
  const reasonOf = async (id: number) => {
    const { optimized, loudness, gain } = await measured(id);
    expect([loudness, gain]).toEqual([undefined, undefined]);
    return optimized!.loudness_reason;
  };
  /** Encodes a tone with ffmpeg. */
  const encode = async (name: string, level: number, ...settings: string[]): Promise<Buffer> => {
    const [source, file] = [join(folder, 'source.wav'), join(folder, name)];
    await writeFile(source, makeTone({ level }));
    execFileSync('ffmpeg', ['-v', 'error', '-i', source, ...settings, '-y', file]);
    return readFile(file);
  };
  /** Within half a loudness unit. */
  const near = (value: number) => expect.closeTo(value, 0);

  test.runIf(hasFfmpeg)('of tones is that of their level, also in mono, which plays on two speakers', async () => {
    const file = await upload('loud.wav', makeTone({ level: -8 }));
    expect([file.optimized?.state, file.loudness, file.gain]).toEqual(['waiting', undefined, undefined]);
    expect(await measured(file.id)).toMatchObject({
      ...{ loudness: near(-8), true_peak: near(-8), gain: near(-10) },
      optimized: { state: 'kept', loudness_reason: '' },
    });
    const quiet = await upload('quiet.wav', makeTone({ level: -27, channels: 1 }));
    expect(await measured(quiet.id)).toMatchObject({ loudness: near(-27), gain: near(9) });
  });

  test
    .runIf(hasFfmpeg)
    .each([
      ['loud.mp3'],
      ['loud.ogg', '-c:a', 'libvorbis'],
      ['loud.flac'],
      ['loud.aac'],
      ['loud.m4a'],
      ['loud.mp4', '-f', 'lavfi', '-i', 'testsrc=size=64x36:rate=10:duration=4', '-pix_fmt', 'yuv420p'],
      ['loud.webm', '-c:a', 'libopus'],
    ])('of %s is measured', async (name, ...settings) => {
    const file = await upload(name, await encode(name, -14, ...settings));
    expect(await measured(file.id)).toMatchObject({ loudness: near(-14), gain: near(-4) });
  });

  test.runIf(hasFfmpeg)('has a reason instead of a measurement without audio', async () => {
    const silent = await upload('silent.wav', makeTone({ level: Number.NEGATIVE_INFINITY }));
    expect(await reasonOf(silent.id)).toBe('The audio is silent, or shorter than 0.4 seconds.');
    const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x36:rate=10:duration=1', '-pix_fmt', 'yuv420p'];
    execFileSync('ffmpeg', ['-v', 'error', ...picture, '-y', join(folder, 'mute.mp4')]);
    const mute = await upload('mute.mp4', await readFile(join(folder, 'mute.mp4')));
    expect(await reasonOf(mute.id)).toBe('The file has no audio.');
    // Its samples are zeros, which no decoder reads.
    const damaged = await upload('damaged.mp4', makeFilm());
    expect(await reasonOf(damaged.id)).not.toBe('');
  });

  test('is not measured without ffmpeg or if its output is not as expected, and is later on demand', async () => {
    const path = process.env.PATH;
    const file = await upload('later.wav', makeTone({ level: -9, seconds: 2 }));
    try {
      process.env.PATH = folder;
      expect(await reasonOf(file.id)).toBe('The server has no ffmpeg to measure the loudness.');
      const program = (script: string) => writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      process.env.PATH = `${folder}:${path}`;
      for (const [script, reason] of [
        ['exit 1', 'can’t decode the audio'],
        ['kill -9 $$', 'too much time or memory'],
        ['echo "Summary: I: -9 LUFS Peak: nan dBFS" >&2', 'not as expected'],
      ] as const) {
        await program(script);
        expect(await api.client().media.optimize({ body: { ids: [file.id] } })).toEqual({ planned: 1 });
        expect(await reasonOf(file.id)).toContain(reason);
      }
    } finally {
      process.env.PATH = path;
    }
    if (!hasFfmpeg) return;
    await api.client().media.optimize({ body: { ids: [file.id] } });
    expect(await measured(file.id)).toMatchObject({ loudness: near(-9), optimized: { loudness_reason: '' } });
  });

  test.runIf(hasFfmpeg)('goes to rooms, and with the content when a file is replaced and restored', async () => {
    const client = api.client();
    const file = await upload('first.wav', makeTone({ level: -10 }));
    const room = await client.rooms.create({ body: { title: 'Concert' } });
    const add = { element: 'audio', file_id: file.id } as const;
    await client.rooms.addElement({ params: { id: room.id }, body: { ...add, name: 'Song' } });
    const { slug } = await client.endpoints.create({ body: { name: 'Concert', room_id: room.id } });
    const shown = async () => {
      const { room: shown } = await api.client({ token: null }).visit.one({ params: { slugOne: slug } });
      return shown!.elements[0]!.file;
    };
    expect(await shown()).not.toHaveProperty('gain');
    await measured(file.id);
    expect(await shown()).toMatchObject({ id: file.id, gain: near(-8) });
    expect(await shown()).not.toHaveProperty('loudness');

    const files = { file: fileOf('second.wav', makeTone({ level: -20 })) };
    const replaced = await client.media.replace({ params: { id: file.id }, body: {}, files });
    expect(replaced.gain).toBeUndefined();
    expect(await shown()).not.toHaveProperty('gain');
    expect(await measured(file.id)).toMatchObject({ gain: near(2) });
    expect(await shown()).toMatchObject({ gain: near(2) });

    const [version] = await client.media.versions({ params: { id: file.id } });
    await client.media.restore({ params: { id: file.id }, body: { version_id: version!.id } });
    expect(await shown()).toMatchObject({ gain: near(-8) });
  });

  test.runIf(hasFfmpeg)('of a file that an earlier version converted is measured on demand', async () => {
    const file = await upload('earlier.m4a', await encode('earlier.m4a', -12));
    expect(await measured(file.id)).toMatchObject({ optimized: { state: 'done' } });
    expect(await api.client().media.optimize({ body: { ids: [file.id] } })).toEqual({ planned: 0 });
    await api.services.db.updateTable('media').set({ loudness: null, true_peak: null }).execute();
    expect(await api.client().media.optimize({ body: { ids: [file.id] } })).toEqual({ planned: 1 });
    expect(await measured(file.id)).toMatchObject({ loudness: near(-12), optimized: { state: 'done' } });
    // An attempt that failed is repeated.
    await api.services.db.updateTable('media').set({ loudness: null, true_peak: null }).execute();
    const failed = api.services.db.updateTable('media_optimizations').set({ loudness_reason: 'No ffmpeg.' });
    await failed.where('media_id', '=', file.id).execute();
    expect(await api.client().media.optimize({ body: { ids: [file.id] } })).toEqual({ planned: 1 });
    expect(await measured(file.id)).toMatchObject({ loudness: near(-12), optimized: { loudness_reason: '' } });
  });
});

test('output that names several values, or impossible ones, is not believed', () => {
  const summary = (integrated: string, peak: string) =>
    [
      'title: Summary:\n\n  Integrated loudness:\n    I: -1.0 LUFS',
      '[Parsed_ebur128_0 @ 0x55] Summary:\n\n  Integrated loudness:',
      `    I:         ${integrated} LUFS\n    Threshold: -33.0 LUFS\n\n  Loudness range:`,
      '    LRA:         0.0 LU\n    Threshold: -43.0 LUFS\n    LRA low:   -23.0 LUFS\n    LRA high:  -23.0 LUFS\n',
      `  True peak:\n    Peak:      ${peak} dBFS\n`,
    ].join('\n');
  expect(readSummary(summary('-23.0', '-19.9'))).toEqual({ loudness: -23, true_peak: -19.9 });
  expect(readSummary(summary('-70.0', '-inf'))).toBe('silent');
  for (const [integrated, peak] of [
    ['nan', '-3.0'],
    ['-23.0', '-inf'],
    ['-23.0', 'nan'],
    ['900.0', '0.0'],
    ['-23', '1e9'],
  ])
    expect(readSummary(summary(integrated!, peak!))).toBeNull();
  expect(readSummary('')).toBeNull();
  // Takes time in proportion to its length.
  const spaces = ' '.repeat(10_000);
  const started = performance.now();
  for (const hostile of [`Summary:${spaces}`, summary('-23.0', '-19.9').replaceAll(' ', spaces)])
    expect(readSummary(`${hostile}.`)).toBeNull();
  expect(performance.now() - started).toBeLessThan(1000);
  expect(readSummary(`${summary('-23.0', '-19.9')}Conversion failed!`)).toBeNull();
});
