import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Media } from '../../../../src/contract/entities.ts';
import { isInstalled } from '../../../../src/server/core/files/decoders/decoder-process.ts';
import { startsFast } from '../../../../src/server/core/files/inspect/metadata/iso-metadata.ts';
import { ApiApp } from '../../../harness/api-app.ts';
import { makeFilm } from '../../../harness/film.ts';
import { databaseAndStorage } from '../../../harness/places.ts';
import { S3StandIn } from '../../../harness/stand-ins/s3.ts';

const hasFfmpeg = isInstalled('ffmpeg');
if (!hasFfmpeg) console.warn('Fast start: skipped, because ffmpeg is not installed.');
const PATIENCE = { timeout: 60_000, interval: 100 };

/** The same file with its index after its samples. Its chunk offsets are wrong, but nothing decodes it. */
function late(film: Buffer): Buffer {
  const at = film.indexOf('moov') - 4;
  const end = at + film.readUInt32BE(at);
  return Buffer.concat([film.subarray(0, at), film.subarray(end), film.subarray(at, end)]);
}

describe.each(databaseAndStorage)('fast start on $kind and $storage', ({ kind, storage }) => {
  const bucket = new S3StandIn();
  let api: ApiApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-fast-'));
    await bucket.start();
    api = await ApiApp.start(kind, storage === 'bucket' ? bucket.settings : {});
  });
  afterAll(async () => {
    await api.close();
    await bucket.stop();
    await rm(folder, { recursive: true });
  });

  /** A file that ffmpeg makes; it puts the index at the end. */
  const make = async (name: string, ...settings: string[]): Promise<Buffer> => {
    const file = join(folder, name);
    execFileSync('ffmpeg', ['-v', 'error', ...settings, '-y', file]);
    return readFile(file);
  };
  /** Checksums of the decoded frames and samples. */
  const frames = async (content: Buffer): Promise<string> => {
    const file = join(folder, 'decoded');
    await writeFile(file, content);
    return execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'framemd5', '-']).toString();
  };
  const isFast = async (content: Buffer) => {
    const source = join(folder, 'order');
    await writeFile(source, content);
    return startsFast({ source });
  };
  const upload = async (name: string, content: Buffer): Promise<Media> =>
    api.client().media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], name) } });
  const load = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(api.origin + url, { headers });
    return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
  };
  const optimizedOf = async (id: number) => (await api.client().media.read({ params: { id } })).optimized!;
  const converted = async (id: number) => {
    api.clock.advance(31_000);
    await expect.poll(async () => (await optimizedOf(id)).state, PATIENCE).not.toBe('waiting');
    return optimizedOf(id);
  };

  test.runIf(hasFfmpeg)('a video whose index is at its end is served with the index at its start', async () => {
    const pictures = ['-f', 'lavfi', '-i', 'testsrc=size=128x72:rate=10:duration=2'];
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=2'];
    const content = await make('late.mp4', ...pictures, ...sound, '-pix_fmt', 'yuv420p', '-map_metadata', '-1');
    expect(await isFast(content)).toBe(false);
    const file = await upload('late.mp4', content);
    expect(file.optimized?.state).toBe('waiting');
    if (storage === 'disk') expect(await isFast((await load(file.url)).content)).toBe(false);
    const { state, reason, bytes } = await converted(file.id);
    expect([state, reason]).toEqual(['done', '']);

    const served = await load(file.url);
    expect(served.headers.get('content-type')).toBe('video/mp4');
    expect(served.headers.get('vary') ?? '').not.toContain('accept');
    expect(served.content).toHaveLength(bytes!);
    expect(await isFast(served.content)).toBe(true);
    expect(await frames(served.content)).toBe(await frames(content));
    const part = await load(file.url, { range: 'bytes=100-299' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${bytes}`]);
    expect(part.content).toEqual(served.content.subarray(100, 300));
    const end = await load(file.url, { range: `bytes=${bytes! - 50}-` });
    expect(end.content).toEqual(served.content.subarray(-50));

    const authorization = `Bearer ${api.one.admin.token}`;
    expect((await load(`/api/v1/backend/media/${file.id}/original`, { authorization })).content).toEqual(content);
    if (storage === 'bucket') {
      await rm(join(api.services.settings.DATA_DIR, 'media'), { recursive: true, force: true });
      expect((await load(file.url)).content).toEqual(served.content);
    }
  });

  test.runIf(hasFfmpeg)('so is audio; a file that starts fast is kept, and says so', async () => {
    const sound = await upload('late.m4a', await make('late.m4a', '-f', 'lavfi', '-i', 'sine=duration=2'));
    expect((await converted(sound.id)).state).toBe('done');
    const { headers, content } = await load(sound.url);
    expect(headers.get('content-type')).toBe('audio/mp4');
    expect(await isFast(content)).toBe(true);
    const film = await upload('fast.mp4', makeFilm());
    expect(await converted(film.id)).toMatchObject({
      ...{ state: 'kept', bytes: null },
      reason: 'Playback starts before the whole file has loaded.',
    });
  });

  test('without ffmpeg, and where it fails, the file is kept, and says so', async () => {
    const path = process.env.PATH;
    const file = await upload('late.mp4', late(makeFilm(21_000)));
    const stored = (await load(file.url)).content;
    try {
      process.env.PATH = folder;
      const { state, reason } = await converted(file.id);
      expect([state, reason]).toEqual(['kept', expect.stringContaining('has no ffmpeg')]);
    } finally {
      process.env.PATH = path;
    }
    if (!hasFfmpeg) return;
    await writeFile(join(folder, 'ffmpeg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    try {
      process.env.PATH = `${folder}:${path}`;
      expect(await api.client().media.optimize({ body: { ids: [file.id] } })).toEqual({ planned: 1 });
      const { state, reason } = await converted(file.id);
      expect([state, reason]).toEqual(['kept', expect.stringContaining('ffmpeg could not')]);
    } finally {
      process.env.PATH = path;
    }
    expect((await load(file.url)).content).toEqual(stored);
  });
});
