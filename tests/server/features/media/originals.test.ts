import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { moveDatabase } from '../../../../src/server/app/backup/move-database.ts';
import { restoreBackup, withBackup } from '../../../../src/server/app/backup/restore-backup.ts';
import { writeBackup } from '../../../../src/server/app/backup/write-backup.ts';
import { openDatabase } from '../../../../src/server/core/db/database.ts';
import { MediaStore } from '../../../../src/server/core/files/media-store.ts';
import { usageOf } from '../../../../src/server/core/limits/quotas.ts';
import { ApiApp, databases, formOf, refused } from '../../../harness/api-app.ts';
import { heicOf } from '../../../harness/heic.ts';
import { createDatabase } from '../../../harness/test-database.ts';
import { zipOf } from '../../../harness/zip.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A photo with a place and an author, which are not served. */
const photo = (color: string, artist = 'Anna Visser') =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .withExif({ IFD0: { Artist: artist } })
    .jpeg()
    .toBuffer();
const plain = (color: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();

/** A model of one triangle whose texture names an author. */
async function modelOf(color: string): Promise<Buffer> {
  const texture = await photo(color);
  const positions = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const binary = Buffer.concat([positions, texture, Buffer.alloc((4 - (texture.length % 4)) % 4)]);
  const json = Buffer.from(
    JSON.stringify({
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
      materials: [{ emissiveTexture: { index: 0 } }],
      textures: [{ source: 0 }],
      images: [{ bufferView: 1, mimeType: 'image/jpeg' }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
      bufferViews: [
        { buffer: 0, byteLength: positions.length },
        { buffer: 0, byteOffset: positions.length, byteLength: texture.length },
      ],
      buffers: [{ byteLength: binary.length }],
    }),
  );
  const padded = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, ' ')]);
  const head = Buffer.alloc(20);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(28 + padded.length + binary.length, 8);
  head.writeUInt32LE(padded.length, 12);
  head.write('JSON', 16, 'latin1');
  const chunk = Buffer.alloc(8);
  chunk.writeUInt32LE(binary.length, 0);
  chunk.write('BIN\0', 4, 'latin1');
  return Buffer.concat([head, padded, chunk, binary]);
}

