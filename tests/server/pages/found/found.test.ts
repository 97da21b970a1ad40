import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Client } from '../../../../src/contract/client.ts';
import { timestampOf } from '../../../../src/server/core/clock.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { PIXEL } from '../../../harness/media-requests.ts';

/** A rich response, as https://oembed.com describes it. */
const oembedSchema = z.strictObject({
  version: z.literal('1.0'),
  type: z.literal('rich'),
  title: z.string(),
  provider_name: z.string(),
  provider_url: z.url(),
  cache_age: z.int(),
  html: z.string().startsWith('<iframe '),
  width: z.int(),
  height: z.int(),
  thumbnail_url: z.url().optional(),
  thumbnail_width: z.int().optional(),
  thumbnail_height: z.int().optional(),
});

/** A sitemap or a list of sitemaps, as https://www.sitemaps.org/protocol.html describes them. */
const sitemapSchema = z.strictObject({
  '?xml': z.unknown(),
  urlset: z.strictObject({
    '@_xmlns': z.literal('http://www.sitemaps.org/schemas/sitemap/0.9'),
    url: z.array(z.strictObject({ loc: z.url(), lastmod: z.iso.datetime() })),
  }),
});
const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'url' });

describe.each(databases)('pages that others find, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { PUBLIC_URL: 'https://rooms.example.com' });
    client = api.client();
    const file = await client.media.upload({
      body: {},
      files: { file: new File([new Uint8Array(PIXEL)], 'work.png') },
    });
    await client.media.update({
      params: { id: file.id },
      body: {
        ...{ title: 'Dusk', creator: 'Ada', credit: 'Museum of Light', date: '1912' },
        rights: 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/',
      },
    });
    const hall = await client.rooms.create({
      body: { title: 'Hall', description: '<p>Light & water</p></script><script>alert(1)</script>' },
    });
    await client.rooms.addElement({
      params: { id: hall.id },
      body: { element: 'image', name: 'Work', file_id: file.id, config: { title: '</script>"Dusk"' } },
    });
    await client.rooms.addElement({
      params: { id: hall.id },
      body: { element: 'image', name: 'Ornament', file_id: file.id, config: { decorative: true } },
    });
    const home = await client.endpoints.create({ body: { name: 'Home', room_id: hall.id } });
    const add = (body: { name: string; is_protected?: boolean; is_visible?: boolean }) =>
      client.endpoints.create({ body: { room_id: hall.id, ...body } });
    await client.endpoints.create({ body: { name: 'East wing', room_id: hall.id, parent_endpoint_id: home.id } });
    await add({ name: 'Open' });
    await add({ name: 'Members', is_protected: true });
    await add({ name: 'Hidden', is_visible: false });
    const timed = { room_id: hall.id, is_timed: true, start_time: '10:00', start_time_utc_offset: -60 };
    await client.endpoints.create({ body: { name: 'Dated', ...timed, start_date: '2026-03-01' } });
    const counted = { show_countdown: true, start_date: '2026-12-01' };
    await client.endpoints.create({ body: { name: 'Later', ...timed, ...counted } });
    await client.endpoints.create({ body: { name: 'Unpublished', room_id: hall.id, shows: 'published' } });
  });
  afterAll(() => api.close());

  const get = (path: string, host = 'rooms.example.com') => api.app.inject({ url: path, headers: { host } });
  const oembed = (url: string, more = '') => get(`/oembed.json?url=${encodeURIComponent(url)}${more}`);
  const listed = async (host?: string): Promise<string[]> => {
    const { body, headers } = await get('/sitemap.xml', host);
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(XMLValidator.validate(body)).toBe(true);
    return sitemapSchema.parse(parser.parse(body)).urlset.url.map(({ loc }) => new URL(loc).pathname);
  };
  const list = (lists_rooms: boolean) => client.organizations.update({ body: { lists_rooms } });
  const dataOf = (page: string) => {
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1];
    return json === undefined ? null : JSON.parse(json);
  };

  it('only the front page, unless the organization lists its rooms', async () => {
    expect(await listed()).toEqual(['/']);
    expect((await get('/open')).body).toContain('content="noindex,nofollow"');
    expect(dataOf((await get('/open')).body)).toBeNull();
    await list(true);
    expect(await listed()).toEqual(['/', '/home/east-wing', '/open', '/dated']);
    for (const path of ['/', '/open', '/home/east-wing'])
      expect((await get(path)).body, path).toContain('content="index,follow"');
    for (const path of ['/members', '/hidden', '/later', '/embed/open', '/unpublished'])
      expect((await get(path)).body, path).toContain('content="noindex,nofollow"');
    await list(false);
    expect(await listed()).toEqual(['/']);
  });

  it('robots.txt leads to the sitemap', async () => {
    expect((await get('/robots.txt')).body).toContain('\nSitemap: https://rooms.example.com/sitemap.xml\n');
  });

  it('a part of a sitemap that does not exist is a 404', async () => {
    expect((await get('/sitemap.xml?part=1')).statusCode).toBe(200);
    for (const part of ['2', '0', '-1', 'x', '99999999999', ''])
      expect((await get(`/sitemap.xml?part=${part}`)).statusCode, part).toBe(404);
  });

  it('describe the exhibition to search engines, with credit lines and licenses', async () => {
    await list(true);
    const { body } = await get('/open');
    await list(false);
    expect(dataOf(body)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'ExhibitionEvent',
      name: 'Open',
      url: 'https://rooms.example.com/open',
      location: { '@type': 'VirtualLocation', url: 'https://rooms.example.com/open' },
      organizer: { '@type': 'Organization', name: 'Museum' },
      workFeatured: [
        {
          '@type': 'ImageObject',
          name: '</script>"Dusk"',
          creator: { '@type': 'Person', name: 'Ada' },
          creditText: 'Museum of Light',
          copyrightNotice: 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/',
          license: 'https://creativecommons.org/licenses/by/4.0/',
          temporal: '1912',
        },
      ],
    });
    expect(dataOf(body).workFeatured).toHaveLength(1);
  });

  it('name works in the language of the page, also those that only their file names', async () => {
    const file = await client.media.upload({
      body: {},
      files: { file: new File([new Uint8Array(PIXEL)], 'boat.png') },
    });
    const params = { id: file.id };
    await client.media.update({ params, body: { title: 'Boat' } });
    await client.media.translate({ params, body: { language: 'nl', texts: { title: 'Boot' } } });
    const config = { language: 'en', languages: ['nl', 'de'] };
    const { id } = await client.rooms.create({ body: { title: 'Harbor', config } });
    await client.rooms.addElement({ params: { id }, body: { element: 'image', name: 'B', file_id: file.id } });
    await client.endpoints.create({ body: { name: 'Harbor', slug: 'harbor', room_id: id } });
    await list(true);
    const name = async (lang: string) => dataOf((await get(`/harbor?lang=${lang}`)).body).workFeatured[0].name;
    expect([await name('en'), await name('nl'), await name('de')]).toEqual(['Boat', 'Boot', 'Boat']);
    await list(false);
    await client.endpoints.remove({
      params: { id: (await client.endpoints.list({ query: { search: 'Harbor' } }))[0]!.id },
    });
  });

  it('a structure with a date starts then', async () => {
    await list(true);
    const { body } = await get('/dated');
    await list(false);
    expect(dataOf(body)).toMatchObject({ startDate: '2026-03-01T09:00:00.000Z' });
  });

  it('give other sites a frame for a URL', async () => {
    const { statusCode, headers, body } = await oembed('https://rooms.example.com/open');
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([200, '*']);
    const answer = oembedSchema.parse(JSON.parse(body));
    expect(answer).toMatchObject({ title: 'Open', provider_name: 'Museum', width: 800, height: 450 });
    expect(answer.html).toContain('src="https://rooms.example.com/embed/open"');
    expect((await get('/open')).body).toContain(
      '<link rel="alternate" type="application/json+oembed" href="https://rooms.example.com/oembed.json?url=https%3A%2F%2Frooms.example.com%2Fopen" />',
    );
    for (const path of ['/embed/open', '/', '/home/east-wing', '/open/?lang=de#x'])
      expect((await oembed(`https://rooms.example.com${path}`)).statusCode, path).toBe(200);
  });

  it('keep the frame within the limits', async () => {
    const sizeWith = async (limits: string) => {
      const { width, height } = (await oembed('https://rooms.example.com/open', limits)).json();
      return [width, height];
    };
    expect(await sizeWith('&maxwidth=320')).toEqual([320, 180]);
    expect(await sizeWith('&maxheight=90')).toEqual([160, 90]);
    expect(await sizeWith('&maxwidth=9000&maxheight=9000')).toEqual([800, 450]);
    expect(await sizeWith('&maxwidth=1&maxheight=1')).toEqual([1, 1]);
  });

  it('give no frame for anything else', async () => {
    const statusOf = async (url: string, more?: string) => (await oembed(url, more)).statusCode;
    expect(await statusOf('https://rooms.example.com/members')).toBe(401);
    for (const path of ['/hidden', '/none', '/a/b/c', '/admin/rooms', '/%00'])
      expect(await statusOf(`https://rooms.example.com${path}`), path).toBe(404);
    expect(await statusOf('https://evil.example/open')).toBe(404);
    expect(await statusOf('https://rooms.example.com:444/open')).toBe(404);
    for (const url of [
      '',
      'open',
      'javascript:alert(1)',
      'ftp://rooms.example.com/open',
      `https://${'a'.repeat(3000)}`,
    ])
      expect(await statusOf(url), url.slice(0, 40)).toBe(422);
    for (const limit of ['0', '-1', '1.5', 'x', '1e999'])
      expect(await statusOf('https://rooms.example.com/open', `&maxwidth=${limit}`), limit).toBe(422);
    expect(await statusOf('https://rooms.example.com/open', '&format=xml')).toBe(501);
    expect((await get('/oembed.json?url=a&url=b')).statusCode).toBe(422);
  });

  it('follow a structure that has moved', async () => {
    const [open] = (await client.endpoints.list()).filter(({ slug }) => slug === 'open');
    await client.endpoints.update({ params: { id: open!.id }, body: { slug: 'opened' } });
    const { html } = (await oembed('https://rooms.example.com/open')).json();
    expect(html).toContain('src="https://rooms.example.com/embed/opened"');
    await client.endpoints.update({ params: { id: open!.id }, body: { slug: 'open' } });
  });

  it('list each of 20 organizations under its own host', async () => {
    const at = timestampOf(api.clock.now());
    const { db } = api.services;
    const names = Array.from({ length: 20 }, (_, index) => `museum-${index}.example`);
    for (const host of names) {
      const { id } = await db
        .insertInto('organizations')
        .values({
          ...{ name: host, host, meta_title: '', meta_description: '', template_id: null, font_file_id: null },
          ...{ font_color: null, embed_domains: '[]', realtime_api_key: host, shares_days: null, lists_rooms: 1 },
          ...{ created_at: at, updated_at: at },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const [room] = await db.selectFrom('rooms').selectAll().where('organization_id', '=', api.one.id).execute();
      const { id: _, ...columns } = room!;
      const copy = await db
        .insertInto('rooms')
        .values({ ...columns, organization_id: id })
        .returning('id')
        .executeTakeFirstOrThrow();
      const [endpoint] = await db.selectFrom('endpoints').selectAll().where('slug', '=', 'open').execute();
      const { id: __, ...fields } = endpoint!;
      const slug = host.replace('.example', '');
      for (const each of ['first', slug])
        await db
          .insertInto('endpoints')
          .values({ ...fields, organization_id: id, room_id: copy.id, slug: each })
          .execute();
    }
    for (const host of names) {
      expect(await listed(host)).toEqual(['/', `/${host.replace('.example', '')}`]);
      const robots = (await get('/robots.txt', host)).body;
      expect(robots).toContain(`Sitemap: https://${host}/sitemap.xml`);
      const foreign = await get(`/oembed.json?url=${encodeURIComponent('https://rooms.example.com/open')}`, host);
      expect(foreign.statusCode).toBe(404);
    }
  });
});
