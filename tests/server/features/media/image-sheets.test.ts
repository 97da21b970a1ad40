import { execFileSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SHEET } from '../../../../engine/document/sheet-layout.ts';
import type { Media } from '../../../../src/contract/entities.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { canMount } from '../../../harness/can-mount.ts';
import { S3StandIn } from '../../../harness/stand-ins/s3.ts';

/** Images of a room: more than 40, and more than the first sheet shows. */
const COUNT = 70;
/** Sheets wait for a poll of the queue, and for each other. */
const PATIENCE = { timeout: 60_000, interval: 100 };
const DAY = 24 * 60 * 60_000;

/** Both databases and both storages. */
const places = [
  { kind: databases[0]!, storage: 'disk' as const },
  { kind: databases.at(-1)!, storage: 'bucket' as const },
];

const hashOf = (url: string) => /([0-9a-f]{64})\.webp$/.exec(url)![1]!;

describe.each(places)('image sheets on $kind and $storage', ({ kind, storage }) => {
  const bucket = new S3StandIn();
  let api: ApiApp;
  let files: Media[];
  beforeAll(async () => {
    await bucket.start();
    api = await ApiApp.start(kind, storage === 'bucket' ? bucket.settings : {});
    files = [];
    for (let index = 0; index < COUNT; index++) files.push(await upload(colorOf(index)));
  });
  // Tests move the clock past the end of sessions.
  beforeEach(async () => {
    api.one.admin.token = await api.signIn(api.one.admin);
  });
  afterAll(async () => {
    await api.close();
    await bucket.stop();
  });

  const colorOf = (index: number) => ({ r: 40 + index * 3, g: 250 - index * 3, b: (index * 61) % 250 });
  const upload = async (background: { r: number; g: number; b: number; alpha?: number }): Promise<Media> => {
    const channels = background.alpha === undefined ? 3 : 4;
    const content = await sharp({ create: { width: 60, height: 40, channels, background } })
      .png()
      .toBuffer();
    const name = `${JSON.stringify(background)}.png`;
    const files = { file: new File([new Uint8Array(content)], name) };
    const file = await api.client().media.upload({ body: {}, files });
    // Conversions would take the turns of sheets.
    await api.services.db.deleteFrom('media_optimizations').execute();
    return file;
  };
  /** A space with images in a row, the first one nearest to the visitor. */
  const hang = async (images: readonly Media[]) => {
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Hang' } });
    const commands = images.map(({ id: file_id }, index) => ({
      type: 'element.add' as const,
      element: { id: -1 - index, element: 'image', file_id, position_x: index * 100, config: {}, children: [] },
    }));
    await client.rooms.commit({ params: { id }, body: { client: 'test', mutation: 1, commands } });
    return id;
  };
  const show = async (room_id: number, options: { shows?: 'published'; is_protected?: boolean } = {}) =>
    (await api.client().endpoints.create({ body: { name: `Hang ${room_id}`, room_id, ...options } })).slug;
  const sheetsOf = async (slug: string) =>
    (await api.client({ token: null }).visit.one({ params: { slugOne: slug } })).image_sheets;
  const load = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(api.origin + url, { headers });
    return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
  };
  const packed = (url: string, headers: Record<string, string> = {}) =>
    expect.poll(async () => (await load(url, headers)).status, PATIENCE).toBe(200);
  /** The mean color in the middle of a place, with its alpha. */
  const colorAt = async (sheet: Buffer, index: number) => {
    const { side, columns } = SHEET;
    const left = (index % columns) * side + side / 4;
    const top = Math.floor(index / columns) * side + side / 4;
    const part = sharp(sheet).extract({ left, top, width: side / 2, height: side / 2 });
    const { channels } = await sharp(await part.ensureAlpha().png().toBuffer()).stats();
    return channels.map(({ mean }) => mean);
  };
  const storedPaths = async (hash: string): Promise<string[]> =>
    storage === 'bucket'
      ? [...bucket.objects.keys()].filter((key) => key.includes(hash))
      : readdir(api.services.media.folderOf(hash)).catch(() => []);
  const remove = ({ id }: Media) => api.client().media.remove({ params: { id }, query: { force: '1' } });
  const rowOf = (url: string) =>
    api.services.db.selectFrom('image_sheets').selectAll().where('hash', '=', hashOf(url)).executeTakeFirst();

  test('a space with many images has sheets, nearest images first; the first request has them packed', async () => {
    const slug = await show(await hang(files));
    const sheets = (await sheetsOf(slug))!;
    expect(sheets.map(({ file_ids }) => file_ids)).toEqual([
      files.slice(0, SHEET.first).map(({ id }) => id),
      files.slice(SHEET.first).map(({ id }) => id),
    ]);
    const [first, second] = sheets;
    const early = await load(first!.url);
    expect([early.status, early.headers.get('cache-control'), early.content.length]).toEqual([202, 'no-store', 0]);
    await packed(first!.url);
    await packed(second!.url);
    const { content, headers } = await load(first!.url);
    expect(['content-type', 'cache-control', 'x-content-type-options'].map((name) => headers.get(name))).toEqual([
      'image/webp',
      'public, max-age=31536000, immutable',
      'nosniff',
    ]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const { side, columns } = SHEET;
    expect(await sharp(content).metadata()).toMatchObject({ width: columns * side, height: 4 * side });
    for (const index of [0, 17, 63]) {
      const { r, g, b } = colorOf(index);
      const [red, green, blue, alpha] = await colorAt(content, index);
      for (const [found, wanted] of [
        [red, r],
        [green, g],
        [blue, b],
      ] as const)
        expect(Math.abs(found! - wanted), `image ${index}`).toBeLessThan(6);
      expect(alpha).toBe(255);
    }
    const last = (await load(second!.url)).content;
    expect(await sharp(last).metadata()).toMatchObject({ width: columns * side, height: side });
    expect((await colorAt(last, COUNT - SHEET.first))[3]).toBe(0);
    if (storage === 'bucket') {
      await rm(join(api.services.settings.DATA_DIR, 'media'), { recursive: true, force: true });
      expect((await load(first!.url)).content).toEqual(content);
    }
    // A changed space keeps its packed sheets as long as they are used.
    await api.client().rooms.addElement({
      params: { id: Number(first!.url.split('/')[3]) },
      body: { element: 'image', file_id: files[0]!.id, position_x: -100 },
    });
    expect((await load(first!.url)).status).toBe(200);
  });

  test('a space with 40 images has none', async () => {
    expect(await sheetsOf(await show(await hang(files.slice(0, 40))))).toBeUndefined();
  });

  test('publishing plans the sheets of the revision, which edits leave as they are', async () => {
    const id = await hang(files.slice(0, 50));
    const slug = await show(id, { shows: 'published' });
    await api.client().publications.publish({ params: { id }, body: {} });
    const sheets = (await sheetsOf(slug))!;
    expect(sheets[0]!.url).toMatch(new RegExp(`^/media/sheets/${id}/\\d+/`));
    expect(await rowOf(sheets[0]!.url)).toBeDefined();
    await packed(sheets[0]!.url);
    await api.client().rooms.addElement({ params: { id }, body: { element: 'image', file_id: files[60]!.id } });
    expect(await sheetsOf(slug)).toEqual(sheets);
  });

  test('made-up URLs are not found, and plan nothing', async () => {
    const id = await hang(files.slice(5, 50));
    const [sheet] = (await sheetsOf(await show(id)))!;
    const hash = hashOf(sheet!.url);
    const count = async () => (await api.services.db.selectFrom('image_sheets').select('id').execute()).length;
    const before = await count();
    const forged = 'ab'.repeat(32);
    const urls = [
      sheet!.url.replace(hash, forged),
      sheet!.url.replace(`/${id}/`, '/999999/'),
      sheet!.url.replace('edited', '999999'),
      sheet!.url.replace('edited', '0'),
      sheet!.url.replace('edited', '99999999999999999999'),
      sheet!.url.replace(`/${id}/`, '/%00/'),
      sheet!.url.replace('.webp', '.png'),
      `/media/${hash}/.sheet.webp`,
      `/media/${hash}/sheet.webp`,
    ];
    for (const url of urls) expect((await load(url)).status, url).toBe(404);
    // The sheet of another organization's space.
    expect((await api.app.inject({ url: sheet!.url, headers: { host: 'two.example' } })).statusCode).toBe(404);
    expect(await count()).toBe(before);
    await packed(sheet!.url);
    expect((await api.app.inject({ url: sheet!.url, headers: { host: 'two.example' } })).statusCode).toBe(404);
    for (const url of urls.slice(-2)) expect((await load(url)).status, url).toBe(404);
  });

  test('a sheet needs the access to each of its images, and is then cached by browsers only', async () => {
    const secret = await upload({ r: 1, g: 2, b: 3 });
    const id = await hang([...files.slice(0, 45), secret]);
    const [sheet] = (await sheetsOf(await show(id)))!;
    await packed(sheet!.url);
    // The structure becomes protected: one image is shown nowhere else.
    const endpoint = (await api.client().endpoints.list()).find(({ room_id }) => room_id === id)!;
    await api.client().endpoints.update({ params: { id: endpoint.id }, body: { is_protected: true } });
    api.clock.advance(3000);
    expect((await load(files[0]!.url)).status).toBe(200);
    expect((await load(secret.url)).status).toBe(403);
    expect((await load(sheet!.url)).status).toBe(403);
    const authorization = `Bearer ${api.one.admin.token}`;
    const { status, headers } = await load(sheet!.url, { authorization });
    expect([status, headers.get('cache-control'), headers.get('vary')]).toEqual([
      200,
      'private, max-age=600',
      'cookie, authorization',
    ]);
    const other = { authorization: `Bearer ${api.two.admin.token}` };
    expect((await load(sheet!.url, other)).status).toBe(403);
  });

  test('a sheet goes with the first of its images that is deleted, also while it is packed', async () => {
    const deleted = await upload({ r: 9, g: 99, b: 199 });
    const id = await hang([deleted, ...files.slice(0, 44)]);
    const slug = await show(id);
    const [sheet] = (await sheetsOf(slug))!;
    await packed(sheet!.url);
    expect((await storedPaths(hashOf(sheet!.url))).length).toBe(1);
    await remove(deleted);
    expect(await storedPaths(hashOf(sheet!.url))).toEqual([]);
    expect((await load(sheet!.url)).status).toBe(404);
    const [next] = (await sheetsOf(slug))!;
    expect(next!.file_ids).toEqual(files.slice(0, 44).map((file) => file.id));

    const gone = await upload({ r: 10, g: 100, b: 200 });
    const other = await show(await hang([gone, ...files.slice(10, 60)]));
    const [under] = (await sheetsOf(other))!;
    await load(under!.url);
    const isLeased = async () => Date.parse((await rowOf(under!.url))!.next_at!) > api.clock.now();
    await expect.poll(isLeased, { timeout: 20_000, interval: 5 }).toBe(true);
    await remove(gone);
    expect(await rowOf(under!.url)).toBeUndefined();
    // The next sheet is packed after the interrupted one.
    await packed((await sheetsOf(other))![0]!.url);
    expect(await storedPaths(hashOf(under!.url))).toEqual([]);
    expect((await load(under!.url)).status).toBe(404);
  });

  test('images that can’t be drawn, and those with transparency, leave a place that is not opaque', async () => {
    const clear = await upload({ r: 200, g: 0, b: 0, alpha: 0.5 });
    const broken = await upload({ r: 201, g: 1, b: 1 });
    const [hash, entry] = broken.url.split('/').slice(2);
    const slug = await show(await hang([clear, broken, ...files.slice(0, 44)]));
    // The stored file is lost.
    const path = join(api.services.media.folderOf(hash!), entry!);
    await rm(path, { force: true });
    for (const key of bucket.objects.keys()) if (key.includes(hash!)) bucket.objects.delete(key);
    const [sheet] = (await sheetsOf(slug))!;
    await load(sheet!.url);
    const isDelayed = async () => (await rowOf(sheet!.url))!.attempts > 0;
    await expect.poll(isDelayed, PATIENCE).toBe(true);
    api.clock.advance(2 * 60_000);
    await packed(sheet!.url);
    const { content } = await load(sheet!.url);
    const alphaOf = async (file: Media) => (await colorAt(content, sheet!.file_ids.indexOf(file.id)))[3]!;
    expect(await alphaOf(broken)).toBe(0);
    expect(await alphaOf(clear)).toBeLessThan(200);
    expect(await alphaOf(files[3]!)).toBe(255);
  });

  test('a server that is stopped or killed while it packs a sheet packs it later', async () => {
    const [sheet] = (await sheetsOf(await show(await hang(files.slice(2, 62)))))!;
    await load(sheet!.url);
    // A killed server leaves a leased row, and a file that isn't stored yet.
    const till = new Date(api.clock.now() + 30 * 60_000).toISOString();
    await expect.poll(async () => (await rowOf(sheet!.url))?.next_at !== undefined, PATIENCE).toBe(true);
    await api.services.media.draft();
    const row = api.services.db.updateTable('image_sheets').set({ next_at: till, bytes: null });
    await api.restart();
    await row
      .where('hash', '=', hashOf(sheet!.url))
      .execute()
      .catch(() => undefined);
    api.clock.advance(31 * 60_000);
    await packed(sheet!.url);
  });

  test.runIf(canMount)('a full disk delays a sheet and loses nothing', async () => {
    const [sheet] = (await sheetsOf(await show(await hang(files.slice(3, 63)))))!;
    const arriving = join(api.services.settings.DATA_DIR, 'media/arriving');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', arriving]);
    execFileSync('dd', ['if=/dev/zero', `of=${arriving}/fill`, 'bs=4k', 'count=1'], { stdio: 'ignore' });
    try {
      expect((await load(sheet!.url)).status).toBe(202);
      await expect.poll(async () => (await rowOf(sheet!.url))!.attempts, PATIENCE).toBe(1);
      expect((await load(sheet!.url)).status).toBe(202);
      expect((await load(files[3]!.url)).status).toBe(200);
    } finally {
      execFileSync('umount', [arriving]);
    }
    api.clock.advance(2 * 60_000);
    await packed(sheet!.url);
  });

  test('an organization has at most 100 waiting sheets; a lost sheet is packed again', async () => {
    const { db } = api.services;
    const [sheet] = (await sheetsOf(await show(await hang(files.slice(4, 64)))))!;
    const soon = new Date(api.clock.now() + DAY).toISOString();
    const values = { organization_id: api.one.id, bytes: null, used_at: soon, next_at: soon };
    const fill = Array.from({ length: 100 }, (_, index) => ({ ...values, hash: `filled ${index}` }));
    await db.insertInto('image_sheets').values(fill).execute();
    expect((await load(sheet!.url)).status).toBe(503);
    await db.deleteFrom('image_sheets').where('hash', 'like', 'filled %').execute();
    await packed(sheet!.url);
    await rm(api.services.media.folderOf(hashOf(sheet!.url)), { recursive: true });
    for (const key of await storedPaths(hashOf(sheet!.url))) bucket.objects.delete(key);
    expect((await load(sheet!.url)).status).toBe(202);
    await packed(sheet!.url);
  });

  test('sheets that no visitor has loaded for a week are deleted', async () => {
    const [used, unused] = await Promise.all([
      hang(files.slice(0, 47)).then(show).then(sheetsOf),
      hang(files.slice(0, 48)).then(show).then(sheetsOf),
    ]);
    const [used_url, unused_url] = [used![0]!.url, unused![0]!.url];
    await packed(used_url);
    await packed(unused_url);
    api.clock.advance(6 * DAY);
    expect((await load(used_url)).status).toBe(200);
    api.clock.advance(2 * DAY);
    const { sweepSheets } = await import('../../../../src/server/features/media/image-sheets.ts');
    await sweepSheets(api.services);
    expect((await load(used_url)).status).toBe(200);
    expect(await storedPaths(hashOf(unused_url))).toEqual([]);
    // The next visitor has it packed again.
    expect((await load(unused_url)).status).toBe(202);
  });
});
