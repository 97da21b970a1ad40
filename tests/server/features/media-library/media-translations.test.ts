import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wallsOf } from '../../../../engine/document/arrangements/walls.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import { hashOfText } from '../../../../engine/document/translation-state.ts';
import { captionTranslations } from '../../../../src/contract/entities.ts';
import { planSheet } from '../../../../src/contract/hanging.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { picture } from '../../../harness/media-requests.ts';
import { tourPhoto } from '../../../harness/tour-photos.ts';

describe.each(databases)('texts of files in several languages on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const upload = async () => {
    const client = api.client();
    const file = new File([picture().content], 'boat.png');
    const { id } = await client.media.upload({ body: {}, files: { file } });
    const params = { id };
    await client.media.update({ params, body: { title: 'Boat', alt: 'A red boat' } });
    return { client, params };
  };

  it('are set, go along into an element, are outdated once the text changes, and are recorded', async () => {
    const { client, params } = await upload();
    const texts = { title: 'Boot', alt: 'Een rode boot', transcript: 'Nothing to translate' };
    const { translations } = await client.media.translate({ params, body: { language: 'nl', texts } });
    const title = { text: 'Boot', source: hashOfText('Boat') };
    expect(translations).toEqual({ nl: { title, alt: { text: 'Een rode boot', source: hashOfText('A red boat') } } });
    expect(captionTranslations(translations, (path) => path === 'config.title')).toEqual({ 'nl:config.title': title });
    const [entry] = (await client.history.list()).data;
    expect(entry).toMatchObject({ entity: 'media', after: { translations: { nl: { title: { text: 'Boot' } } } } });
    const after = await client.media.update({ params, body: { title: 'Ship' } });
    expect(after.translations.nl!.title).toEqual(title);
    expect(after.translations.nl!.title!.source).not.toBe(hashOfText(after.title));
    await client.media.translate({ params, body: { language: 'nl', texts: { title: '', alt: '' } } });
    expect((await client.media.read({ params })).translations).toEqual({});
  });

  it('keep the limits of the texts, and the organization', async () => {
    const { client, params } = await upload();
    const translate = (texts: object, from = client) =>
      from.media.translate({ params, body: { language: 'nl', texts } });
    expect(await refused(translate({ title: 'x'.repeat(256) }))).toMatchObject({ code: 'invalid' });
    expect(await refused(translate({ creator: 'x' }))).toMatchObject({ status: 400 });
    expect(await refused(translate({ title: 'x' }, api.client(api.two.admin)))).toMatchObject({ code: 'not_found' });
  });

  it('go along into works hung from a spreadsheet and into places of a tour', async () => {
    const client = api.client();
    const ids: number[] = [];
    for (const name of ['pier.jpg', 'sluice.jpg']) {
      const { id } = await client.media.upload({ body: {}, files: { file: await tourPhoto(name, {}) } });
      ids.push(id);
      const params = { id };
      await client.media.update({ params, body: { title: 'Boat', creator: 'Kim', alt: 'A red boat' } });
      const texts = { title: 'Boot', alt: 'Een rode boot' };
      await client.media.translate({ params, body: { language: 'nl', texts } });
    }
    const alt = { 'nl:config.alt': { text: 'Een rode boot', source: hashOfText('A red boat') } };
    const title = { 'nl:config.title': { text: 'Boot', source: hashOfText('Boat') } };
    const sheet = new File(['image,title,artist\npier,,\nsluice,Ship,Lee'], 'works.csv');
    const { works } = await client.media.readWorks({ body: {}, files: { file: sheet } });
    expect(works).toMatchObject([
      { title: 'Boat', author: 'Kim', alt: 'A red boat', translations: { ...title, ...alt } },
      { title: 'Ship', author: 'Lee', alt: 'A red boat' },
    ]);
    // The title is the sheet's own.
    expect(works[1]!.translations).toEqual(alt);
    const { id } = await client.rooms.create({ body: { title: 'Hall', width: 2000, height: 1000, depth: 2000 } });
    const room = parseRoom(await client.rooms.read({ params: { id } }));
    const options = { layout: 'row', align: 'center', line: 400, gap: 100, sizing: 'real' } as const;
    const { hanging } = planSheet(room, wallsOf(room), { works, notes: [] }, options);
    expect(hanging.elements.map(({ config }) => config)).toMatchObject([
      { title: 'Boat', alt: 'A red boat', translations: { ...title, ...alt } },
      { title: 'Ship', alt: 'A red boat', translations: alt },
    ]);
    const { room_id } = await client.tours.create({ body: { name: 'Sluices', files: ids } });
    const { elements } = await client.rooms.read({ params: { id: room_id! } });
    const places = elements.filter(({ element }) => element === 'view_point');
    expect(places.map(({ config }) => config)).toMatchObject(ids.map(() => ({ alt: 'A red boat', translations: alt })));
  });

  it('with a transcript are left out of lists, which only say its languages', async () => {
    const { client, params } = await upload();
    const listed = async (query: { transcripts?: '1' } = {}) =>
      (await client.media.list({ query: { ids: String(params.id), ...query } })).data[0]!;
    expect(await listed()).toMatchObject({ transcript_languages: null, translations: {} });
    await client.media.update({ params, body: { transcript: 'Ahoy!' } });
    expect(await listed()).toMatchObject({ transcript_languages: [] });
    const texts = { title: 'Boot', transcript: 'Ahoi!' };
    await client.media.translate({ params, body: { language: 'nl', texts } });
    await client.media.translate({ params, body: { language: 'de', texts: { transcript: 'Ahoi!' } } });
    const short = await listed();
    expect(short).not.toHaveProperty('transcript');
    expect(short.transcript_languages).toEqual(['nl', 'de']);
    expect(short.translations).toEqual({ nl: { title: { text: 'Boot', source: hashOfText('Boat') } } });
    const whole = await client.media.read({ params });
    expect(whole).toMatchObject({
      transcript: 'Ahoy!',
      translations: { nl: { transcript: { text: 'Ahoi!' } }, de: { transcript: { text: 'Ahoi!' } } },
    });
    expect(await listed({ transcripts: '1' })).toEqual(whole);
  });

  it('of a template are shown in the language of the space, and marked where they are missing', async () => {
    const { client, params } = await upload();
    const template = await client.templates.create({
      body: {
        name: 'Panorama',
        model_type: 'pano',
        file_id: params.id,
        config: {
          alt: 'A red boat',
          long_description: 'It sails.',
          translations: { nl: { alt: { text: 'Een rode boot', source: hashOfText('A red boat') } } },
        },
      },
    });
    const config = { language: 'en', languages: ['nl'] };
    const room = await client.rooms.create({ body: { title: 'Harbour', template_id: template.id, config } });
    await client.endpoints.create({ body: { name: 'Quay', slug: 'quay', room_id: room.id } });
    const look = async (lang: string) => client.visit.one({ params: { slugOne: 'quay' }, query: { lang } });
    const [dutch, english] = [await look('nl'), await look('en')];
    expect(dutch.room!.template!.config).toMatchObject({ alt: 'Een rode boot', long_description: 'It sails.' });
    // The title and the detailed description.
    expect(dutch.untranslated).toBe(2);
    expect(english.room!.template!.config.alt).toBe('A red boat');
    for (const { room: shown } of [dutch, english]) expect(shown!.template!.config).not.toHaveProperty('translations');
    const text = (await api.app.inject({ url: '/quay?text&lang=nl' })).body;
    expect(text).toContain('Een rode boot');
    const invalid = { nl: { alt: { text: 'x'.repeat(1001), source: hashOfText('A red boat') } } };
    const body = { config: { ...template.config, translations: invalid } };
    expect(await refused(client.templates.update({ params: { id: template.id }, body }))).toMatchObject({
      code: 'invalid',
    });
  });
});
