import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { sweepPosterFiles } from '../../../../src/server/features/posters/poster-files.ts';
import { putPoster } from '../../../../src/server/features/posters/queries.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('posters of structures and templates on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let endpoint: number;
  let slug: string;
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

  const upload = async (color: string) => {
    const image = await sharp({ create: { width: 300, height: 300, channels: 3, background: color } })
      .png()
      .toBuffer();
    return (await client.media.upload({ body: {}, files: { file: new File([new Uint8Array(image)], `${color}.png`) } }))
      .id;
  };
  const choose = async (color: string) =>
    client.endpoints.choosePoster({ params: { id: endpoint }, body: { file_id: await upload(color) } });
  const read = (id = endpoint) => client.endpoints.read({ params: { id } });
  const statusOf = async (url: string) => (await api.app.inject({ url })).statusCode;
  const shared = async () =>
    /og:image" content="([^"]+)"/.exec((await api.app.inject({ url: `/${slug}` })).payload)?.[1];

  /** Puts images in the place of what is drawn. */
  const drawn = async (its: { subject: 'template_id'; id: number }, color: string) => {
    const { file_id } = await api.services.db
      .selectFrom('posters')
      .select('file_id')
      .where('token', '=', (await choose(color)).small_url.slice('/posters/'.length, -'-640.webp'.length))
      .executeTakeFirstOrThrow();
    const owner = { ...api.services, organizationId: api.one.id };
    return putPoster(api.services.db, owner, its, 'drawn', { file_id, small: '', large: '' });
  };

  it('a structure has the image of its space until one is chosen for it, in lists and in link previews', async () => {
    expect((await read()).poster_url).toBeNull();
    const ofRoom = await client.rooms.choosePoster({ params: { id: room }, body: { file_id: await upload('red') } });
    expect(await read()).toMatchObject({ poster_url: ofRoom.small_url, room: { poster_url: ofRoom.small_url } });
    expect(await client.endpoints.readPoster({ params: { id: endpoint } })).toBeNull();
    const own = await choose('blue');
    expect(await read()).toMatchObject({ poster_url: own.small_url, room: { poster_url: ofRoom.small_url } });
    expect(await shared()).toBe(`https://rooms.example.com${own.large_url}`);
    // Somebody chose it: it tells nothing of what is not published.
    await client.publications.publish({ params: { id: room }, body: {} });
    await client.endpoints.update({ params: { id: endpoint }, body: { shows: 'published' } });
    expect(await shared()).toBe(`https://rooms.example.com${own.large_url}`);
    await client.endpoints.update({ params: { id: endpoint }, body: { is_protected: true } });
    expect(await shared()).toBeUndefined();
    await client.endpoints.removePoster({ params: { id: endpoint } });
    await client.endpoints.removePoster({ params: { id: endpoint } });
    expect((await read()).poster_url).toBe(ofRoom.small_url);
    expect(await statusOf(own.small_url)).toBe(404);
  });

  it('is given in a size for rows of lists, too', async () => {
    const { small_url } = await choose('blue');
    const { rawPayload, headers } = await api.app.inject({ url: small_url.replace('640.webp', '160.webp') });
    expect(headers['content-type']).toBe('image/webp');
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: 160, height: 90 });
    expect(await statusOf(small_url.replace('640.webp', '161.webp'))).toBe(404);
  });

  it('is copied with its structure, goes with it, and comes back from the bin with it', async () => {
    const { small_url } = await choose('blue');
    const copy = await client.endpoints.copy({ params: { id: endpoint }, body: { slug: `${slug}-copy` } });
    expect(copy.poster_url).not.toBeNull();
    expect(copy.poster_url).not.toBe(small_url);
    await client.endpoints.remove({ params: { id: copy.id } });
    await client.endpoints.remove({ params: { id: endpoint } });
    expect(await statusOf(small_url)).toBe(404);
    api.clock.advance(2 * DAY);
    api.one.admin.token = await api.signIn(api.one.admin);
    client = api.client();
    await sweepPosterFiles(api.services);
    const [removed] = (await client.bin.list({ query: { entity: 'endpoint', entity_id: String(endpoint) } })).data;
    await client.history.restore({ params: { id: removed!.id } });
    expect((await read()).poster_url).toBe(small_url);
    expect(await statusOf(small_url)).toBe(200);
  });

  it('is refused of others, of what is no image, and without the right', async () => {
    const params = { id: endpoint };
    const file_id = await upload('blue');
    api.two.admin.token = await api.signIn(api.two.admin);
    const other = api.client(api.two.admin);
    for (const call of [
      () => other.endpoints.readPoster({ params }),
      () => other.endpoints.removePoster({ params }),
      () => other.endpoints.choosePoster({ params, body: { file_id } }),
    ])
      expect((await refused(call())).code).toBe('not_found');
    const hall = (await other.rooms.create({ body: { title: 'Their hall' } })).id;
    const theirs = (await other.endpoints.create({ body: { name: 'Theirs', room_id: hall } })).id;
    const stolen = other.endpoints.choosePoster({ params: { id: theirs }, body: { file_id } });
    expect((await refused(stolen)).code).toBe('invalid');
    const body = { file_id: 999_999 };
    expect((await refused(client.endpoints.choosePoster({ params, body }))).code).toBe('invalid');
    const rights = { endpoints: { view_any: true, create: true, update: false, delete: true } };
    const reader = api.client(await api.addUser(api.one, rights));
    expect((await refused(reader.endpoints.choosePoster({ params, body: { file_id } }))).code).toBe('forbidden');
    expect(await reader.endpoints.readPoster({ params })).toBeNull();
  });

  it('a template has its own in lists, and its copy has the same', async () => {
    const template = await client.templates.create({ body: { name: 'Grid' } });
    expect(template.poster_url).toBeNull();
    const its = { subject: 'template_id', id: template.id } as const;
    const put = await drawn(its, 'blue');
    const { data } = await client.templates.list({ query: {} });
    expect(data.find(({ id }) => id === template.id)!.poster_url).toBe(put.small_url);
    const copy = await client.templates.copy({ params: { id: template.id }, body: {} });
    expect(await statusOf(copy.poster_url!)).toBe(200);
    // What came with an edit as it was read is no edit of it.
    await client.templates.update({ params: { id: template.id }, body: { name: 'Great grid' } });
    await client.templates.remove({ params: { id: template.id } });
    expect(await statusOf(put.small_url)).toBe(404);
  });

  it('an image that is chosen for a template stays when it is drawn, goes with it, and comes back with it', async () => {
    const template = await client.templates.create({ body: { name: 'Shell' } });
    const params = { id: template.id };
    const its = { subject: 'template_id', id: template.id } as const;
    expect(await client.templates.readPoster({ params })).toBeNull();
    const draw = (color: string) => drawn(its, color);
    expect((await draw('green')).is_chosen).toBe(false);
    const chosen = await client.templates.choosePoster({ params, body: { file_id: await upload('blue') } });
    expect(chosen.is_chosen).toBe(true);
    expect(await draw('red')).toEqual(chosen);
    const listed = async () =>
      (await client.templates.list({ query: {} })).data.find(({ id }) => id === template.id)?.poster_url;
    expect(await listed()).toBe(chosen.small_url);
    const copy = await client.templates.copy({ params, body: {} });
    expect(await client.templates.readPoster({ params: { id: copy.id } })).toMatchObject({ is_chosen: true });
    await client.templates.remove({ params });
    expect(await statusOf(chosen.small_url)).toBe(404);
    const [removed] = (await client.bin.list({ query: { entity: 'template', entity_id: String(template.id) } })).data;
    await client.history.restore({ params: { id: removed!.id } });
    expect(await listed()).toBe(chosen.small_url);
    expect(await statusOf(chosen.small_url)).toBe(200);
    await client.templates.removePoster({ params });
    await client.templates.removePoster({ params });
    expect(await listed()).toBeNull();
    expect((await draw('green')).is_chosen).toBe(false);
  });

  it('of a template is refused of others, of what is no image, and without the right', async () => {
    const params = { id: (await client.templates.create({ body: { name: 'Shell' } })).id };
    const file_id = await upload('blue');
    api.two.admin.token = await api.signIn(api.two.admin);
    const other = api.client(api.two.admin);
    for (const call of [
      () => other.templates.readPoster({ params }),
      () => other.templates.removePoster({ params }),
      () => other.templates.choosePoster({ params, body: { file_id } }),
      () => client.templates.readPoster({ params: { id: 999_999 } }),
    ])
      expect((await refused(call())).code).toBe('not_found');
    const theirs = { id: (await other.templates.create({ body: { name: 'Theirs' } })).id };
    for (const call of [
      () => other.templates.choosePoster({ params: theirs, body: { file_id } }),
      () => client.templates.choosePoster({ params, body: { file_id: 999_999 } }),
    ])
      expect((await refused(call())).code).toBe('invalid');
    const rights = { templates: { view_any: true, create: true, update: false, delete: true } };
    const reader = api.client(await api.addUser(api.one, rights));
    expect((await refused(reader.templates.choosePoster({ params, body: { file_id } }))).code).toBe('forbidden');
    expect((await refused(reader.templates.removePoster({ params }))).code).toBe('forbidden');
    expect(await reader.templates.readPoster({ params })).toBeNull();
  });
});
