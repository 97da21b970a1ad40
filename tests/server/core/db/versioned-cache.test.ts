import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VersionedCache } from '../../../../src/server/core/db/versioned-cache.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('a versioned cache on %s', (kind) => {
  let api: ApiApp;
  let reads = 0;
  let cache: VersionedCache<{ read: number }>;
  const find = async () => (await cache.find('key', async () => ({ read: ++reads }))).read;

  beforeAll(async () => {
    api = await ApiApp.start(kind);
    cache = new VersionedCache(api.services.db, api.clock, { maxBytes: 1000, sizeOf: () => 10 });
  });
  afterAll(() => api.close());

  const isCached = kind === 'sqlite';

  it('reads a value once until a second has passed', async () => {
    const first = await find();
    expect(await find()).toBe(isCached ? first : first + 1);
    api.clock.advance(1000);
    expect(await find()).toBe(isCached ? first + 1 : first + 2);
  });

  it('reads it again after any commit, at once', async () => {
    const first = await find();
    await api.services.db.updateTable('organizations').set({ meta_title: 'Changed' }).execute();
    expect(await find()).toBe(first + 1);
  });

  it('reads it again where the change came while it was being read', async () => {
    const { db } = api.services;
    const found = await cache.find('raced', async () => {
      await db.updateTable('organizations').set({ meta_title: 'Raced' }).execute();
      return { read: ++reads };
    });
    expect((await cache.find('raced', async () => ({ read: ++reads }))).read).toBe(found.read + 1);
  });

  it('counts the keys towards its size', async () => {
    const [long, other] = ['a'.repeat(600), 'b'.repeat(600)];
    const read = async (key: string) => (await cache.find(key, async () => ({ read: ++reads }))).read;
    const first = await read(long);
    await read(other);
    expect(await read(long)).toBeGreaterThan(first);
  });
});

describe('lists that are cached as responses', () => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
  });
  afterAll(() => api.close());

  it('show each change at once, to each user with their own rights', async () => {
    const client = api.client();
    const before = await client.rooms.list({ query: {} });
    const { id } = await client.rooms.create({ body: { name: 'New', title: 'New' } });
    const after = await client.rooms.list({ query: {} });
    expect(after.meta.total).toBe(before.meta.total + 1);
    await client.rooms.remove({ params: { id } });
    expect((await client.rooms.list({ query: {} })).meta.total).toBe(before.meta.total);
  });

  it('answer 304 to a client that has the current list', async () => {
    const headers = { authorization: `Bearer ${api.one.admin.token}` };
    const url = `${api.origin}/api/v1/backend/rooms`;
    const first = await fetch(url, { headers });
    const etag = first.headers.get('etag')!;
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304);
    await api.client().rooms.create({ body: { name: 'Another', title: 'Another' } });
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(200);
  });
});
