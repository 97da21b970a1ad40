import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfText } from '../../../../engine/document/translation-state.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('longer texts on text pages on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const read = async (path: string) => (await api.send('GET', path)).text;
  const upload = async (width: number) => {
    const content = await sharp({ create: { width, height: width / 2, channels: 3, background: '#446688' } })
      .png()
      .toBuffer();
    return client.media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], `${width}.png`) } });
  };

  it('open on request: descriptions and transcripts, beside what they describe', async () => {
    const photo = await upload(32);
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    const add = (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
      client.rooms.addElement({ params: { id: room.id }, body });
    await add({
      element: 'image',
      file_id: photo.id,
      config: { title: 'Night', long_description: 'Two men.\n<b>Behind</b> them, a crowd.' },
    });
    await add({ element: 'image', file_id: photo.id, config: { decorative: true, long_description: 'Ornament text' } });
    await add({
      element: 'native_video',
      name: 'Film',
      config: {
        direct_url: '/media/film.mp4',
        text_tracks: [
          { language: 'nl', link: '/media/film.vtt', type: 'captions' },
          { language: 'de', link: 'https://cdn.example/film.vtt' },
        ],
        audio_description: '/media/film-described.mp3',
        transcript: 'A: Hello.\nB: Goodbye.',
      },
    });
    await add({ element: 'video', name: 'Talk', config: { id: 'abc', transcript: 'So it began.' } });
    await add({ element: 'audio', name: 'Guide', config: { file_url: '/media/g.mp3', transcript: 'Turn left.' } });
    await add({ element: 'iframe', name: 'map', config: { src: 'https://maps.example/', alt: 'Map of the quay' } });
    await add({
      element: 'model',
      name: 'Vase',
      config: { file_url: '/media/v.glb', long_description: 'Blue glaze.' },
    });
    await add({
      element: 'view_point',
      file_id: photo.id,
      config: { name: 'Court', alt: 'A court with a well', long_description: 'The well is round.' },
    });
    await client.endpoints.create({ body: { name: 'Hall', slug: 'hall', room_id: room.id } });
    const text = await read('/hall?text');
    for (const part of [
      '<details><summary>Description: Night</summary><p>Two men.<br>&lt;b&gt;Behind&lt;/b&gt; them, a crowd.</p></details>',
      '<video controls preload="none" src="/media/film.mp4"><track kind="captions" srclang="nl" label="nl" src="/media/film.vtt"></video>',
      '<audio controls preload="none" src="/media/film-described.mp3" aria-label="Audio description: Film"></audio>',
      '<details><summary>Transcript: Film</summary><p>A: Hello.<br>B: Goodbye.</p></details>',
      '<details><summary>Transcript: Talk</summary><p>So it began.</p></details>',
      '<details><summary>Transcript: Guide</summary><p>Turn left.</p></details>',
      '<a href="https://maps.example/">Page: Map of the quay</a>',
      '<details><summary>Description: Vase</summary><p>Blue glaze.</p></details>',
      'alt="A court with a well"',
      '<details><summary>Description: Court</summary><p>The well is round.</p></details>',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Ornament text');
    expect(await read('/hall?text&lang=fr')).toContain('<summary>Transcription : Talk</summary>');
  });

  it('link to a form where something can be shared', async () => {
    const room = await client.rooms.create({ body: { title: 'Wall' } });
    const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const navigation = { type: 'modal_share', type_config: { feed_id: feed.id } };
    for (const [title, link] of [
      ['Add a message', navigation],
      ['Nowhere', { type: 'modal_share', type_config: {} }],
    ] as const)
      await client.rooms.addElement({
        params: { id: room.id },
        body: { element: 'button', config: { title, navigation: link } },
      });
    await client.endpoints.create({ body: { name: 'Wall', slug: 'wall', room_id: room.id } });
    const text = await read('/wall?text');
    expect(text).toMatch(new RegExp(`<a href="[^"]*share=${feed.id}[^"]*">Add a message</a>`));
    expect(text).toContain('<p>Nowhere</p>');
  });

  it('describe the panorama of a template', async () => {
    const photo = await upload(64);
    const create = (name: string, config: object) =>
      client.templates.create({ body: { name, model_type: 'pano', file_id: photo.id, config } });
    for (const [slug, config] of [
      ['lake', { alt: 'A lake at dawn', long_description: 'Mist over the water.' }],
      ['plain', {}],
    ] as const) {
      const template = await create(slug, config);
      const room = await client.rooms.create({ body: { title: `Room ${slug}`, template_id: template.id } });
      await client.endpoints.create({ body: { name: slug, slug, room_id: room.id } });
    }
    const lake = await read('/lake?text');
    expect(lake).toMatch(/<img src="\/media\/[^"]+" alt="A lake at dawn" loading="lazy">/);
    expect(lake).toContain('<details><summary>Description: Room lake</summary><p>Mist over the water.</p></details>');
    expect(await read('/plain?text')).not.toMatch(/<img|<details/);
    const refused = create('x', { alt: 'x'.repeat(1001) });
    await expect(refused).rejects.toMatchObject({ msg: { 'config.alt': [expect.any(String)] } });
  });

  it('carry their language where they are not translated', async () => {
    const photo = await upload(40);
    const template = await client.templates.create({
      body: {
        name: 'Lake',
        model_type: 'pano',
        file_id: photo.id,
        config: { alt: 'A lake', long_description: 'Mist.' },
      },
    });
    const room = await client.rooms.create({
      body: { title: 'Hall', template_id: template.id, config: { language: 'en', languages: ['nl'] } },
    });
    const dutchOf = (text: string, source: string) => ({ text, source: hashOfText(source) });
    for (const body of [
      { element: 'video', name: 'Talk', config: { id: 'abc', transcript: 'So it began.' } },
      {
        element: 'view_point',
        file_id: photo.id,
        config: {
          name: 'Court',
          alt: 'A court with a well',
          long_description: 'The well is round.',
          translations: {
            'nl:config.name': dutchOf('Hof', 'Court'),
            'nl:config.long_description': dutchOf('De put is rond.', 'The well is round.'),
          },
        },
      },
    ] as const)
      await client.rooms.addElement({ params: { id: room.id }, body });
    await client.endpoints.create({ body: { name: 'Two', slug: 'two', room_id: room.id } });
    const dutch = await read('/two?text&lang=nl');
    const english = ' lang="en" dir="ltr"';
    for (const part of [
      `alt="A lake"${english} loading="lazy">`,
      `</summary><p${english}>Mist.</p>`,
      `</summary><p${english}>So it began.</p>`,
      `alt="A court with a well"${english} loading="lazy">`,
      '</summary><p>De put is rond.</p>',
    ])
      expect(dutch).toContain(part);
    expect(await read('/two?text')).toContain(
      'alt="A lake" loading="lazy"><details><summary>Description: Hall</summary><p>Mist.</p>',
    );
  });

  it('are on pages with the logo, and the colors that are legible', async () => {
    const logo = await upload(48);
    await client.organizations.update({ body: { logo_file_id: logo.id, accent_color: '#FFEE00', font_color: '#123' } });
    const text = await read('/lake?text');
    expect(text).toContain(`<header class="brand"><img src="${logo.url}" alt="`);
    // Yellow is legible on dark pages only, and dark blue on light ones.
    expect(text).toContain('style="--text-on-light:#123;--link-on-dark:#FFEE00"');
  });
});
