import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { MAX_MEDIA_VERSIONS } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';

const ALL = { view_any: true, create: true, update: true, delete: true };

describe.each(databases)('changes of shared files on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  /** Distinct in both databases, which share the folder of media. */
  let colors = kind === 'sqlite' ? 1 << 21 : 3 << 20;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`merge-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  /** An image of one color. */
  const fileOf = async (name: string, color = ++colors) => {
    const background = { r: color & 255, g: (color >> 8) & 255, b: (color >> 16) & 255 };
    const bytes = await sharp({ create: { width: 8, height: 6, channels: 3, background } })
      .png()
      .toBuffer();
    return new File([new Uint8Array(bytes)], name);
  };
  const upload = async (name: string, color?: number) =>
    client.media.upload({ body: {}, files: { file: await fileOf(name, color) } });
  const replace = async (id: number, color?: number, as = client) =>
    as.media.replace({ params: { id }, body: {}, files: { file: await fileOf('new.png', color) } });
  const versionsOf = async (id: number) => (await client.media.versions({ params: { id } })).map(({ url }) => url);
  const statusOf = async (url: string) => (await api.send('GET', url)).status;

  it('merging keeps the earlier versions of the removed files, as far as there is room', async () => {
    const kept = await upload('kept.png');
    const color = colors;
    const twin = await upload('twin.png');
    await replace(twin.id, color);
    await client.media.merge({ params: { id: kept.id }, body: { ids: [twin.id] } });
    expect(await versionsOf(kept.id)).toEqual([twin.url]);
    expect(await statusOf(twin.url)).toBe(200);
    for (let done = 1; done < MAX_MEDIA_VERSIONS; done++) await replace(kept.id);
    const last = colors;
    const other = await upload('other.png');
    await replace(other.id, last);
    await client.media.merge({ params: { id: kept.id }, body: { ids: [other.id] } });
    const versions = await versionsOf(kept.id);
    expect(versions).toHaveLength(MAX_MEDIA_VERSIONS);
    expect([versions[0], versions.includes(twin.url)]).toEqual([other.url, false]);
    expect([await statusOf(other.url), await statusOf(twin.url)]).toEqual([200, 404]);
  });

  it('merging and changing the same files at once waits, and never deadlocks', async () => {
    const [low, high] = [await upload('low.png'), await upload('high.png')];
    const files = [low, high].map(({ id }) => ({ id, alt: 'A' }));
    for (let round = 0; round < 10; round++) {
      const merge = () => client.media.merge({ params: { id: high.id }, body: { ids: [low.id] } });
      const change = () => client.media.updateMany({ body: { files } });
      const ended = await Promise.allSettled([merge(), change(), merge(), change()]);
      const codes = ended.map((each) => (each.status === 'rejected' ? each.reason.code : 'done'));
      expect(codes).toEqual(['invalid', 'done', 'invalid', 'done']);
    }
  });

  it('nobody replaces, restores or merges a file, or a block, that is used where they have no access', async () => {
    const file = await upload('shown.png');
    await replace(file.id);
    const [version] = await client.media.versions({ params: { id: file.id } });
    const placed = await upload('in a block.png');
    const { id: folder } = await client.folders.create({ body: { name: 'Mine' } });
    const room = await client.rooms.create({ body: { title: 'Hidden' } });
    const params = { id: room.id };
    await client.rooms.addElement({ params, body: { element: 'image', file_id: file.id } });
    const element = { id: 1, element: 'group', children: [{ id: 2, element: 'image', file_id: placed.id }] } as const;
    const block = await client.blocks.create({ body: { name: 'Desk', element } });
    const config = { block_id: block.id, block_version: 1, block_elements: [] };
    await client.rooms.addElement({ params, body: { element: 'group', config } });
    const limited = await api.addUser(organization, { media: ALL, rooms: ALL });
    const limits = { folder_ids: [folder], endpoint_ids: [] };
    await client.users.update({ params: { id: limited.id }, body: { limits } });
    const own = api.client(limited);
    const before = await client.media.read({ params: { id: file.id } });
    for (const id of [file.id, placed.id]) {
      expect((await refused(replace(id, undefined, own))).code).toBe('in_use');
      expect((await refused(own.media.remove({ params: { id }, query: { force: '1' } }))).code).toBe('in_use');
    }
    const restore = own.media.restore({ params: { id: file.id }, body: { version_id: version!.id } });
    expect((await refused(restore)).code).toBe('in_use');
    const color = ++colors;
    await replace(placed.id, color);
    const twin = await own.media.upload({ body: {}, files: { file: await fileOf('twin.png', color) } });
    const merged = await own.media.merge({ params: { id: twin.id }, body: { ids: [placed.id] } });
    expect(merged).toEqual({ removed: [], problems: [expect.stringContaining('no access')] });
    const after = await client.blocks.read({ params: block });
    expect(after.element.children![0]!.file_id).toBe(placed.id);
    expect((await client.media.read({ params: { id: file.id } })).url).toBe(before.url);
    // Their own file, which they see everywhere it is used.
    expect((await replace(twin.id, undefined, own)).url).not.toBe(twin.url);
  });
});
