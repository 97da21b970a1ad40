import { XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfText } from '../../../../engine/document/translation-state.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { PublicEndpoint } from '../../../../src/contract/entities.ts';
import { acceptedLanguages } from '../../../../src/server/features/visits/shown-language.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { EditsSocket } from '../../../harness/edits-socket.ts';

const translation = (text: string, source: string) => ({ text, source: hashOfText(source) });

describe.each(databases)('a space in several languages on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let boat: number;
  let locked: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { PUBLIC_URL: 'https://rooms.example.com' });
    client = api.client();
    await client.organizations.update({ body: { lists_rooms: true } });
    ({ id: room } = await client.rooms.create({
      body: {
        title: 'Harbour',
        description: '<p>Ships</p>',
        config: {
          language: 'en',
          languages: ['nl', 'ar'],
          translations: {
            'nl:title': translation('Haven', 'Harbour'),
            'nl:description': translation('<p>Schepen</p>', '<p>Ships</p>'),
            'ar:title': translation('ميناء', 'Harbour'),
          },
        },
      },
    }));
    const add = (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      client.rooms.addElement({ params: { id: room }, body });
    ({ id: boat } = await add({
      element: 'text',
      config: { text: 'Boat', translations: { 'nl:config.text': translation('Boot', 'Boat') } },
    }));
    await add({ element: 'text', config: { text: 'Anchor' } });
    await add({ element: 'text', hidden: true, config: { text: 'Hidden' } });
    await client.endpoints.create({ body: { name: 'Pier', room_id: room } });
    ({ id: locked } = await client.endpoints.create({ body: { name: 'Locked', room_id: room, is_protected: true } }));
    const plain = await client.rooms.create({ body: { title: 'Plain' } });
    await client.endpoints.create({ body: { name: 'Plain', room_id: plain.id } });
  });
  afterAll(() => api.close());

  const get = (url: string, accepted?: string, more: Record<string, string> = {}) =>
    api.app.inject({
      url,
      headers: { host: 'rooms.example.com', ...(accepted !== undefined && { 'accept-language': accepted }), ...more },
    });
  const read = async (query = '', accepted?: string) => {
    const response = await get(`/api/v1/endpoints/pier${query}`, accepted);
    expect(response.statusCode).toBe(200);
    return { data: response.json().data as PublicEndpoint, response };
  };

  it('is shown in the language of the URL, otherwise of the browser, otherwise in the main one', async () => {
    for (const [query, accepted, language] of [
      ['', undefined, 'en'],
      ['', 'nl', 'nl'],
      ['', 'fr;q=0.9, en;q=0.2, nl-BE;q=0.5', 'nl'],
      ['', 'nl;q=0, ar;q=0.1', 'ar'],
      ['', 'de, *;q=0.5', 'en'],
      ['?lang=nl', 'ar', 'nl'],
      ['?lang=NL-be', 'ar', 'nl'],
      ['?lang=', 'ar', 'ar'],
      // A language that isn't offered, malformed ones, a repeated one, and one that is too long.
      ['?lang=fr', 'ar', 'en'],
      ['?lang=%00%ff!', 'en', 'en'],
      ['?lang=nl&lang=ar', 'en', 'en'],
      [`?lang=${'n'.repeat(5000)}`, 'en', 'en'],
    ] as const) {
      const { data, response } = await read(query, accepted);
      expect(data.language, `${query} ${accepted}`).toBe(language);
      expect(response.headers).toMatchObject({ 'content-language': language, vary: 'accept-language' });
      expect(data.room!.title).toBe({ en: 'Harbour', nl: 'Haven', ar: 'ميناء' }[language]);
      expect(data.languages).toEqual(['en', 'nl', 'ar']);
      // A hidden text doesn't count.
      expect(data.untranslated).toBe({ en: undefined, nl: 1, ar: 3 }[language]);
    }
  });

  it('reaches visitors without its translations', async () => {
    const { id: endpoint_id } = (await read()).data;
    const body = { expires_in: 60, endpoint_id };
    const { url: preview } = await client.publications.createPreviewLink({ params: { id: room }, body });
    const shown = await get(`${preview.slice(new URL(preview).origin.length)}&lang=nl`);
    expect(shown.body).toContain('Haven');
    expect(shown.body).not.toMatch(/translations|nl:config|"source"/);
    for (const url of ['/api/v1/endpoints/pier', '/pier', '/pier?lang=nl', '/embed/pier?lang=ar', '/pier?text&lang=nl'])
      for (const accepted of ['en', 'nl'])
        expect((await get(url, accepted)).body, url).not.toMatch(/translations|nl:config|"source"/);
  });

  it('has an entity tag per language, and the same one for any wish that leads to a language', async () => {
    const tagOf = async (query: string) => (await read(query)).response.headers.etag as string;
    const [english, dutch] = [await tagOf(''), await tagOf('?lang=nl')];
    expect(dutch).not.toBe(english);
    expect(await tagOf('?lang=xx')).toBe(english);
    expect(await tagOf('?lang=nl-NL')).toBe(dutch);
    const again = await get('/api/v1/endpoints/pier?lang=nl', undefined, { 'if-none-match': dutch });
    expect(again.statusCode).toBe(304);
    const other = await get('/api/v1/endpoints/pier', undefined, { 'if-none-match': dutch });
    expect(other.statusCode).toBe(200);
    const page = await get('/pier', 'nl');
    expect(page.headers.vary).toContain('accept-language');
    expect((await get('/pier', 'en')).headers.etag).not.toBe(page.headers.etag);
  });

  it('stays as it is without languages', async () => {
    const response = await get('/api/v1/endpoints/plain?lang=nl', 'nl');
    expect(response.headers.vary).toBeUndefined();
    expect(response.headers['content-language']).toBeUndefined();
    expect(Object.keys(response.json().data)).not.toEqual(expect.arrayContaining(['language']));
    expect((await get('/plain', 'nl')).body).toContain('<html lang="en">');
    expect((await get('/plain')).body).not.toContain('hreflang');
    expect((await get('/api/v1/endpoints/missing?lang=nl')).statusCode).toBe(404);
    expect((await get('/api/v1/endpoints/locked?lang=nl')).statusCode).toBe(400);
  });

  it('names its languages in the page', async () => {
    const dutch = (await get('/pier?lang=nl')).body;
    for (const part of [
      '<html lang="nl" dir="ltr">',
      '<title>Haven</title>',
      '<link rel="canonical" href="https://rooms.example.com/pier?lang=nl" />',
      '<link rel="alternate" hreflang="en" href="https://rooms.example.com/pier" />',
      '<link rel="alternate" hreflang="ar" href="https://rooms.example.com/pier?lang=ar" />',
      '<link rel="alternate" hreflang="x-default" href="https://rooms.example.com/pier" />',
      '<meta property="og:locale" content="nl_NL" />',
      '<meta property="og:locale:alternate" content="ar_EG" />',
      '<meta property="og:description" content="Schepen" />',
      '"inLanguage":"nl"',
    ])
      expect(dutch).toContain(part);
    const arabic = (await get('/pier', 'ar')).body;
    expect(arabic).toContain('<html lang="ar" dir="rtl">');
    const english = (await get('/pier')).body;
    expect(english).toContain('<link rel="canonical" href="https://rooms.example.com/pier" />');
    expect(english).toContain('<title>Pier</title>');
  });

  it('is in sitemaps once per language', async () => {
    const { body } = await get('/sitemap.xml');
    expect(XMLValidator.validate(body)).toBe(true);
    const links = [
      ...[
        ['en', ''],
        ['nl', '?lang=nl'],
        ['ar', '?lang=ar'],
        ['x-default', ''],
      ].map(
        ([tag, query]) => `<xhtml:link rel="alternate" hreflang="${tag}" href="https://rooms.example.com/${query}"/>`,
      ),
    ].join('');
    for (const query of ['', '?lang=nl', '?lang=ar'])
      expect(body).toMatch(
        new RegExp(`<loc>https://rooms.example.com/${query.replace('?', '\\?')}</loc><lastmod>[^<]+</lastmod>`),
      );
    expect(body.split(links)).toHaveLength(4);
    expect(body).toMatch(/<loc>https:\/\/rooms\.example\.com\/plain<\/loc><lastmod>[^<]+<\/lastmod><\/url>/);
  });

  it('is embedded in the language of the URL', async () => {
    const { html, title } = (
      await get(`/oembed.json?url=${encodeURIComponent('https://rooms.example.com/pier?lang=nl')}`)
    ).json();
    expect(title).toBe('Haven');
    expect(html).toContain('src="https://rooms.example.com/embed/pier?lang=nl"');
  });

  it('is text in a language, with marks on what stays in the main one', async () => {
    const { body, headers } = await get('/pier?text&lang=nl');
    expect(headers['content-language']).toBe('nl');
    for (const part of [
      '<html lang="nl" dir="ltr">',
      '<h1>Haven</h1>',
      '<h2>Boot</h2>',
      '<h2 lang="en" dir="ltr">Anchor</h2>',
      '<a href="?text&amp;lang=ar" hreflang="ar" lang="ar" dir="rtl">العربية</a>',
      '<a href="?text&amp;lang=nl" hreflang="nl" lang="nl" dir="ltr" aria-current="true">Nederlands</a>',
      '<a href="/pier?lang=nl">',
    ])
      expect(body).toContain(part);
    expect((await get('/pier?text', 'ar')).body).toContain('<html lang="ar" dir="rtl">');
    expect((await get('/plain?text', 'ar')).body).not.toContain('hreflang');
  });

  it('opens in a language for the holder of an access token', async () => {
    const endpoint_id = locked;
    const { token } = await client.accessTokens.create({ body: { endpoint_id } });
    const response = await api.app.inject({
      method: 'POST',
      url: '/api/v1/endpoints/locked?lang=nl',
      headers: { host: 'rooms.example.com' },
      payload: { access_token: token },
    });
    expect(response.json().data).toMatchObject({ language: 'nl', untranslated: 1, room: { title: 'Haven' } });
  });

  it('is edited in the language of each page', async () => {
    const [english, dutch] = [(await read()).data, (await read('?lang=nl')).data];
    const open = async (data: PublicEndpoint) => {
      const first = await EditsSocket.connect(api.origin);
      first.send({ path: '/pier', token: null, tag: '', language: data.language });
      await expect.poll(() => first.heard.at(0)?.type).toBe('reload');
      const socket = await EditsSocket.connect(api.origin);
      socket.send({ path: '/pier', token: null, tag: data.room!.tag, language: data.language });
      return { socket, end: () => [first, socket].map(({ ws }) => ws.terminate()) };
    };
    const pages = [await open(english), await open(dutch)] as const;
    const update = (config: Record<string, unknown>) =>
      client.elements.update({ params: { id: boat }, body: { config } });
    const textOf = (page: (typeof pages)[number], data: PublicEndpoint) => {
      const element = page.socket.shown(data.room!)?.room.elements.find(({ id }) => id === boat);
      return element?.element === 'text' ? element.config.text : undefined;
    };
    await update({ text: 'Ship' });
    await expect.poll(() => textOf(pages[0], english)).toBe('Ship');
    await update({ translations: { 'nl:config.text': translation('Schip', 'Ship') } });
    await expect.poll(() => textOf(pages[1], dutch)).toBe('Schip');
    expect(JSON.stringify(pages[1].socket.heard)).not.toContain('"Ship"');
    expect(JSON.stringify([pages[0].socket.heard, pages[1].socket.heard])).not.toContain('translations');
    // A language that is removed: pages load the space again, in its main language.
    const before = pages[1].socket.heard.length;
    await client.rooms.update({ params: { id: room }, body: { config: { languages: ['ar'] } } });
    await expect.poll(() => pages[1].socket.heard.slice(before).at(-1)?.type).toBe('reload');
    expect((await read('?lang=nl')).data).toMatchObject({ language: 'en', languages: ['en', 'ar'] });
    for (const page of pages) page.end();
  });
});

describe('Accept-Language', () => {
  it('is ordered by quality, without what is refused', () => {
    expect(acceptedLanguages('da, en-gb;q=0.8, en;q=0.7, fr; q=0.9, de;q=0, x;q=abc')).toEqual([
      'da',
      'fr',
      'en-gb',
      'en',
    ]);
    expect(acceptedLanguages(undefined)).toEqual([]);
    expect(acceptedLanguages(`nl,${'x'.repeat(10_000)}`)[0]).toBe('nl');
  });
});
