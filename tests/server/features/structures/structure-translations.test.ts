import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfText } from '../../../../engine/document/translation-state.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const sourced = (text: string, source: string) => ({ text, source: hashOfText(source) });

describe.each(databases)('titles of structures in several languages on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  let count = 0;
  const furnish = async () => {
    const client = api.client();
    const translations = { 'nl:title': sourced('Haven', 'Harbour') };
    const config = { language: 'en', languages: ['nl', 'ar'], translations };
    const room = await client.rooms.create({ body: { title: 'Harbour', config } });
    const slug = `quay-${++count}`;
    const { id } = await client.endpoints.create({ body: { name: 'The quay', slug, room_id: room.id } });
    const params = { id };
    const translate = (language: string, name: string) =>
      client.endpoints.translate({ params, body: { language, texts: { name } } });
    const look = (lang: string) => client.visit.one({ params: { slugOne: slug }, query: { lang } });
    const listed = async (lang: string) => (await client.visit.list({ query: { lang } })).find((row) => row.id === id)!;
    const exported = (format: 'xliff' | 'csv') =>
      api.app
        .inject({
          url: `/api/v1/backend/endpoints/${id}/translations?language=nl&format=${format}`,
          headers: { authorization: `Bearer ${api.one.admin.token}` },
        })
        .then(({ body }) => body);
    const send = (file: string, apply: '0' | '1' = '1') =>
      client.endpoints.importTranslations({
        params,
        body: { language: 'nl', apply },
        files: { file: new File([file], 'nl.xlf') },
      });
    return { client, room, params, id, slug, translate, look, listed, exported, send };
  };
  const page = async (path: string) => (await api.app.inject({ url: path })).body;

  it('are shown in the language of the space, and otherwise as they are', async () => {
    // The first structure is the front page.
    await furnish();
    const { translate, look, listed, slug, client, params } = await furnish();
    expect(await look('nl')).toMatchObject({ name: 'The quay', language: 'nl' });
    expect(await look('nl')).not.toHaveProperty('name_language');
    // Without a translation, the page has the title of the space.
    expect(await page(`/${slug}?lang=nl`)).toContain('<title>Haven</title>');
    const { translations } = await translate('nl', 'De kade');
    expect(translations).toEqual({ nl: { name: sourced('De kade', 'The quay') } });
    expect(await look('nl')).toMatchObject({ name: 'De kade', name_language: 'nl', language: 'nl' });
    expect(await look('en')).toMatchObject({ name: 'The quay', language: 'en' });
    expect(await look('ar')).toMatchObject({ name: 'The quay', language: 'ar' });
    expect(await page(`/${slug}?lang=nl`)).toContain('<title>De kade</title>');
    expect(await page(`/${slug}`)).toContain('<title>The quay</title>');
    expect(await listed('nl-BE')).toMatchObject({ name: 'De kade', language: 'nl' });
    expect(await listed('en')).toMatchObject({ name: 'The quay' });
    expect(await listed('en')).not.toHaveProperty('language');
    expect(await page('/nothing?text&lang=nl')).toContain(
      `<li lang="nl" dir="auto"><a href="/${slug}">De kade</a></li>`,
    );
    // A changed title keeps its translation, which its hash marks as outdated.
    await client.endpoints.update({ params, body: { name: 'The old quay' } });
    expect(await look('nl')).toMatchObject({ name: 'De kade' });
    await translate('nl', '');
    expect((await client.endpoints.read({ params })).translations).toEqual({});
    expect(await look('nl')).toMatchObject({ name: 'The old quay' });
  });

  it('are shown before the opening to those who prefer their language', async () => {
    const { translate, look, client, params } = await furnish();
    await translate('nl', 'De kade');
    const body = { show_countdown: true, start_time: '10:00', start_date: '2040-01-01', time_zone: 'UTC' };
    await client.endpoints.update({ params, body });
    expect(await look('nl')).toMatchObject({ name: 'De kade', name_language: 'nl', room: null });
    expect(await look('en')).toMatchObject({ name: 'The quay', room: null });
  });

  it('are set by those who may edit the structure, within the limits of a title, and recorded', async () => {
    const { translate, params, client } = await furnish();
    expect(await refused(translate('nl', 'x'.repeat(300)))).toMatchObject({ code: 'invalid' });
    expect(await refused(translate('no language', 'x'))).toMatchObject({ code: 'invalid' });
    const body = { language: 'nl', texts: { name: 'x' } };
    expect(await refused(api.client(api.two.admin).endpoints.translate({ params, body }))).toMatchObject({
      code: 'not_found',
    });
    await translate('nl', 'De kade');
    await translate('de', 'Der Kai');
    const [entry] = (await client.history.list()).data;
    expect(entry).toMatchObject({ entity: 'endpoint', after: { translations: { de: { name: { text: 'Der Kai' } } } } });
    for (const tag of 'ab af ak am an as av ay az ba be bg bi bm bn bo br bs'.split(' ')) await translate(tag, 'x');
    expect(await refused(translate('ca', 'x'))).toMatchObject({ code: 'invalid', msg: { language: [/20 languages/] } });
    const copy = await client.endpoints.copy({ params, body: { slug: `copy-${count}` } });
    expect(copy.translations.nl).toEqual({ name: sourced('De kade', 'The quay') });
  });

  it('travel to translators and back, with those below', async () => {
    const { client, params, id, room, exported, send } = await furnish();
    const below = await client.endpoints.create({
      body: { name: 'A <boat>', slug: 'boat', room_id: room.id, parent_endpoint_id: id },
    });
    const xliff = await exported('xliff');
    expect(xliff).toContain(`<unit id="structure-${below.id}.name">`);
    const filled = xliff
      .replace('<source>The quay</source>', '$&<target>De kade</target>')
      .replace('<source>A &lt;boat&gt;</source>', `$&<target>${'x'.repeat(300)}</target>`);
    const plan = {
      counts: { changed: 1, unchanged: 0, refused: 1 },
      changes: [{ id, path: 'name', before: null, after: 'De kade' }],
      refused: [{ id: below.id, path: 'name' }],
    };
    expect(await send(filled, '0')).toMatchObject(plan);
    expect((await client.endpoints.read({ params })).translations).toEqual({});
    expect(await send(filled)).toMatchObject(plan);
    expect(await exported('csv')).toContain('"The quay","De kade","done"');
    const other = await furnish();
    expect(await refused(other.send(filled))).toMatchObject({ code: 'invalid', msg: { file: [/another structure/] } });
    await client.endpoints.update({ params, body: { name: 'Pier' } });
    expect(await exported('csv')).toContain('"Pier","De kade","outdated"');
    expect(await send(filled)).toMatchObject({ counts: { changed: 0, refused: 2 } });
  });
});
