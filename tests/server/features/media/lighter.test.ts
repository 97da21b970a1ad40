import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIGHT_ENVIRONMENT, LIGHT_MODEL } from '../../../../engine/document/small-copy.ts';
import type { Media } from '../../../../src/contract/entities.ts';
import { lighterPath } from '../../../../src/server/core/files/copies/lighter.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { canMount } from '../../../harness/can-mount.ts';
import { denseModel } from '../../../harness/dense-model.ts';
import { databaseAndStorage } from '../../../harness/places.ts';
import { S3StandIn } from '../../../harness/stand-ins/s3.ts';

const fixture = (name: string) => readFile(join(import.meta.dirname, '../../../../fixtures/media', name));
/** A small image, which is converted fast. */
const picture = async (name: string) =>
  sharp(await fixture(`pictures/${name}`))
    .resize({ width: 500 })
    .toBuffer();
const BROWSER = 'image/avif,image/webp,image/apng,*/*;q=0.8';
/** A Radiance environment, not run-length encoded. */
const noisyEnvironment = (width: number, height: number) => {
  const pixels = Buffer.from(
    Array.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? 128 : (at * 97) % 251)),
  );
  return Buffer.concat([Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`), pixels]);
};
/** Conversions wait for a poll of the queue, and for each other. */
const PATIENCE = { timeout: 60_000, interval: 100 };

/** Both databases on both storages; on the crossed pairs only tests of what is stored and recorded. */
const places = databaseAndStorage.map((place) => ({
  ...place,
  isCrossed: databases.length > 1 && (place.kind === 'postgres') !== (place.storage === 'bucket'),
}));

describe.each(places)('lighter files on $kind and $storage', ({ kind, storage, isCrossed }) => {
  const straight = test.runIf(!isCrossed);
  const bucket = new S3StandIn();
  let api: ApiApp;
  beforeAll(async () => {
    await bucket.start();
    api = await ApiApp.start(kind, storage === 'bucket' ? bucket.settings : {});
  });
  afterAll(async () => {
    await api.close();
    await bucket.stop();
  });

  const upload = async (name: string, content: Buffer): Promise<Media> =>
    api.client().media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], name) } });
  const read = (id: number) => api.client().media.read({ params: { id } });
  const load = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(api.origin + url, { headers });
    return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
  };
  const typeOf = async (url: string, accept?: string) =>
    (await load(url, accept === undefined ? {} : { accept })).headers.get('content-type');
  /** Waits for the conversion of a file. */
  const converted = async (id: number) => {
    api.clock.advance(31_000);
    await expect.poll(async () => (await read(id)).optimized?.state, PATIENCE).not.toBe('waiting');
    return (await read(id)).optimized!;
  };
  const hashOf = (url: string) => url.split('/')[2]!;
  const storedPaths = async (hash: string): Promise<string[]> =>
    storage === 'bucket'
      ? [...bucket.objects.keys()].filter((key) => key.includes(hash))
      : readdir(api.services.media.folderOf(hash), { recursive: true }).catch(() => []);

  straight(
    'an image is served as it is until its lighter versions exist, and then in the best accepted format',
    async () => {
      const content = await fixture('pictures/reeds-at-dusk.jpg');
      const file = await upload('reeds.jpg', content);
      expect(file.optimized).toMatchObject({ state: 'waiting', reason: '', bytes: null });
      expect(await typeOf(file.url, BROWSER)).toBe('image/jpeg');
      const optimized = await converted(file.id);
      expect(optimized).toMatchObject({ state: 'done', reason: '', gpu_bytes: null });
      expect(optimized.bytes!).toBeLessThan(file.bytes * 0.4);

      const light = await load(file.url, { accept: BROWSER });
      expect(light.headers.get('content-type')).toBe('image/avif');
      expect(light.content).toHaveLength(optimized.bytes!);
      expect(await sharp(light.content).metadata()).toMatchObject({ width: file.width, height: file.height });
      for (const name of ['vary', 'cache-control', 'etag', 'x-content-type-options', 'content-security-policy'])
        expect(light.headers.get(name), name).toBeTruthy();
      expect(light.headers.get('vary')).toContain('accept');
      expect(await typeOf(file.url, 'image/webp,*/*')).toBe('image/webp');
      expect(await typeOf(file.url, 'image/avif;q=0, image/webp')).toBe('image/webp');

      const stored = await load(file.url, { accept: '*/*' });
      expect(stored.headers.get('content-type')).toBe('image/jpeg');
      expect(stored.headers.get('vary')).toContain('accept');
      expect(createHash('sha256').update(stored.content).digest('hex')).toBe(hashOf(file.url));
      expect(stored.headers.get('etag')).not.toBe(light.headers.get('etag'));

      const part = await load(file.url, { accept: BROWSER, range: 'bytes=0-99' });
      expect([part.status, part.content.length]).toEqual([206, 100]);
      expect(part.content).toEqual(light.content.subarray(0, 100));
      const known = { accept: BROWSER, 'if-none-match': light.headers.get('etag')! };
      expect((await api.app.inject({ url: file.url, headers: known })).statusCode).toBe(304);
      expect(await typeOf(`${file.url}?width=490`, BROWSER)).toBe('image/avif');
      expect(await typeOf(`${file.url}?width=490`, 'image/webp')).toBe('image/webp');
      expect(await typeOf(`${file.url}?width=200`, BROWSER)).toBe('image/webp');
      const authorization = `Bearer ${api.one.admin.token}`;
      const original = await load(`/api/v1/backend/media/${file.id}/original`, { authorization });
      expect(original.content).toEqual(content);
    },
  );

  test('equal content of another file has its result at once; the versions go with the last file', async () => {
    const content = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#7A1F44' } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const one = await upload('one.png', content);
    expect(await converted(one.id)).toMatchObject({ state: 'done' });
    const other = await upload('other.png', content);
    expect(await converted(other.id)).toMatchObject({ state: 'done' });
    const hash = hashOf(one.url);
    expect((await storedPaths(hash)).some((path) => path.includes('.avif'))).toBe(true);
    const remove = (id: number) => api.client().media.remove({ params: { id }, query: { force: '1' } });
    await remove(one.id);
    expect(await typeOf(other.url, BROWSER)).toBe('image/avif');
    await remove(other.id);
    expect(await storedPaths(hash)).toEqual([]);
    expect((await load(other.url, { accept: BROWSER })).status).toBe(404);
  });

  straight('files that are not made lighter say why', async () => {
    const frame = { create: { width: 90, height: 60, channels: 3, background: '#123456' } } as const;
    const still = await sharp(frame).png().toBuffer();
    const gif = await sharp([still, still], { join: { animated: true } })
      .gif()
      .toBuffer();
    const animated = await upload('moving.gif', gif);
    const avif = await upload('light.avif', await sharp(frame).avif().toBuffer());
    expect(await converted(animated.id)).toMatchObject({
      state: 'kept',
      reason: 'Animated images are kept as they are.',
    });
    expect(await converted(avif.id)).toMatchObject({ state: 'kept', reason: 'AVIF is already a light format.' });
    expect(await typeOf(animated.url, BROWSER)).toBe('image/gif');
  });

  straight('a model is served lighter to rooms only, with less memory on the GPU', async () => {
    const content = await fixture('orrery.glb');
    const file = await upload('orrery.glb', content);
    const { state, bytes, gpu_bytes: after, gpu_bytes_before: before } = await converted(file.id);
    expect(state).toBe('done');
    expect(bytes!).toBeLessThan(file.bytes * 0.6);
    expect(after! / before!).toBeLessThan(0.35);
    const light = await load(file.url, { accept: `${LIGHT_MODEL}, */*` });
    expect(light.headers.get('content-type')).toBe('model/gltf-binary');
    expect(light.content).toHaveLength(bytes!);
    expect((await load(file.url)).content).toEqual(content);
    expect((await load(file.url, { accept: 'image/avif,*/*' })).content).toEqual(content);
  });

  test('a large model has levels of detail at its URL; missing ones redirect to the model', async () => {
    const file = await upload('ball.glb', await denseModel());
    const accept = `${LIGHT_MODEL}, */*`;
    const redirect = await fetch(`${api.origin}${file.url}?level=2`, { headers: { accept }, redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location'), redirect.headers.get('cache-control')]).toEqual([
      302,
      file.url,
      'no-store',
    ]);
    const { state, levels } = await converted(file.id);
    expect([state, levels?.reason, levels?.triangles.length]).toEqual(['done', '', 3]);
    const sizes: number[] = [];
    for (const query of ['', '?level=1', '?level=2']) {
      const { headers, content } = await load(file.url + query, { accept });
      expect(headers.get('content-type')).toBe('model/gltf-binary');
      expect(headers.get('cache-control')).toContain('immutable');
      sizes.push(content.length);
    }
    expect(sizes[1]!).toBeLessThan(sizes[0]! * 0.4);
    expect(sizes[2]!).toBeLessThan(sizes[1]! * 0.6);
    // Other clients get the stored file.
    expect((await load(`${file.url}?level=1`)).content).toHaveLength(file.bytes);
    expect((await load(`${file.url}?level=3`, { accept })).status).toBe(400);
    const paths = await storedPaths(hashOf(file.url));
    expect(paths.filter((path) => /-[12]\.glb$/.test(path))).toHaveLength(2);
    await api.client().media.remove({ params: { id: file.id }, query: { force: '1' } });
    expect(await storedPaths(hashOf(file.url))).toEqual([]);
  });

  straight('models that were converted before there were levels are planned again', async () => {
    const { db, media } = api.services;
    const content = await fixture('orrery.glb');
    const file = await upload('again.glb', content);
    await converted(file.id);
    // The result for equal content isn't copied if it has no levels either.
    const equal = await upload('equal.glb', content);
    await converted(equal.id);
    const plan = () => api.client().media.optimize({ body: { ids: [file.id] } });
    expect(await plan()).toEqual({ planned: 0 });
    const hash = hashOf(file.url);
    await db.updateTable('media_optimizations').set({ levels: null }).where('hash', '=', hash).execute();
    const path = lighterPath(file.url.split('/')[3]!, 'glb');
    await writeFile(join(media.folderOf(hash), path), content);
    await media.share(hash, path);
    const listed = async () => {
      const light = (await load(file.url, { accept: `${LIGHT_MODEL}, */*` })).content;
      return JSON.parse(light.toString('utf8', 20, 20 + light.readUInt32LE(12))).asset.extras?.enfilade?.levels;
    };
    expect(await listed()).toBeUndefined();
    expect(await plan()).toEqual({ planned: 1 });
    const { triangles } = (await converted(file.id)).levels!;
    expect(triangles[0]).toBe(file.details.triangles);
    expect(triangles[1]!).toBeLessThan(triangles[0]! / 2);
    expect(await listed()).toHaveLength(triangles.length - 1);
    if (storage === 'disk') return;
    await rm(join(api.services.settings.DATA_DIR, 'media'), { recursive: true, force: true });
    expect(await listed()).toHaveLength(triangles.length - 1);
  });

  test('an environment is served smaller to rooms only', async () => {
    const content = noisyEnvironment(2560, 256);
    const file = await upload('sky.hdr', content);
    expect(file.optimized).toMatchObject({ state: 'waiting' });
    const { state, bytes, gpu_bytes: after, gpu_bytes_before: before } = await converted(file.id);
    expect([state, after! < before!]).toEqual(['done', true]);
    const light = await load(file.url, { accept: `${LIGHT_ENVIRONMENT}, */*` });
    expect(light.headers.get('content-type')).toBe('image/vnd.radiance');
    expect(light.headers.get('vary')).toContain('accept');
    expect(light.content).toHaveLength(bytes!);
    expect(light.content.toString('latin1', 0, 80)).toContain('-Y 205 +X 2048\n');
    expect((await load(file.url)).content).toEqual(content);
  });

  straight('an environment that is damaged or small is served as it is, and says why', async () => {
    const damaged = await upload('cut.hdr', noisyEnvironment(2560, 256).subarray(0, 9000));
    const small = await upload('small.hdr', noisyEnvironment(512, 16));
    expect(await converted(damaged.id)).toMatchObject({
      state: 'kept',
      reason: 'The HDR file is damaged or incomplete.',
    });
    expect(await converted(small.id)).toMatchObject({
      state: 'kept',
      reason: 'The environment is no larger than rooms need.',
    });
    expect((await load(damaged.url, { accept: `${LIGHT_ENVIRONMENT}, */*` })).content).toHaveLength(9000);
  });

  straight('lighter versions of protected files need the same access, and are cached by browsers only', async () => {
    const file = await upload('secret.webp', await picture('tide-table.webp'));
    expect((await converted(file.id)).state).toBe('done');
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Vault' } });
    await client.rooms.addElement({ params: { id }, body: { element: 'image', file_id: file.id } });
    await client.endpoints.create({ body: { name: 'Vault', room_id: id, is_protected: true } });
    api.clock.advance(3000);
    expect((await load(file.url, { accept: BROWSER })).status).toBe(403);
    const authorization = `Bearer ${api.one.admin.token}`;
    const { headers } = await load(file.url, { accept: BROWSER, authorization });
    expect(['content-type', 'cache-control', 'vary'].map((name) => headers.get(name))).toEqual([
      'image/avif',
      'private, max-age=600',
      'cookie, authorization, accept',
    ]);
  });

  straight('a file that is deleted during its conversion ends it quietly, and leaves nothing', async () => {
    const file = await upload('deleted.jpg', await picture('nine-peaks-in-mist.jpg'));
    api.clock.advance(31_000);
    const rows = () =>
      api.services.db.selectFrom('media_optimizations').select('next_at').where('media_id', '=', file.id);
    // The lease is longer than the wait of a new upload.
    const isLeased = async () =>
      Date.parse((await rows().executeTakeFirstOrThrow()).next_at!) > api.clock.now() + 60_000;
    await expect.poll(isLeased, { timeout: 20_000, interval: 5 }).toBe(true);
    await api.client().media.remove({ params: { id: file.id }, query: { force: '1' } });
    expect(await rows().execute()).toEqual([]);
    // The next conversion begins after the interrupted one.
    const next = await upload('next.jpg', await picture('upper-town.webp'));
    expect((await converted(next.id)).state).toBe('done');
    expect(await storedPaths(hashOf(file.url))).toEqual([]);
  });

  test('a file that is replaced during its conversion gets the lighter version of its new content', async () => {
    const file = await upload('replaced.jpg', await picture('nine-peaks-in-mist.jpg'));
    api.clock.advance(31_000);
    const row = () =>
      api.services.db.selectFrom('media_optimizations').select('next_at').where('media_id', '=', file.id);
    const isLeased = async () =>
      Date.parse((await row().executeTakeFirstOrThrow()).next_at!) > api.clock.now() + 60_000;
    await expect.poll(isLeased, { timeout: 20_000, interval: 5 }).toBe(true);
    const content = new File([new Uint8Array(await picture('high-ground.webp'))], 'other.webp');
    const replaced = await api.client().media.replace({ params: { id: file.id }, body: {}, files: { file: content } });
    expect(replaced.optimized).toMatchObject({ state: 'waiting', bytes: null });
    const { state, bytes } = await converted(file.id);
    expect(state).toBe('done');
    expect((await load(replaced.url, { accept: BROWSER })).content).toHaveLength(bytes!);
  });

  straight('a server that stops during a conversion resumes it when it starts again', async () => {
    const file = await upload('resumed.webp', await picture('currents.webp'));
    api.clock.advance(31_000);
    const rows = () => api.services.db.selectFrom('media_optimizations').selectAll().where('media_id', '=', file.id);
    const isLeased = async () =>
      Date.parse((await rows().executeTakeFirstOrThrow()).next_at!) > api.clock.now() + 60_000;
    await expect.poll(isLeased, { timeout: 20_000, interval: 5 }).toBe(true);
    await api.restart();
    expect((await read(file.id)).optimized?.state).toBe('waiting');
    expect((await load(file.url, { accept: BROWSER })).status).toBe(200);
    expect((await converted(file.id)).state).toBe('done');
    expect(await typeOf(file.url, BROWSER)).toBe('image/avif');
  });

  straight('after a crash, a conversion resumes: at once with SQLite, otherwise when its lease ends', async () => {
    const file = await upload('crashed.webp', await picture('composition-with-three-doors.webp'));
    // A crashed server leaves a leased row, and a file that isn't stored yet.
    const till = new Date(api.clock.now() + 15 * 60_000).toISOString();
    const row = api.services.db.updateTable('media_optimizations').set({ next_at: till });
    await row.where('media_id', '=', file.id).execute();
    await api.services.media.draft();
    await api.restart();
    if (kind === 'postgres') api.clock.advance(15 * 60_000);
    await expect.poll(async () => (await read(file.id)).optimized?.state, PATIENCE).toBe('done');
  });

  test.runIf(canMount && !isCrossed)('a full disk delays a conversion, says so, and loses nothing', async () => {
    const file = await upload('full.webp', await picture('chapel-light.webp'));
    const arriving = join(api.services.settings.DATA_DIR, 'media/arriving');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', arriving]);
    try {
      api.clock.advance(31_000);
      const reason = async () => (await read(file.id)).optimized?.reason;
      await expect.poll(reason, PATIENCE).toBe('The disk of the server is full.');
      expect(await read(file.id)).toMatchObject({ optimized: { state: 'waiting', bytes: null } });
      expect((await load(file.url)).status).toBe(200);
    } finally {
      execFileSync('umount', [arriving]);
    }
    api.clock.advance(60_000);
    expect(await converted(file.id)).toMatchObject({ state: 'done', reason: '' });
  });

  straight(
    'existing files are planned on request: all, or those with the given IDs, of the own organization',
    async () => {
      const { db } = api.services;
      const file = await upload('old.webp', await picture('high-ground.webp'));
      await db.deleteFrom('media_optimizations').where('media_id', '=', file.id).execute();
      expect((await read(file.id)).optimized).toBeNull();
      const two = api.client(api.two.admin);
      await expect(two.media.optimize({ body: { ids: [file.id] } })).rejects.toMatchObject({ code: 'not_found' });
      expect(await two.media.optimize({ body: {} })).toEqual({ planned: 0 });
      expect(await api.client().media.optimize({ body: { ids: [file.id] } })).toEqual({ planned: 1 });
      expect(await api.client().media.optimize({ body: { ids: [file.id] } })).toEqual({ planned: 0 });
      expect((await converted(file.id)).state).toBe('done');
      const { waiting, done, bytes_before, bytes } = await api.client().media.optimizing();
      expect(waiting).toBe(0);
      expect(done).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(bytes_before);
      expect(await two.media.optimizing()).toMatchObject({ done: 0, bytes: 0 });
    },
  );

  test.runIf(storage === 'bucket')('a server that has not seen the versions has them from the bucket', async () => {
    const file = await upload('far.jpg', await picture('warp-and-weft.jpg'));
    expect((await converted(file.id)).state).toBe('done');
    await rm(join(api.services.settings.DATA_DIR, 'media'), { recursive: true, force: true });
    expect(await typeOf(file.url, BROWSER)).toBe('image/avif');
    expect(await typeOf(file.url, '*/*')).toBe('image/jpeg');
  });

  test.runIf(storage === 'bucket' && !isCrossed)('it asks the bucket only for versions that were made', async () => {
    const content = await sharp(await fixture('pictures/sunflower-theorem.webp'))
      .resize({ width: 1000 })
      .webp({ quality: 4 })
      .toBuffer();
    const file = await upload('light.webp', content);
    expect((await converted(file.id)).state).toBe('kept');
    await rm(join(api.services.settings.DATA_DIR, 'media'), { recursive: true, force: true });
    expect(await typeOf(`${file.url}?width=490`, BROWSER)).toBe('image/avif');
    bucket.seen.length = 0;
    for (let times = 0; times < 3; times++) expect(await typeOf(file.url, BROWSER)).toBe('image/webp');
    expect(bucket.seen.map(({ path }) => path).filter((path) => path.includes('.lighter'))).toEqual([]);
  });
});
