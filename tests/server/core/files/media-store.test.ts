import { access, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MediaStore } from '../../../../src/server/core/files/media-store.ts';

const HOUR = 60 * 60 * 1000;

describe('the store of media', () => {
  let folder: string;
  let store: MediaStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-store-'));
    store = new MediaStore(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const send = (text: string) =>
    store.receive({ name: 'a.txt', stream: Readable.from([Buffer.from(text)]), truncated: () => false });
  const isKept = (hash: string) =>
    access(store.folderOf(hash)).then(
      () => true,
      () => false,
    );

  test('security 34: forgets what was kept and never noted, after an hour, and nothing else', async () => {
    const noted = await send('noted');
    expect(await store.keep(noted.hash, noted.file, 'a.txt', async () => 'its row')).toBe('its row');
    const lost = await send('lost');
    const fault = new Error('The database is gone.');
    await expect(store.keep(lost.hash, lost.file, 'a.txt', () => Promise.reject(fault))).rejects.toBe(fault);
    const again = await send('again');
    await expect(store.keep(again.hash, again.file, 'a.txt', () => Promise.reject(fault))).rejects.toBe(fault);
    // Whether a database knows a file counts for marked ones only: another database may know the others.
    const needed = async (hash: string) => (hash === again.hash ? new Set<string>() : null);
    await store.sweep(Date.now(), needed);
    expect(await Promise.all([noted, lost, again].map(({ hash }) => isKept(hash)))).toEqual([true, true, true]);

    const arriving = join(folder, 'media/arriving');
    for (const name of await readdir(arriving)) await utimes(join(arriving, name), 0, 0);
    await store.sweep(2 * HOUR, needed);
    expect(await Promise.all([noted, lost, again].map(({ hash }) => isKept(hash)))).toEqual([true, false, true]);
    expect(await readdir(arriving)).toEqual([]);
  });

  test('lets a content stay while somebody needs it', async () => {
    const { hash, file } = await send('stays');
    await store.keep(hash, file, 'a.txt', async () => {});
    await store.remove(hash, async () => new Set());
    expect(await isKept(hash)).toBe(true);
    await store.remove(hash, async () => null);
    expect(await isKept(hash)).toBe(false);
  });
});