describe.each(databases)('originals of uploads on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const upload = (name: string, content: Uint8Array) =>
    client.media.upload({ body: {}, files: { file: new File([Uint8Array.from(content)], name) } });
  const ask = (id: number, token: string | null = api.one.admin.token) =>
    fetch(`${api.origin}/api/v1/backend/media/${id}/original`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
  const originalOf = async (id: number) => Buffer.from(await (await ask(id)).arrayBuffer());
  const rowOf = (id: number) =>
    api.services.db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const storedIn = (hash: string) =>
    readdir(join(api.services.media.folderOf(hash), '.original')).catch(() => [] as string[]);
  const storage = async () => (await usageOf(api.services, api.one.id)).find(({ quota }) => quota === 'storage')!.used;

  it('are given back byte for byte: of images, HEIC, subtitles, models and archives', async () => {
    const files: [string, Uint8Array][] = [
      ['photo.jpg', await photo('#123456')],
      ['plain.png', await plain('#234567')],
      ['IMG_1.HEIC', heicOf({ width: 64, height: 32 }, () => [76, 84, 255])],
      ['words.srt', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n')],
      ['model.glb', await modelOf('#345678')],
      ['page.zip', zipOf([{ name: 'index.html', content: '<p>Hello</p>' }])],
    ];
    for (const [name, content] of files) {
      const before = await storage();
      const { id, bytes, original } = await upload(name, content);
      expect(original).toEqual({ name, bytes: content.length, hash: hashOf(content) });
      expect((await originalOf(id)).equals(content), name).toBe(true);
      const row = await rowOf(id);
      const isSame = name === 'plain.png';
      expect([name, await storedIn(row.hash)]).toEqual([name, isSame ? [] : [hashOf(content)]]);
      expect([name, await storage()]).toEqual([name, before + bytes + (isSame ? 0 : content.length)]);
    }
  });

  it('come as an attachment under their own name, whatever its letters', async () => {
    const { id } = await upload('Büro (1) x’.jpg', await photo('#456789'));
    const { headers } = await ask(id);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="B_ro _1_ x_.jpg"; filename*=UTF-8''B%C3%BCro%20%281%29%20x%E2%80%99.jpg`,
    });
  });

  it('are for users who may see media, of their own organization, and at no public address', async () => {
    const content = await photo('#56789A');
    const { id, url } = await upload('own.jpg', content);
    const [none, seeing] = await Promise.all([
      api.addUser(api.one, {}),
      api.addUser(api.one, { media: { view_any: true, create: false, update: false, delete: false } }),
    ]);
    const tokens = [null, none.token, seeing.token, api.two.admin.token];
    const statuses = await Promise.all(tokens.map(async (token) => (await ask(id, token)).status));
    expect(statuses).toEqual([401, 403, 200, 404]);
    expect((await ask(999_999)).status).toBe(404);
    const { hash } = await rowOf(id);
    const below = url.slice(0, url.lastIndexOf('/'));
    for (const path of [
      `.original/${hashOf(content)}`,
      `%2Eoriginal/${hashOf(content)}`,
      `x/../.original/${hashOf(content)}`,
    ])
      expect([path, (await fetch(`${api.origin}${below}/${path}`)).status]).toEqual([path, 404]);
    expect((await fetch(`${api.origin}/media/${hashOf(content)}/own.jpg`)).status).toBe(404);
    expect(hash).not.toBe(hashOf(content));
    const served = Buffer.from(await (await fetch(api.origin + url)).arrayBuffer());
    expect(served.includes('Anna Visser')).toBe(false);
  });

  it('of files that were uploaded before there were any are not there, until the same file is uploaded again', async () => {
    const content = await photo('#6789AB');
    const { id } = await upload('old.jpg', content);
    const none = { original_hash: null, original_bytes: null, original_name: null };
    await api.services.db.updateTable('media').set(none).where('id', '=', id).execute();
    const error = await refused(client.media.original({ params: { id } }));
    expect([error.status, error.message]).toEqual([404, expect.stringContaining('before version 0.15')]);
    expect((await client.media.read({ params: { id } })).original).toBeNull();
    expect((await upload('old.jpg', content)).id).toBe(id);
    expect((await originalOf(id)).equals(content)).toBe(true);
  });

  it('of two uploads that look the same are two, and each goes with its own file', async () => {
    const [first, second] = [await photo('#789ABC', 'Anna'), await photo('#789ABC', 'Bram')];
    const [one, two] = [await upload('same.jpg', first), await upload('same.jpg', second)];
    expect(one.url).toBe(two.url);
    expect(one.id).not.toBe(two.id);
    expect((await upload('same.jpg', first)).id).toBe(one.id);
    const { hash } = await rowOf(one.id);
    expect(await storedIn(hash)).toEqual([hashOf(first), hashOf(second)].sort());
    await client.media.remove({ params: { id: one.id } });
    expect(await storedIn(hash)).toEqual([hashOf(second)]);
    expect((await originalOf(two.id)).equals(second)).toBe(true);
    await client.media.remove({ params: { id: two.id } });
    expect(await readdir(api.services.media.folderOf(hash)).catch(() => 'gone')).toBe('gone');
  });

  it('are not stored of what visitors share, nor lent by a visitor to a user', async () => {
    const wall = (await client.feeds.create({ body: { type: 'local', name: 'Wall' } })).id;
    const room = (await client.rooms.create({ body: { title: 'Wall' } })).id;
    const config = { feed_enabled: true, feed_id: wall };
    await client.rooms.addElement({ params: { id: room }, body: { element: 'group', config } });
    await client.endpoints.create({ body: { name: 'wall', room_id: room } });
    const content = await photo('#89ABCD');
    const form = formOf(
      { name: 'Eva', feed_id: String(wall), message: 'Look' },
      { field: 'file', name: 'shared.jpg', content: new Blob([Uint8Array.from(content)]) },
    );
    const shared = await api.call(calls.visit.share, {}, { form });
    expect(shared.status, shared.text).toBe(201);
    const { data } = await client.media.list({ query: { search: 'shared.jpg' } });
    expect(data.map(({ original }) => original)).toEqual([null]);
    expect((await ask(data[0]!.id)).status).toBe(404);
    const own = await upload('shared.jpg', content);
    expect(own.id).not.toBe(data[0]!.id);
    expect((await originalOf(own.id)).equals(content)).toBe(true);
  });

  it('count in the quota: an upload that fits without its original alone is refused, and nothing of it stays', async () => {
    const content = zipOf([{ name: 'index.html', content: 'x'.repeat(500) }]);
    const limit = (await storage()) + content.length + 10;
    const quotas = (value: string) =>
      api.services.db.updateTable('organizations').set({ quotas: value }).where('id', '=', api.one.id).execute();
    await quotas(JSON.stringify({ storage: limit }));
    expect((await refused(upload('large.zip', content))).code).toBe('quota');
    expect(await readdir(api.services.media.folderOf(hashOf(content))).catch(() => 'gone')).toBe('gone');
    await quotas('{}');
  });

  it('come along in a backup and when the database is moved', async () => {
    const content = await photo('#9ABCDE');
    const { id } = await upload('kept.jpg', content);
    const { db, clock, media, settings } = api.services;
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-originals-'));
    const places = [await createDatabase(kind), await createDatabase(databases.at(-1)!)];
    try {
      const target = join(folder, 'backup');
      await writeBackup({ db, clock, media, dataFolder: settings.DATA_DIR, target, program: 'test' });
      for (const [index, place] of places.entries()) {
        const other = openDatabase({ url: place.url, folder: join(folder, `${index}`) });
        const store = index === 0 ? new MediaStore(join(folder, 'other')) : media;
        if (index === 0)
          await withBackup(target, (backup) =>
            restoreBackup({ db: other, media: store, dataFolder: join(folder, 'other'), backup }),
          );
        else await moveDatabase(db, other);
        const row = await other.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
        expect(row).toEqual(await rowOf(id));
        const file = await store.fileOf(row.hash, `.original/${row.original_hash}`);
        expect(hashOf(await readFile(file))).toBe(hashOf(content));
        await other.destroy();
      }
    } finally {
      for (const place of places) await place.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
