import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, formOf, refused } from '../../../harness/api-app.ts';

const imageOf = (color: string, width = 1200, height = 630) =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();

/** The color in the middle of an image, roughly. */
async function colorOf(image: Buffer): Promise<number[]> {
  const { data } = await sharp(image).resize(1, 1).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data].map((part) => Math.round(part / 64) * 64);
}

describe.each(databases)('posters of spaces on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let slug: string;
  let endpoint: number;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { PUBLIC_URL: 'https://rooms.example.com' });
    client = api.client();
  });
  beforeEach(async () => {
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    slug = `hall-${++count}`;
    endpoint = (await client.endpoints.create({ body: { name: 'Hall', slug, room_id: room } })).id;
  });
  afterAll(() => api.close());

  const params = () => ({ params: { id: room } });
  const draw = async (content: Buffer, token = api.one.admin.token) =>
    api.call(
      calls.rooms.drawPoster,
      { id: room },
      { token, form: formOf({}, { field: 'file', name: 'poster', content: new Blob([new Uint8Array(content)]) }) },
    );
  const fetchImage = async (url: string) => {
    const { statusCode, rawPayload, headers } = await api.app.inject({ url });
    return { status: statusCode, image: rawPayload, headers };
  };
  const upload = async (color: string) => {
    const file = new File([new Uint8Array(await imageOf(color, 300, 900))], `${color}.png`);
    return (await client.media.upload({ body: {}, files: { file } })).id;
  };

  it('what the editor draws is kept in two sizes, listed with space and structure, and served for ever', async () => {
    expect(await client.rooms.readPoster(params())).toBeNull();
    const { status, body } = await draw(await imageOf('#ff0000', 1600, 630));
    expect([status, body.data.is_chosen]).toEqual([200, false]);
    const { small_url, large_url } = body.data;
    const [small, large] = [await fetchImage(small_url), await fetchImage(large_url)];
    expect(small.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(await sharp(small.image).metadata()).toMatchObject({ format: 'webp', width: 640, height: 360 });
    expect(await sharp(large.image).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    expect(await colorOf(large.image)).toEqual([256, 0, 0]);
    const again = await api.app.inject({ url: small_url, headers: { 'if-none-match': String(small.headers.etag) } });
    expect(again.statusCode).toBe(304);
    const [row] = (await client.rooms.list({ query: { search: 'Hall', sort: '-edited' } })).data.filter(
      ({ id }) => id === room,
    );
    expect(row!.poster_url).toBe(small_url);
    expect((await client.endpoints.read({ params: { id: endpoint } })).room!.poster_url).toBe(small_url);
    const newer = (await draw(await imageOf('#00ff00'))).body.data;
    expect(newer.small_url).not.toBe(small_url);
    expect([(await fetchImage(small_url)).status, (await fetchImage(newer.small_url)).status]).toEqual([404, 200]);
  });

  it('an image that somebody chose stays, also when its file goes; without it, the space is drawn again', async () => {
    await draw(await imageOf('#ff0000'));
    const file = await upload('#0000ff');
    const chosen = await client.rooms.choosePoster({ ...params(), body: { file_id: file } });
    expect(chosen.is_chosen).toBe(true);
    expect((await draw(await imageOf('#00ff00'))).body.data).toEqual(chosen);
    await client.media.remove({ params: { id: file } });
    expect(await colorOf((await fetchImage(chosen.small_url)).image)).toEqual([0, 0, 256]);
    await client.rooms.removePoster(params());
    await client.rooms.removePoster(params());
    expect(await client.rooms.readPoster(params())).toBeNull();
    expect((await draw(await imageOf('#00ff00'))).body.data.is_chosen).toBe(false);
  });

  it('goes with its space, comes back from the bin with it, and is copied with it', async () => {
    const { small_url } = (await draw(await imageOf('#ff0000'))).body.data;
    const copy = await client.rooms.copy(params());
    const copied = await client.rooms.readPoster({ params: { id: copy.id } });
    expect(await colorOf((await fetchImage(copied!.small_url)).image)).toEqual([256, 0, 0]);
    await client.rooms.remove(params());
    expect((await fetchImage(small_url)).status).toBe(404);
    const [removed] = (await client.bin.list({ query: { entity: 'room', entity_id: String(room) } })).data;
    await client.history.restore({ params: { id: removed!.id } });
    expect(await colorOf((await fetchImage((await client.rooms.readPoster(params()))!.large_url)).image)).toEqual([
      256, 0, 0,
    ]);
  });

  it('stands in link previews of what everybody sees, and nowhere else', async () => {
    const { large_url } = (await draw(await imageOf('#ff0000'))).body.data;
    const shared = async () =>
      /og:image" content="([^"]+)"/.exec((await api.app.inject({ url: `/${slug}` })).payload)?.[1];
    const edit = (body: object) => client.endpoints.update({ params: { id: endpoint }, body });
    expect(await shared()).toBe(`https://rooms.example.com${large_url}`);
    await edit({ is_protected: true });
    expect(await shared()).toBeUndefined();
    await edit({ is_protected: false, is_visible: false });
    expect(await shared()).toBeUndefined();
    // Drawn as it is edited, it is none of what is published.
    await client.publications.publish({ ...params(), body: {} });
    await edit({ is_visible: true, shows: 'published' });
    expect(await shared()).toBeUndefined();
    const chosen = await client.rooms.choosePoster({ ...params(), body: { file_id: await upload('#0000ff') } });
    expect(await shared()).toBe(`https://rooms.example.com${chosen.large_url}`);
  });

  it('is refused of what is no image, of others, and without the right', async () => {
    for (const content of [
      Buffer.from('no'),
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ])
      expect([415, 422]).toContain((await draw(content)).status);
    expect([413, 415, 422]).toContain(
      (await draw(Buffer.concat([await imageOf('#fff'), Buffer.alloc(9 * 1024 * 1024)]))).status,
    );
    expect((await draw(await imageOf('#fff'), api.two.admin.token)).status).toBe(404);
    const other = api.client(api.two.admin);
    for (const call of [other.rooms.readPoster, other.rooms.removePoster])
      expect((await refused(call(params()))).code).toBe('not_found');
    const reader = await api.addUser(api.one, { rooms: { view_any: true, create: true, update: false, delete: true } });
    expect((await draw(await imageOf('#fff'), reader.token)).status).toBe(403);
    expect((await refused(client.rooms.choosePoster({ ...params(), body: { file_id: 999_999 } }))).code).toBe(
      'invalid',
    );
    expect(await client.rooms.readPoster(params())).toBeNull();
    for (const name of ['x', `${'a'.repeat(32)}-640.webp`, '..%2f..%2fsecret', '%00'])
      expect((await fetchImage(`/posters/${name}`)).status).toBe(404);
  });
});
