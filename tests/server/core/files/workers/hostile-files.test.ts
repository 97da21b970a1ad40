import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOM_LINKS } from '../../../../../engine/document/remap.ts';
import { sanitizePage, sanitizeRichText } from '../../../../../src/server/core/html/sanitize-html.ts';
import { ApiApp, formOf, oneDatabase, refused } from '../../../../harness/api-app.ts';
import { FeedSource, item, rss } from '../../../../harness/stand-ins/feed-source.ts';
import { ROOT } from '../../../../harness/started-server.ts';
import { zipOf } from '../../../../harness/zip.ts';

/** Characters of HTML: almost the most that is taken, and enough to be given to a worker. */
const LONGEST = 190_000;
const LONG = 20_000;
/** Elements of some hundred characters that are enough to be given to a worker. */
const MANY = 1000;
/** HTML of which much is taken out. */
const htmlOf = (name: string, length = LONG): string => {
  const piece = `<p onclick="x()" style="color:red;position:fixed" class="ql-a b">${name} &lt; <b>1</b><script>2</script><a href="http://a">3</a></p>`;
  return piece.repeat(Math.floor(length / piece.length));
};

describe.each(oneDatabase)('what others sent is read in workers, on %s', (kind) => {
  let api: ApiApp;
  let source: FeedSource;
  let earlier: ReturnType<typeof counts>;
  beforeAll(async () => {
    source = await new FeedSource().start();
    api = await ApiApp.start(kind, {}, { allowed: [new URL(source.url).host] });
    earlier = counts();
  });
  afterAll(async () => {
    await api?.close();
    await source?.stop();
  });

  /** Jobs that were done by the threads, also for the servers of other files, by kind. */
  const counts = () =>
    new Map(
      api.services.workers
        .measures()
        .flatMap(({ read }) => [...read()])
        .flatMap(([{ job, outcome }, count]) => (outcome === 'done' ? [[job, count] as const] : [])),
    );
  /** Jobs of a kind that were done so far. */
  const done = (job: string): number => (counts().get(job) ?? 0) - (earlier.get(job) ?? 0);

  const upload = (name: string, content: Buffer | string) =>
    api.send('POST', '/api/v1/backend/media', {
      token: api.one.admin.token,
      form: formOf({}, { field: 'file', name, content: new Blob([Uint8Array.from(Buffer.from(content))]) }),
    });

  it('files of every kind, and the copies that are made of pictures', async () => {
    const model = await readFile(join(ROOT, 'fixtures/media/gallery.glb'));
    const font = join(ROOT, 'node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2');
    const wide = await sharp({ create: { width: 9000, height: 100, channels: 3, background: '#B7822F' } })
      .jpeg()
      .toBuffer();
    const wave = Buffer.alloc(44 + 8000);
    wave.write('RIFF', 0, 'latin1');
    wave.writeUInt32LE(36 + 8000, 4);
    wave.write('WAVEfmt ', 8, 'latin1');
    wave.writeUInt32LE(16, 16);
    wave.writeUInt16LE(1, 20);
    wave.writeUInt16LE(1, 22);
    wave.writeUInt32LE(8000, 24);
    wave.writeUInt32LE(8000, 28);
    wave.writeUInt16LE(1, 32);
    wave.writeUInt16LE(8, 34);
    wave.write('data', 36, 'latin1');
    wave.writeUInt32LE(8000, 40);
    const files: [string, Buffer | string, string][] = [
      ['hall.glb', model, 'readModel'],
      ['letters.woff2', await readFile(font), 'readFont'],
      ['wide.jpg', wide, 'readPicture'],
      ['tone.wav', wave, 'readSoundOrFilm'],
      ['words.vtt', 'WEBVTT\n', 'readText'],
      ['light.hdr', await readFile(join(ROOT, 'fixtures/media/studio.hdr')), 'readEnvironment'],
      ['page.zip', zipOf([{ name: 'index.html', content: '<p>1</p>' }]), 'unpackArchive'],
    ];
    let url = '';
    for (const [name, content, job] of files) {
      const before = [done(job), done('detectKind')];
      const answer = await upload(name, content);
      expect(answer.status, `${name} ${answer.text}`).toBe(201);
      expect([done(job), done('detectKind')], name).toEqual([before[0]! + 1, before[1]! + 1]);
      if (name === 'wide.jpg') url = new URL(answer.body.data.url, api.origin).pathname;
    }
    expect((await api.send('GET', `${url}?width=200`)).status).toBe(200);
    expect((await api.send('GET', `${url}?tile=whole`)).status).toBe(200);
    expect([done('drawThumbnail'), done('cutTiles')]).toEqual([1, 1]);
  });

  it('thumbnails that many ask for at once are drawn once', async () => {
    const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    const { url } = (await upload('many.png', bytes)).body.data;
    const before = done('drawThumbnail');
    const path = `${new URL(url, api.origin).pathname}?width=400`;
    const answers = await Promise.all(Array.from({ length: 30 }, () => api.send('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(done('drawThumbnail')).toBe(before + 1);
  });

  it('long HTML of every place that takes it, which comes back as it is made safe anywhere', async () => {
    const client = api.client();
    const description = htmlOf('description', LONGEST);
    const timed_popup_text = htmlOf('popup');
    const contents = ROOM_LINKS.map((name) => [name, htmlOf(name)] as const);
    const linkOf = (content: string) => ({
      navigation: { type: 'modal_content' as const, type_config: { content, title: '' } },
    });
    const config = { timed_popup_text, ...Object.fromEntries(contents.map(([name, html]) => [name, linkOf(html)])) };
    const before = done('cleanHtml');
    const room = await client.rooms.create({ body: { title: 'Hall', description } });
    expect(room.description).toBe(sanitizePage(description));
    const params = { id: room.id };
    const changed = await client.rooms.update({ params, body: { config } });
    expect(changed.description).toBe(sanitizePage(description));
    expect(changed.config.timed_popup_text).toBe(sanitizePage(timed_popup_text));
    for (const [name, html] of contents)
      expect(changed.config[name]!.navigation.type_config).toMatchObject({ content: sanitizePage(html) });
    const added = await client.rooms.addElement({ params, body: { element: 'html', config: { body: description } } });
    expect(added.config).toMatchObject({ body: sanitizePage(description) });
    const words = await client.rooms.addElement({ params, body: { element: 'rich_text', config: {} } });
    const rich = await client.elements.update({ params: { id: words.id }, body: { config: { body: description } } });
    expect(rich.config).toMatchObject({ body: sanitizeRichText(description) });
    // One job at least for each request; a job holds several texts.
    expect(done('cleanHtml')).toBeGreaterThanOrEqual(before + 4);

    const beforeImport = done('cleanHtml');
    const elements = [{ id: 1, element: 'html', config: { body: timed_popup_text } }];
    const plan = await client.imports.rooms({
      body: { items: [{ title: 'Imported', description, elements }] },
    });
    const imported = await client.rooms.read({ params: { id: plan.entries[0]!.id! } });
    expect(imported.description).toBe(sanitizePage(description));
    expect(imported.elements[0]!.config).toMatchObject({ body: sanitizePage(timed_popup_text) });
    expect(done('cleanHtml')).toBeGreaterThan(beforeImport);
  });

  it('short HTML is made safe where it stands', async () => {
    const before = done('cleanHtml');
    const room = await api
      .client()
      .rooms.create({ body: { title: 'Short', description: '<p>a<script>b</script></p>' } });
    expect(room.description).toBe('<p>a</p>');
    expect(done('cleanHtml')).toBe(before);
  });

  it('a long list of elements, from a request and from a file', async () => {
    const text = 'word '.repeat(50);
    const elements = Array.from({ length: MANY }, (_, index) => ({
      id: index + 1,
      element: 'text',
      name: `Sign ${index}`,
      ...(index % 3 === 2 && { parent_element_id: null }),
      children: [{ id: 100_000 + index, element: 'text', name: `Below ${index}`, config: { text } }],
    }));
    const client = api.client();
    const before = done('readElements');
    const first = await client.imports.rooms({ body: { items: [{ title: 'Long', elements }] } });
    const file = new File([`${JSON.stringify({ title: 'Long from a file', elements })}\n`], 'rooms.jsonl');
    const second = await client.imports.roomsFile({ body: {}, files: { items_file: file } });
    const namesOf = async (id: number) => {
      const room = await client.rooms.read({ params: { id } });
      return room.elements.map(({ name, children }) => [name, children.map((child) => child.name)]);
    };
    const expected = elements.map(({ name, children }) => [name, children.map((child) => child.name)]);
    expect(await namesOf(first.entries[0]!.id!)).toEqual(expected);
    expect(await namesOf(second.entries[0]!.id!)).toEqual(expected);
    expect(done('readElements')).toBe(before + 2);
    expect(done('splitItem')).toBe(1);
    expect(done('checkItems')).toBe(1);
    const wrong = [...elements, { id: 1, element: 'text' }, { id: 9_000_000, element: 'nothing' }];
    const plan = await client.imports.rooms({ body: { items: [{ title: 'Wrong', elements: wrong }] } });
    expect(plan.applied).toBe(false);
    expect(JSON.stringify(plan.entries[0]!.problems)).toContain(`${MANY + 1}`);
  });

  it('feeds', async () => {
    const feed_url = source.put('/feed', rss(item(1), item(2)));
    const feed = await api.client().feeds.create({ body: { name: 'Feed', type: 'picdrop', config: { feed_url } } });
    expect(feed.items_count).toBe(2);
    expect(done('readFeed')).toBe(1);
    const wrong = source.put('/wrong', '<!DOCTYPE a><a/>');
    const error = await refused(
      api.client().feeds.create({ body: { name: 'W', type: 'picdrop', config: { feed_url: wrong } } }),
    );
    expect(error).toMatchObject({ code: 'invalid', msg: { 'config.feed_url': [expect.stringContaining('DOCTYPE')] } });
  });

  it('JSON of too many values, or of an object of too many names, is refused before it is read', async () => {
    const send = (path: string, body: string) =>
      api.send('POST', `/api/v1${path}`, { token: api.one.admin.token, body });
    const before = await api.dump();
    const values = await send('/backend/imports/rooms', `{"items":[${'{},'.repeat(400_000)}{}]}`);
    expect([values.status, values.body.code]).toEqual([400, 'bad_request']);
    const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
    const wide = await send('/backend/rooms', `{${names(10_001)}}`);
    expect([wide.status, wide.body.code]).toEqual([400, 'bad_request']);
    const unknown = await send('/backend/rooms', `{"title":"A",${names(500)}}`);
    expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_field']);
    expect(Object.keys(unknown.body.msg)).toHaveLength(100);
    const anybody = await api.send('POST', '/api/v1/backend/users/login', {
      body: `{"email":"${'a'.repeat(300_000)}"}`,
    });
    expect([anybody.status, anybody.body.code]).toEqual([413, 'too_large']);
    expect(await api.dump()).toBe(before);
  });
});
