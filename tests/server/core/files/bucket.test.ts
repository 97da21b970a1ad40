import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restoreBackup, withBackup } from '../../../../src/server/app/backup/restore-backup.ts';
import { writeBackup } from '../../../../src/server/app/backup/write-backup.ts';
import { bucketOf } from '../../../../src/server/core/files/bucket.ts';
import { MediaStore } from '../../../../src/server/core/files/media-store.ts';
import { settingsSchema } from '../../../../src/server/core/settings.ts';
import { ApiApp, formOf } from '../../../harness/api-app.ts';
import { S3StandIn } from '../../../harness/stand-ins/s3.ts';
import { StartedServer } from '../../../harness/started-server.ts';
import { zipOf } from '../../../harness/zip.ts';

describe('media in a bucket', () => {
  const storage = new S3StandIn();
  let api: ApiApp;
  let folder: string;
  beforeAll(async () => {
    await storage.start();
    api = await ApiApp.start('sqlite', storage.settings);
    folder = await mkdtemp(join(tmpdir(), 'enfilade-bucket-'));
  });
  afterAll(async () => {
    await api.close();
    await storage.stop();
    await rm(folder, { recursive: true, force: true });
    expect(storage.wrong).toEqual([]);
  });

  const upload = async (name: string, content: Buffer) => {
    const form = formOf({}, { field: 'file', name, content: new Blob([new Uint8Array(content)]) });
    return api.send('POST', '/api/v1/backend/media', { token: api.one.admin.token, form });
  };
  const picture = (color: string) =>
    sharp({ create: { width: 600, height: 300, channels: 3, background: color } })
      .png()
      .toBuffer();
  const page = zipOf([
    { name: 'index.html', content: '<p>Hello</p>' },
    { name: 'more/a b+c é.txt', content: 'more' },
  ]);
  /** What this server's disk holds is gone, as on a server that has never seen the files. */
  const forgetCopies = () => rm(join(api.services.settings.DATA_DIR, 'media'), { recursive: true, force: true });
  const load = async (url: string) => {
    const answer = await fetch(api.origin + url);
    return { status: answer.status, text: await answer.text() };
  };
  const store = (name: string) => new MediaStore(join(folder, name), bucketOf(settingsSchema.parse(storage.settings)));

  test('an upload is served by a server that does not have it, whole, small, and file by file', async () => {
    const { url } = (await upload('a.png', await picture('#B7822F'))).body.data;
    const site = (await upload('page.zip', page)).body.data.url as string;
    await forgetCopies();
    expect((await load(`${url}?width=200`)).status).toBe(200);
    expect((await load(url)).status).toBe(200);
    expect(await load(site)).toEqual({ status: 200, text: '<p>Hello</p>' });
    const beside = site.replace('index.html', `more/${encodeURIComponent('a b+c é.txt')}`);
    expect(await load(beside)).toEqual({ status: 200, text: 'more' });
    expect((await load(site.replace('index.html', 'none.txt'))).status).toBe(404);
  });

  test('many who ask for the same file at once have it fetched once; what nobody holds is not asked for', async () => {
    const { url } = (await upload('b.png', await picture('#1F7A78'))).body.data;
    await forgetCopies();
    storage.takeSeen();
    const answers = await Promise.all(Array.from({ length: 9 }, () => load(url)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(storage.takeSeen()).toHaveLength(1);
    expect((await load(`/media/${'0'.repeat(64)}/a.png`)).status).toBe(404);
    expect(storage.takeSeen()).toEqual([]);
  });

  test('a zipped page is exported whole, and is gone from the bucket when it is removed', async () => {
    const { id, url } = (
      await upload(
        'again.zip',
        zipOf([{ name: 'index.html', content: 'x' }, { name: 'a/b.txt', content: 'b' }, { name: 'c.txt' }]),
      )
    ).body.data;
    const { token } = api.one.admin;
    const content = async () => {
      const path = `${api.origin}/api/v1/backend/media/${id}/content`;
      const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
      return Buffer.from(await answer.arrayBuffer());
    };
    const before = await content();
    await forgetCopies();
    expect(await content()).toEqual(before);
    expect(before.includes('a/b.txt') && before.includes('c.txt')).toBe(true);
    expect((await api.send('DELETE', `/api/v1/backend/media/${id}`, { token })).status).toBe(200);
    const hash = url.split('/')[2];
    expect([...storage.objects.keys()].filter((key) => key.includes(hash))).toEqual([]);
    expect((await load(url)).status).toBe(404);
  });

  test('an original is in the bucket only where it differs, comes back from there, and goes with its file', async () => {
    const content = await sharp(await picture('#8A2BE2'))
      .withExif({ IFD0: { Artist: 'Anna Visser' } })
      .jpeg()
      .toBuffer();
    const { id, url } = (await upload('original.jpg', content)).body.data;
    const { token } = api.one.admin;
    const keys = () => [...storage.objects.keys()].filter((key) => key.includes(url.split('/')[2]));
    expect(keys()).toHaveLength(2);
    await forgetCopies();
    const answer = await fetch(`${api.origin}/api/v1/backend/media/${id}/original`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect((await api.send('DELETE', `/api/v1/backend/media/${id}`, { token })).status).toBe(200);
    expect(keys()).toEqual([]);
  });

  test('security 52: a storage that fails makes an upload fail with 503, and nothing of it stays', async () => {
    const before = { rows: await api.dump(), keys: [...storage.objects.keys()] };
    storage.failNext('forbidden');
    const refused = await upload('c.png', await picture('#B3362B'));
    expect(refused.status).toBe(503);
    expect(refused.body.msg.error).toEqual(["The object storage can't be reached."]);
    expect({ rows: await api.dump(), keys: [...storage.objects.keys()] }).toEqual(before);
    storage.failNext('broken', 'broken');
    const { url } = (await upload('c.png', await picture('#B3362B'))).body.data;
    await forgetCopies();
    storage.failNext('cut');
    expect((await load(url)).status).toBe(503);
    expect((await load(url)).status).toBe(200);
  });

  test('a backup holds what the bucket holds, and goes into another one', async () => {
    const { db, clock } = api.services;
    const target = join(folder, 'backup');
    const manifest = await writeBackup({
      db,
      clock,
      media: store('here'),
      dataFolder: folder,
      target,
      program: 'test',
    });
    const kept = [...storage.objects].map(([key, content]) => [`media/${key}`, content.length]);
    expect(manifest.files.map(({ path, bytes }) => [path, bytes])).toEqual(kept.sort());
    const saved = new Map(storage.objects);
    storage.objects.clear();
    await withBackup(target, (backup) =>
      restoreBackup({ db, media: store('there'), dataFolder: folder, backup, isForced: true }),
    );
    expect(new Map([...storage.objects].sort())).toEqual(new Map([...saved].sort()));
  });

  test('copies that were not used for longest make room, and come back when they are asked for', async () => {
    const media = store('copies');
    const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
    for (const [index, hash] of hashes.entries()) {
      await media.place(`media/${hash.slice(0, 2)}/${hash}/file.bin`, Readable.from([Buffer.alloc(1000, index)]));
      const file = await media.fileOf(hash, 'file.bin');
      await utimes(file, 1000 + index, 1000 + index);
    }
    await media.trim(2500);
    const shelves = await readdir(join(folder, 'copies/media'));
    expect((await Promise.all(shelves.map((name) => readdir(join(folder, 'copies/media', name))))).flat()).toEqual(
      expect.arrayContaining(hashes.slice(1)),
    );
    expect(await readdir(join(folder, 'copies/media/aa'))).toEqual([]);
    expect(await readFile(await media.fileOf(hashes[0]!, 'file.bin'))).toEqual(Buffer.alloc(1000, 0));
    const alone = new MediaStore(join(folder, 'alone'));
    await alone.place(`media/aa/${hashes[0]}/file.bin`, Readable.from([Buffer.alloc(1000)]));
    await alone.trim(0);
    expect(await readdir(join(folder, 'alone/media/aa'))).toEqual([hashes[0]]);
  });

  test.each([
    ['its keys are missing', { S3_ACCESS_KEY_ID: '' }, 'S3_URL needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'],
    ['its keys are wrong', { S3_SECRET_ACCESS_KEY: 'other' }, 'HTTP 403, SignatureDoesNotMatch'],
    ['it is not there', { S3_URL: 'http://127.0.0.1:1/rooms' }, "The bucket of S3_URL can't be used: "],
    ['it has another name', { S3_URL: '/none' }, 'HTTP 404, NoSuchBucket'],
  ])('a server does not start with a bucket when %s, and says so in one sentence', async (_, wrong, sentence) => {
    const settings = { ...storage.settings, ...wrong };
    if (settings.S3_URL === '/none') settings.S3_URL = `${storage.url}/none`;
    const server = new StartedServer({ DATA_DIR: join(folder, 'start'), ...settings });
    expect(await server.ended).toBe(1);
    expect(server.output).toContain(sentence);
    expect(server.output.trim().split('\n')).toHaveLength(1);
  });
});
