import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { MAX_MEDIA_VERSIONS, type Media } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';
import { unzip } from '../../../harness/zip.ts';

const SEEN = { view_any: true, create: false, update: false, delete: false };
const ALL = { view_any: true, create: true, update: true, delete: true };

/** An image of one color. */
async function imageOf(color: number, { width = 8, height = 6 } = {}): Promise<Uint8Array<ArrayBuffer>> {
  const background = { r: color & 255, g: (color >> 8) & 255, b: (color >> 16) & 255 };
  return new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer(),
  );
}

describe.each(databases)('the media library on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  /** Distinct in both databases, which share the folder of media. */
  let colors = kind === 'sqlite' ? 0 : 1 << 20;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`library-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  const fileOf = async (name: string, color = ++colors, size = {}) => new File([await imageOf(color, size)], name);
  const upload = async (name: string, color?: number, query: { folder_id?: number } = {}): Promise<Media> =>
    client.media.upload({ query, body: {}, files: { file: await fileOf(name, color) } });
  const names = async (query: NonNullable<Parameters<Client['media']['list']>[0]>['query']) =>
    (await client.media.list({ query })).data.map(({ name }) => name);
  const hall = async (...files: number[]) => {
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    for (const file_id of files)
      await client.rooms.addElement({
        params: { id: room.id },
        body: { element: 'image', name: `Image ${file_id}`, file_id },
      });
    return room.id;
  };
  const read = (id: number) => client.media.read({ params: { id } });
  const replace = async (id: number, color?: number) =>
    client.media.replace({ params: { id }, body: {}, files: { file: await fileOf('new.png', color) } });
  const statusOf = async (url: string) => (await api.send('GET', url)).status;

  it('has folders: a tree of its own, with files in it; removing one moves them up', async () => {
    const { id: museum } = await client.mediaFolders.create({ body: { name: 'Museum' } });
    const { id: east } = await client.mediaFolders.create({ body: { name: 'East', parent_id: museum } });
    expect((await refused(client.mediaFolders.create({ body: { name: 'museum' } }))).msg).toHaveProperty('name');
    const [a, b] = [await upload('a.png'), await upload('b.png', undefined, { folder_id: east })];
    expect([a.folder_id, b.folder_id]).toEqual([null, east]);
    await client.media.updateMany({ body: { files: [{ id: a.id, folder_id: museum }] } });
    expect(await names({ folder_id: museum })).toEqual(['b.png', 'a.png']);
    expect(await names({ folder_id: east })).toEqual(['b.png']);
    expect(await names({ folder_id: 0 })).toEqual([]);
    expect((await client.mediaFolders.list()).map(({ name, files }) => [name, files])).toEqual([
      ['East', 1],
      ['Museum', 1],
    ]);
    expect((await client.folders.list()).length).toBe(0);
    await client.mediaFolders.remove({ params: { id: east } });
    expect((await read(b.id)).folder_id).toBe(museum);
    for (const folder_id of [east, 999_999])
      expect((await refused(client.media.update({ params: { id: a.id }, body: { folder_id } }))).msg).toHaveProperty(
        'folder_id',
      );
    expect((await refused(upload('c.png', undefined, { folder_id: east }))).msg).toHaveProperty('folder_id');
  });

  it('moving files while their folders are removed neither fails midway nor leaves them in a missing folder', async () => {
    const files: number[] = [];
    for (let index = 0; index < 6; index++) files.push((await upload(`${index}.png`)).id);
    for (let round = 0; round < 5; round++) {
      const folders: number[] = [];
      for (const name of ['One', 'Two']) folders.push((await client.mediaFolders.create({ body: { name } })).id);
      const moves = folders.flatMap((folder_id) => [
        client.media.updateMany({ body: { files: files.map((id) => ({ id, folder_id })) } }),
        client.media.updateMany({ body: { files: files.toReversed().map((id) => ({ id, folder_id })) } }),
        client.mediaFolders.remove({ params: { id: folder_id } }),
      ]);
      const failed = (await Promise.allSettled(moves)).flatMap((each) =>
        each.status === 'rejected' ? each.reason : [],
      );
      expect(failed.filter(({ code }) => code !== 'invalid')).toEqual([]);
      for (const id of files) expect((await read(id)).folder_id).toBeNull();
    }
  });

  it('changes many files at once: all of them or none', async () => {
    const [a, b] = [await upload('a.png'), await upload('b.png')];
    const { data } = {
      data: await client.media.updateMany({
        body: {
          files: [
            { id: a.id, alt: 'A', add_keywords: ['red', 'red'] },
            { id: b.id, name: 'c.png', keywords: ['blue'], add_keywords: ['red'], remove_keywords: ['blue'] },
          ],
        },
      }),
    };
    expect(data.map(({ name, alt, keywords }) => [name, alt, keywords])).toEqual([
      ['a.png', 'A', ['red']],
      ['c.png', '', ['red']],
    ]);
    const wrong = client.media.updateMany({
      body: {
        files: [
          { id: a.id, alt: 'B' },
          { id: 999_999, alt: 'C' },
        ],
      },
    });
    expect((await refused(wrong)).code).toBe('not_found');
    expect((await read(a.id)).alt).toBe('A');
    const many = Array.from({ length: 100 }, (_, index) => `word ${index}`);
    const tooMany = client.media.updateMany({ body: { files: [{ id: a.id, add_keywords: many }] } });
    expect((await refused(tooMany)).msg).toHaveProperty('add_keywords');
  });

  it('filters by keyword, use, alternative text, size and content, and sorts', async () => {
    const [a, b, c] = [await upload('a.png'), await upload('b.png', 77 + colors), await upload('c.png')];
    const twin = await upload('twin.png', 77 + colors - 2);
    await client.media.updateMany({
      body: {
        files: [
          { id: a.id, keywords: ['red', 'a "b" %_'], alt: 'A' },
          { id: b.id, keywords: ['red fox'] },
        ],
      },
    });
    expect(await client.media.keywords()).toEqual([
      { keyword: 'a "b" %_', files: 1 },
      { keyword: 'red', files: 1 },
      { keyword: 'red fox', files: 1 },
    ]);
    expect(await names({ keyword: 'red' })).toEqual(['a.png']);
    expect(await names({ keyword: 'a "b" %_' })).toEqual(['a.png']);
    expect(await names({ keyword: 're%' })).toEqual([]);
    expect(await names({ without_alt: '1', sort: 'name' })).not.toContain('a.png');
    await hall(c.id);
    expect(await names({ used: '1' })).toEqual(['c.png']);
    expect(await names({ used: '0', sort: 'name' })).toEqual(['a.png', 'b.png', 'twin.png']);
    expect(await names({ min_bytes: a.bytes + 1_000_000 })).toEqual([]);
    expect(await names({ max_bytes: a.bytes + 1_000_000, sort: '-name', per_page: 1, page: 2 })).toEqual(['c.png']);
    expect((await client.media.list({ query: { per_page: 1 } })).total).toBe(4);
    expect(await names({ same_as: twin.id })).toContain('twin.png');
    expect(await names({ same_as: 999_999 })).toEqual([]);
  });

  it('says that files are used by every kind of use, as the filter does', async () => {
    const files: Media[] = [];
    for (const name of ['logo', 'background', 'marker', 'published', 'block', 'unused'])
      files.push(await upload(`${name}.png`));
    const [logo, background, marker, published, block, unused] = files.map(({ id }) => id) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    await client.organizations.update({ body: { logo_file_id: logo } });
    const template = await client.templates.create({
      body: { name: 'Dark', width: 1, height: 1, depth: 1, background_file_id: background },
    });
    const room = await hall();
    // Only a model marks visitors.
    await api.services.db.updateTable('media').set({ type: 'object' }).where('id', '=', marker).execute();
    await client.rooms.update({ params: { id: room }, body: { config: { realtime_file_id: marker } } });
    const shown = await hall(published);
    await client.publications.publish({ params: { id: shown }, body: {} });
    const [element] = await client.elements.list({ query: { room_id: shown } });
    await client.elements.remove({ params: { id: element!.id } });
    await client.blocks.create({
      body: {
        name: 'Desk',
        element: { id: 1, element: 'group', children: [{ id: 2, element: 'image', file_id: block }] },
      },
    });
    const usesOf = async (id: number) => (await client.media.uses({ params: { id } })).uses.map(({ kind }) => kind);
    expect(await usesOf(logo)).toEqual(['organization']);
    expect((await client.media.uses({ params: { id: background } })).uses).toEqual([
      { kind: 'template', id: template.id, name: 'Dark', elements: [] },
    ]);
    expect(await usesOf(marker)).toEqual(['room']);
    expect(await usesOf(published)).toEqual(['published']);
    expect(await usesOf(block)).toEqual(['block']);
    expect(await names({ used: '0' })).toEqual(['unused.png']);
    expect((await names({ used: '1' })).length).toBe(5);
    expect((await refused(client.media.remove({ params: { id: published } }))).code).toBe('in_use');
    await client.media.remove({ params: { id: unused } });
  });

  it('names the elements of uses, and counts those that the caller may not see', async () => {
    const file = await upload('a.png');
    const { id: folder } = await client.folders.create({ body: { name: 'Mine' } });
    const [room, other] = [await hall(file.id), await hall(file.id)];
    await client.rooms.move({ params: { id: room }, body: { folder_id: folder } });
    const whole = await client.media.uses({ params: { id: file.id } });
    expect(whole).toMatchObject({ hidden: 0, uses: [{ id: room }, { id: other }] });
    expect(whole.uses[0]!.elements).toEqual([{ id: expect.any(Number), name: `Image ${file.id}` }]);
    const limited = await api.addUser(organization, { media: ALL, rooms: ALL });
    await client.users.update({
      params: { id: limited.id },
      body: { limits: { folder_ids: [folder], endpoint_ids: [] } },
    });
    const own = api.client(limited);
    expect(await own.media.uses({ params: { id: file.id } })).toMatchObject({ hidden: 1, uses: [{ id: room }] });
    const blind = api.client(await api.addUser(organization, { media: SEEN }));
    expect(await blind.media.uses({ params: { id: file.id } })).toEqual({ hidden: 2, uses: [] });
    // A limited user moves no use that they don't see.
    const twin = await own.media.upload({ body: {}, files: { file: await fileOf('twin.png', colors) } });
    const merged = await own.media.merge({ params: { id: twin.id }, body: { ids: [file.id] } });
    expect(merged).toMatchObject({ removed: [], problems: [expect.stringContaining('no access')] });
    expect((await client.media.uses({ params: { id: file.id } })).uses).toHaveLength(2);
  });

  it('replaces a file and keeps every use: also in rooms that are cached, and in published ones', async () => {
    const file = await upload('a.png');
    await client.media.update({ params: { id: file.id }, body: { alt: 'Old', title: 'Title' } });
    const room = await hall(file.id);
    const published = await hall(file.id);
    await client.publications.publish({ params: { id: published }, body: {} });
    const urlIn = async (id: number) => {
      const [element] = await client.elements.list({ query: { room_id: id } });
      return element!.file?.url;
    };
    const shownIn = async (slug: string) => {
      const host = organization.host!;
      return (
        await api.app.inject({ method: 'POST', url: `/api/v1/endpoints/${slug}`, headers: { host }, payload: {} })
      ).body;
    };
    const { slug } = await client.endpoints.create({
      body: { name: 'Door', room_id: published, shows: 'published' },
    });
    expect(await shownIn(slug)).toContain(file.url);
    await client.rooms.read({ params: { id: room } });
    const after = await replace(file.id);
    expect(after).toMatchObject({ id: file.id, name: 'a.png', alt: 'Old', title: 'Title', folder_id: null });
    expect(after.url).not.toBe(file.url);
    expect(await urlIn(room)).toBe(after.url);
    expect(JSON.stringify(await client.rooms.read({ params: { id: room } }))).toContain(after.url);
    expect(await shownIn(slug)).toContain(after.url);
    expect(await shownIn(slug)).not.toContain(file.url);
    const [version, ...none] = await client.media.versions({ params: { id: file.id } });
    expect([version!.url, none]).toEqual([file.url, []]);
    // Pages that are still open load the old file.
    expect(await statusOf(file.url)).toBe(200);
    const back = await client.media.restore({ params: { id: file.id }, body: { version_id: version!.id } });
    expect(back.url).toBe(file.url);
    expect((await client.media.versions({ params: { id: file.id } })).map(({ url }) => url)).toEqual([after.url]);
    await client.media.remove({ params: { id: file.id }, query: { force: '1' } }).catch(() => undefined);
  });

  it('the same content replaces nothing; other types, other organizations and missing rights are refused', async () => {
    const file = await upload('a.png');
    expect((await replace(file.id, colors - 0)).url).toBeDefined();
    const same = new File([await imageOf(colors)], 'a.png');
    await client.media.replace({ params: { id: file.id }, body: {}, files: { file: same } });
    const versions = (await client.media.versions({ params: { id: file.id } })).length;
    await client.media.replace({ params: { id: file.id }, body: {}, files: { file: same } });
    expect((await client.media.versions({ params: { id: file.id } })).length).toBe(versions);
    const text = new File(['WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n'], 'a.vtt');
    const wrong = await refused(client.media.replace({ params: { id: file.id }, body: {}, files: { file: text } }));
    expect(wrong.code).toBe('wrong_type');
    const reader = api.client(await api.addUser(organization, { media: SEEN }));
    const stranger = api.client((await api.addOrganization(`stranger-${count}.example`)).admin);
    const params = { id: file.id };
    const body = { version_id: 1 };
    for (const [who, code] of [
      [reader, 'forbidden'],
      [stranger, 'not_found'],
    ] as const) {
      expect((await refused(who.media.replace({ params, body: {}, files: { file: same } }))).code).toBe(code);
      expect((await refused(who.media.restore({ params, body }))).code).toBe(code);
      expect((await refused(who.media.updateMany({ body: { files: [{ id: file.id, alt: 'x' }] } }))).code).toBe(code);
      expect((await refused(who.media.merge({ params, body: { ids: [file.id] } }))).code).toBe(code);
    }
    for (const call of ['uses', 'versions'] as const)
      expect((await refused(stranger.media[call]({ params }))).code).toBe('not_found');
    expect((await refused(stranger.media.archive({ query: { ids: String(file.id) } }))).code).toBe('not_found');
    const other = await upload('b.png');
    await replace(other.id);
    const [version] = await client.media.versions({ params: { id: other.id } });
    const swapped = client.media.restore({ params, body: { version_id: version!.id } });
    expect((await refused(swapped)).code).toBe('not_found');
  });

  it('keeps ten versions, counts them as storage, and removes their contents with the file', async () => {
    const first = await upload('a.png');
    const urls = [first.url];
    for (let done = 0; done <= MAX_MEDIA_VERSIONS; done++) urls.push((await replace(first.id)).url);
    const versions = await client.media.versions({ params: { id: first.id } });
    expect(versions.map(({ url }) => url)).toEqual(urls.slice(1, -1).toReversed());
    expect(await statusOf(urls[0]!)).toBe(404);
    expect(await statusOf(urls[1]!)).toBe(200);
    const usage = async () => (await client.organizations.usage()).find(({ quota }) => quota === 'storage')!.used;
    const before = await usage();
    await client.media.remove({ params: { id: first.id } });
    expect(before - (await usage())).toBeGreaterThan(MAX_MEDIA_VERSIONS * 50);
    for (const url of urls) expect(await statusOf(url)).toBe(404);
  });

  it('content that a version shares with another file stays when either goes', async () => {
    const [file, twin] = [await upload('a.png'), await upload('twin.png', colors)];
    await replace(file.id);
    await client.media.remove({ params: { id: twin.id } });
    expect(await statusOf(file.url)).toBe(200);
    await client.media.remove({ params: { id: file.id } });
    expect(await statusOf(file.url)).toBe(404);
  });

  it('two simultaneous replacements both succeed, and nothing is lost', async () => {
    const file = await upload('a.png');
    const contents = [await fileOf('x.png'), await fileOf('y.png'), await fileOf('z.png')];
    const params = { id: file.id };
    await Promise.all(contents.map((each) => client.media.replace({ params, body: {}, files: { file: each } })));
    const urls = [(await read(file.id)).url, ...(await client.media.versions({ params })).map(({ url }) => url)];
    expect(new Set(urls).size).toBe(4);
    expect(urls).toContain(file.url);
    for (const url of urls) expect(await statusOf(url)).toBe(200);
  });

  it('merges files with the same content: their uses move, published ones stay', async () => {
    const [kept, twin, shown] = [await upload('a.png'), await upload('b.png', colors), await upload('c.png', colors)];
    expect(await names({ duplicates: '1' })).toEqual(['c.png', 'b.png', 'a.png']);
    expect((await names({ same_as: kept.id })).length).toBe(3);
    const room = await hall(twin.id, twin.id);
    const published = await hall(shown.id);
    await client.publications.publish({ params: { id: published }, body: {} });
    const merged = await client.media.merge({ params: { id: kept.id }, body: { ids: [twin.id, shown.id, kept.id] } });
    expect(merged).toEqual({ removed: [twin.id], problems: [expect.stringContaining('published version of “Hall”')] });
    const elements = await client.elements.list({ query: { room_id: room } });
    expect(elements.map(({ file_id }) => file_id)).toEqual([kept.id, kept.id]);
    expect((await refused(read(twin.id))).code).toBe('not_found');
    await client.publications.publish({ params: { id: published }, body: {} });
    expect((await client.media.merge({ params: { id: kept.id }, body: { ids: [shown.id] } })).removed).toEqual([
      shown.id,
    ]);
    expect(await statusOf(kept.url)).toBe(200);
    const other = await upload('d.png');
    const wrong = client.media.merge({ params: { id: kept.id }, body: { ids: [other.id] } });
    expect((await refused(wrong)).msg).toHaveProperty('ids');
    expect((await read(other.id)).id).toBe(other.id);
  });

  it('gives many files as one archive, the same one every time: originals, with unique names', async () => {
    const [a, b] = [await upload('a.png'), await upload('A.png')];
    const ids = [b.id, a.id];
    const archive = async () => {
      const headers = { authorization: `Bearer ${organization.admin.token}` };
      const answer = await fetch(`${api.origin}/api/v1/backend/media/archive?ids=${ids}`, { headers });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
      return Buffer.from(await answer.arrayBuffer());
    };
    const bytes = await archive();
    expect(bytes.equals(await archive())).toBe(true);
    const files = await unzip(bytes);
    expect([...files.keys()]).toEqual(['A (2).png', 'a.png']);
    expect(files.get('a.png')!.equals(Buffer.from(await imageOf(colors - 1)))).toBe(true);
    expect((await refused(client.media.archive({ query: { ids: `${a.id},999999` } }))).code).toBe('not_found');
  });

  it('an earlier version of a file that only a protected room shows stays protected', async () => {
    const file = await upload('secret.png');
    const room = await hall(file.id);
    await client.endpoints.create({ body: { name: 'Vault', room_id: room, is_protected: true } });
    await replace(file.id);
    // The list of protected files is cached for two seconds.
    api.clock.advance(3000);
    expect(await statusOf((await read(file.id)).url)).toBe(403);
    expect(await statusOf(file.url)).toBe(403);
  });
});
