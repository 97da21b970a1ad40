import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as recipes from '../../../../fixtures/make/iiif-manifests.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { onlyPolicies } from '../../../harness/admin-page.ts';
import { type ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { makeFilm } from '../../../harness/film.ts';
import { beginIiif, imagesOf, imported } from '../../../harness/iiif-imports.ts';
import type { IiifServer } from '../../../harness/stand-ins/iiif-server.ts';
import { makeTone } from '../../../harness/tone.ts';

describe.each(databases)('works of IIIF manifests, on %s', (kind) => {
  let server: IiifServer;
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    ({ server, api, client } = await beginIiif(kind));
  });
  afterAll(async () => {
    await api.close();
    await server.stop();
  });

  it('a single image hangs in a gallery with a building, as one entry that can be undone', async () => {
    server.image('/images/single.png', { width: 180, height: 120 });
    const url = server.add(recipes.simplestImage(server.url));
    const before = (await client.rooms.list()).meta.total;
    const { room, made, source, remarks, media } = await imported(client, { url }, 'Single');
    expect(source).toMatchObject({ id: url, title: 'Single image', language: 'en', languages: [], canvases: 1 });
    expect(remarks).toEqual([]);
    expect(media).toMatchObject([{ name: 'Single image.png', width: 180, height: 120, title: 'Single image' }]);
    expect(media[0]!.description).toBe(url);
    const [image] = imagesOf(room);
    expect(image).toMatchObject({ name: 'Single image', config: { title: 'Single image', text: url } });
    expect(image!.width! / image!.height!).toBeCloseTo(1.5, 2);
    expect(room.template).toMatchObject({ model_type: 'model', name: 'Single' });
    expect(room.config.language).toBe('en');
    const [entry] = (await client.history.list({ query: { entity: 'room' } })).data;
    expect(entry).toMatchObject({ action: 'import', name: 'Single' });
    expect(await client.imports.undo({ params: { id: made.job! }, body: {} })).toMatchObject({ undone: 2 });
    expect((await client.rooms.list()).meta.total).toBe(before);
    // The image stays in the library.
    expect(await client.media.read({ params: { id: media[0]!.id } })).toMatchObject({ title: 'Single image' });
  });

  it('the pages of a book hang in order, with the title of the book in their captions', async () => {
    for (let nth = 0; nth < 5; nth++) server.image(`/images/page-${nth + 1}.png`, { width: 90 + nth, height: 140 });
    const url = server.add(recipes.book(server.url));
    const { room, media } = await imported(client, { url }, 'Book');
    expect(media.map(({ title }) => title)).toEqual([
      'Blank page',
      'Frontispiece',
      'Title page',
      'Bookplate',
      'A book, 5',
    ]);
    expect(imagesOf(room)).toHaveLength(5);
    expect(imagesOf(room).every(({ config }) => config.text === `A book\n${url}`)).toBe(true);
    const { source } = await imported(client, { url }, 'Two pages', 2);
    expect([source.works.length, source.canvases]).toEqual([2, 5]);
    expect(source.remarks.join()).toContain('Only the first 2 canvases are imported.');
  });

  it('texts in several languages become translations', async () => {
    server.image('/images/portrait.png', { width: 150, height: 100 });
    const manifest = JSON.stringify(recipes.multilingual(server.url));
    const { source, room, media } = await imported(client, { manifest }, 'Portrait');
    expect([source.language, source.languages]).toEqual(['en', ['fr']]);
    expect(media[0]).toMatchObject({
      title: "Whistler's Mother",
      credit: "Musée d'Orsay, Paris, France",
      translations: { fr: { title: { text: 'La Mère de Whistler' } } },
    });
    const { config } = imagesOf(room)[0]!;
    expect(config.text.split('\n')).toEqual([
      "Held by: Musée d'Orsay, Paris, France",
      'Arrangement in Grey and Black No. 1.',
      'Creator: Whistler, James Abbott McNeill',
      'Subject: McNeill Whistler, Anna Matilda',
      `${server.url}/0006/manifest.json`,
    ]);
    expect(config.translations?.['fr:config.title']?.text).toBe('La Mère de Whistler');
    expect(config.translations?.['fr:config.text']?.text.split('\n').slice(0, 3)).toEqual([
      "Détenu par: Musée d'Orsay, Paris, France",
      'Arrangement en gris et noir no 1.',
      'Auteur: Whistler, James Abbott McNeill',
    ]);
    expect([room.config.language, room.config.languages]).toEqual(['en', ['fr']]);
  });

  it('rights, required statement, provider and links are kept', async () => {
    server.image('/images/goettingen.png', { width: 120, height: 160 });
    server.image('/images/tale.png', { width: 130, height: 170 });
    const { media } = await imported(client, { url: server.add(recipes.rightsAndProvider(server.url)) }, 'Rights');
    expect(media[0]).toMatchObject({
      credit: 'Glen Robson, IIIF Technical Coordinator',
      rights: 'http://creativecommons.org/licenses/by-sa/3.0/',
    });
    expect(media[0]!.description.split('\n')).toEqual([
      'Attribution: Glen Robson, IIIF Technical Coordinator',
      'Picture taken during a conference.',
      'Author: Glen Robson',
      'Date: 2019',
      'http://creativecommons.org/licenses/by-sa/3.0/',
      'Example Library',
      `Homepage: ${server.url}/library.html`,
      `About the picture: ${server.url}/about.html`,
      `${server.url}/0008/manifest.json`,
    ]);
    const more = await imported(client, { url: server.add(recipes.seeAlso(server.url)) }, 'See also');
    expect(more.media[0]!.description).toContain(`MODS record: ${server.url}/0053/mods.xml`);
    expect(more.source.language).toBe('ja');
  });

  it('audio and videos become elements, and a choice its first image', async () => {
    server.put('/files/tone.wav', makeTone({ level: -20 }), 'audio/wav');
    server.put('/files/film.mp4', makeFilm(), 'video/mp4');
    for (const name of ['natural', 'xray']) server.image(`/images/${name}.png`, { width: 200, height: 140 });
    const heard = await imported(client, { url: server.add(recipes.audio(server.url)) }, 'Audio');
    expect(heard.room.elements.find(({ element }) => element === 'audio')).toMatchObject({
      name: 'Simplest audio',
      config: { alt: 'Simplest audio' },
    });
    const seen = await imported(client, { url: server.add(recipes.video(server.url)) }, 'Video');
    const film = seen.room.elements.find(({ element }) => element === 'native_video')!;
    expect(film).toMatchObject({ name: 'Simplest video', config: { controls: true } });
    expect([film.width, film.height].every((side) => side! > 0)).toBe(true);
    expect(film.parent_element_id).not.toBeNull();
    const chosen = await imported(client, { url: server.add(recipes.choice(server.url)) }, 'Choice');
    expect(chosen.media).toMatchObject([{ title: 'A painting under X-rays' }]);
    expect(chosen.remarks).toEqual(['“A painting under X-rays” offers 2 choices; the first one is used.']);
  });

  it('a manifest of version 2 is read like one of version 3', async () => {
    server.service('v2', { width: 2400, height: 1800, level: 2, version: 2 });
    const { source, media } = await imported(client, { url: server.add(recipes.version2(server.url)) }, 'Version 2');
    expect([source.language, source.languages]).toEqual(['en', ['nl']]);
    expect(media).toMatchObject([
      {
        ...{ title: 'A letter', width: 2048, height: 1536, rights: 'http://creativecommons.org/licenses/by/4.0/' },
        credit: 'Provided by Example Organization',
        translations: { nl: { title: { text: 'Een brief' } } },
      },
    ]);
    expect(media[0]!.description.split('\n')).toEqual([
      'Attribution: Provided by Example Organization',
      'Letter of 1856.',
      'Author: Anne Author',
      'http://creativecommons.org/licenses/by/4.0/',
      `${server.url}/v2/record.xml`,
      `${server.url}/v2/manifest.json`,
    ]);
    expect(server.wrong).toEqual([]);
  });

  it('collections contain others; circles and repeated manifests are reported', async () => {
    server.add(recipes.circle(server.url));
    server.add(recipes.multilingual(server.url));
    const { source, remarks, room } = await imported(
      client,
      { url: server.add(recipes.collection(server.url)) },
      'Collection',
    );
    expect(source.works.map(({ title }) => title)).toEqual([
      'Single image',
      'Blank page',
      'Frontispiece',
      'Title page',
      'Bookplate',
      'A book, 5',
      "Whistler's Mother",
    ]);
    expect(remarks).toEqual([
      `${server.url}/0032/collection.json is contained more than once; it is imported once.`,
      `${server.url}/0001/manifest.json is contained more than once; it is imported once.`,
    ]);
    expect(imagesOf(room)).toHaveLength(7);
  });

  it('a file in the library keeps the texts that it has been given', async () => {
    const url = `${server.url}/0001/manifest.json`;
    const { media } = await imported(client, { url }, 'Again');
    await client.media.update({ params: { id: media[0]!.id }, body: { title: 'Corrected' } });
    const again = await imported(client, { url }, 'And again');
    expect(again.media).toMatchObject([{ id: media[0]!.id, title: 'Corrected' }]);
    expect(imagesOf(again.room)[0]!.config.title).toBe('Corrected');
  });

  it('needs the rights to create spaces, media and templates', async () => {
    const files = [(await client.media.list()).data[0]!.id];
    const all = { view_any: true, create: true, update: true, delete: true };
    for (const rights of [
      { rooms: all, media: all },
      { rooms: all, templates: all },
    ]) {
      const user = await api.addUser(api.one, onlyPolicies(rights));
      const attempt = api.client(user).iiif.hang({ body: { name: 'No', files } });
      expect((await refused(attempt)).code).toBe('forbidden');
    }
  });

  it('files of another organization are not found', async () => {
    const files = [(await client.media.list()).data[0]!.id];
    const attempt = api.client(api.two.admin).iiif.hang({ body: { name: 'No', files } });
    expect((await refused(attempt)).msg).toHaveProperty('files');
  });
});
