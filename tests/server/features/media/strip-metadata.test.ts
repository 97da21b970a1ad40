import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { stripOldFiles } from '../../../../src/server/features/media/jobs.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const SECRET = 'Anna Visser, 52.3676';

describe.each(databases)('files that were stored with their metadata, on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const photo = (color: string) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
      .withExif({ IFD0: { Artist: SECRET } })
      .jpeg()
      .toBuffer();
  /** A file as it was stored before 0.15. */
  async function storeOld(content: Buffer, entry: string, { userId = api.one.admin.id as number | null } = {}) {
    const { db, clock, media } = api.services;
    const hash = createHash('sha256').update(content).digest('hex');
    await mkdir(media.folderOf(hash), { recursive: true });
    await writeFile(join(media.folderOf(hash), entry), content);
    const at = new Date(clock.now()).toISOString();
    const { id } = await db
      .insertInto('media')
      .values({
        organization_id: api.one.id,
        user_id: userId,
        name: `My ${entry}`,
        type: 'image',
        mime: 'image/jpeg',
        bytes: content.length,
        hash,
        entry,
        width: 60,
        height: 40,
        duration: null,
        details: '{}',
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, hash, path: `/media/${hash}/${entry}` };
  }
  const served = async (path: string) => Buffer.from(await (await fetch(api.origin + path)).arrayBuffer());
  const strip = () => stripOldFiles(api.services, () => false);

  it('are stripped once, under the same addresses; what users uploaded can be had as it came, by them', async () => {
    const [one, two, shared] = [await photo('#840'), await photo('#048'), await photo('#484')];
    const mine = await storeOld(one, 'mine.jpg');
    const other = await storeOld(two, 'other.jpg');
    const visitors = await storeOld(shared, 'visitors.jpg', { userId: null });
    const broken = await storeOld(Buffer.from(`${SECRET} is no image`), 'broken.jpg');
    expect((await served(mine.path)).includes(SECRET)).toBe(true);

    expect(await strip()).toBe(3);
    for (const { path } of [mine, other, visitors]) {
      const bytes = await served(path);
      expect(bytes.includes(SECRET)).toBe(false);
      expect((await sharp(bytes).metadata()).width).toBe(60);
    }
    expect(await served(broken.path)).toHaveLength(`${SECRET} is no image`.length);
    const token = api.one.admin.token;
    const original = await api.call(calls.media.original, { id: mine.id }, { token });
    expect([original.status, original.text.includes(SECRET)]).toEqual([200, true]);
    expect((await api.call(calls.media.original, { id: visitors.id }, { token })).status).toBe(404);
    const row = await api.client().media.read({ params: { id: mine.id } });
    expect(row).toMatchObject({ width: 60, height: 40, bytes: (await served(mine.path)).length });
    expect(row.original).toMatchObject({ name: 'My mine.jpg', bytes: one.length });

    expect(await strip()).toBe(0);
    expect(await readdir(join(api.services.settings.DATA_DIR, 'media/arriving'))).toEqual([]);
  });

  it('are stripped to the end after an interruption, wherever that was', async () => {
    const files: Awaited<ReturnType<typeof storeOld>>[] = [];
    const contents: Buffer[] = [];
    for (let number = 0; number < 5; number++) {
      contents.push(await photo(`#0${number}${number}`));
      files.push(await storeOld(contents[number]!, `photo-${number}.jpg`));
    }
    let looks = 0;
    expect(await stripOldFiles(api.services, () => ++looks > 2)).toBe(2);
    // The server ends after the third file was replaced and before that was noted.
    const { db } = api.services;
    await stripOldFiles(api.services, () => ++looks > 4);
    const third = files[2]!;
    await db
      .updateTable('media')
      .set({ stripping: null, original_hash: null, original_bytes: null, original_name: null })
      .where('id', '=', third.id)
      .execute();
    await strip();
    for (const { path } of files) expect((await served(path)).includes(SECRET)).toBe(false);
    const { original } = await api.client().media.read({ params: { id: third.id } });
    expect(original).toMatchObject({ bytes: contents[2]!.length, hash: third.hash });
    const kept = await readFile(join(api.services.media.folderOf(third.hash), '.original', third.hash));
    expect(kept.equals(contents[2]!)).toBe(true);
  });

  it('are stripped, too, if they were replaced before', async () => {
    const content = await photo('#640');
    const { id, hash, path } = await storeOld(content, 'replaced.jpg');
    const params = { id };
    const file = new File([new Uint8Array(await photo('#046'))], 'new.jpg');
    await api.client().media.replace({ params, body: {}, files: { file } });
    expect((await served(path)).includes(SECRET)).toBe(true);
    expect(await strip()).toBe(1);
    const bytes = await served(path);
    expect(bytes.includes(SECRET)).toBe(false);
    const [version] = await api.client().media.versions({ params });
    expect(version).toMatchObject({ bytes: bytes.length, width: 60 });
    const restored = await api.client().media.restore({ params, body: { version_id: version!.id } });
    expect(restored).toMatchObject({ url: path, original: { name: 'My replaced.jpg', bytes: content.length, hash } });
    expect(await strip()).toBe(0);
  });

  it('are stripped by the server itself when it starts', async () => {
    const { path } = await storeOld(await photo('#f0f'), 'late.jpg');
    await api.restart();
    await expect.poll(async () => (await served(path)).includes(SECRET), { timeout: 30_000 }).toBe(false);
  });
});
