import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as recipes from '../../../../fixtures/make/iiif-manifests.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { type ApiApp, oneDatabase, refused } from '../../../harness/api-app.ts';
import { beginIiif, imagesOf, imported } from '../../../harness/iiif-imports.ts';
import type { IiifServer } from '../../../harness/stand-ins/iiif-server.ts';

/** Processor seconds of this process and its decoders; other programs on the machine don't count. */
async function secondsOfWork(): Promise<number> {
  let ticks = 0;
  for (const id of await readdir('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
    // Fields after the name: state, parent, … user and system time at 11 and 12, those of ended children at 13 and 14.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const isOwn = Number(id) === process.pid;
    if (isOwn || fields[1] === process.pid)
      ticks += fields.slice(11, isOwn ? 15 : 13).reduce((sum, each) => sum + each, 0);
  }
  return ticks / 100;
}

describe.each(oneDatabase)('images and bad input of IIIF, on %s', (kind) => {
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

  it.each([
    ['level 2', 'level2', 3, { level: 2 }, [2048, 1536]],
    ['level 1 of version 2', 'level1', 2, { level: 1 }, [2048, 1536]],
    ['a maximum width', 'level2', 2, { level: 2, more: { maxWidth: 1000 } }, [1000, 750]],
    [
      'level 0 with sizes',
      'level0',
      3,
      { level: 0, more: { sizes: [125, 500, 1000, 4000].map((width) => ({ width, height: width * 0.75 })) } },
      [1000, 750],
    ],
    [
      'level 0 with tiles',
      'level0',
      2,
      { level: 0, more: { tiles: [{ width: 512, scaleFactors: [1, 2, 4, 8] }] } },
      [500, 375],
    ],
  ] as const)('an image service of %s gives an image that fits', async (name, profile, version, facts, size) => {
    server.service(`${profile}-${version}`, { width: 4000, height: 3000, version, ...facts } as never);
    const url = server.add(recipes.imageService(server.url, profile, version));
    const { media, remarks } = await imported(client, { url }, name);
    expect([media[0]!.width, media[0]!.height]).toEqual(size);
    expect([remarks, server.wrong]).toEqual([[], []]);
  });

  it('the real size of an image counts, and the difference is reported', async () => {
    server.image('/images/single.png', { width: 90, height: 120 });
    const url = server.add(recipes.simplestImage(server.url));
    const { room, remarks } = await imported(client, { url }, 'Misstated');
    expect(remarks).toEqual(['“Single image” is 90 × 120 pixels, not 180 × 120 as stated; its real size is used.']);
    expect(imagesOf(room)[0]!.width! / imagesOf(room)[0]!.height!).toBeCloseTo(0.75, 2);
  });

  it('images that fail are left out and reported', async () => {
    const manifest = recipes.book(server.url);
    server.image('/images/page-1.png', { width: 90, height: 140 });
    server.put('/images/page-2.png', 'no image', 'image/png');
    server.put('/images/page-3.png', '', 'image/png', { location: 'http://127.0.0.1:1/image.png' });
    const { remarks, room } = await imported(client, { manifest: JSON.stringify(manifest) }, 'Failing');
    expect(imagesOf(room).map(({ name }) => name)).toEqual(['Blank page']);
    expect(remarks.map((line) => line.slice(0, 40))).toEqual([
      expect.stringContaining('“Frontispiece” is left out: '),
      expect.stringContaining('“Title page” is left out: '),
      expect.stringContaining('“Bookplate” is left out: '),
      expect.stringContaining('“A book, 5” is left out: '),
    ]);
    expect(remarks[1]).toContain("doesn't resolve to a public IP address");
    expect(remarks[2]).toContain('status 404');
  });

  it.each([
    ['a web page', 'text/html', '<html>', /web page, not a IIIF manifest/],
    ['a web page that claims to be JSON', 'application/json', ' <!doctype html>', /web page, not a IIIF manifest/],
    ['malformed JSON', 'application/json', '{"type": ', /not valid JSON/],
    ['other JSON', 'application/json', '{"type": "FeatureCollection"}', /not a IIIF manifest or collection/],
    ['deep nesting', 'application/json', '['.repeat(5000), /nested more than 100 levels/],
    ['a list', 'application/json', '[1]', /not a IIIF manifest/],
    ['no canvases', 'application/json', '{"type": "Manifest", "items": 7}', /no work to import/],
    [
      'wrong types',
      'application/json',
      '{"type": "Manifest", "label": 5, "items": [1, null, {"items": [{"items": {}}]}]}',
      /no work to import/,
    ],
    [
      'a broken version 2',
      'application/json',
      '{"@type": "sc:Manifest", "sequences": [{"canvases": 3}]}',
      /rules of the IIIF Presentation API 2|no work to import/,
    ],
  ])('%s is rejected with a clear message, and nothing is stored', async (name, type, content, message) => {
    const before = await api.dump(['media', 'rooms', 'templates', 'imports']);
    const url = server.put(`/bad/${encodeURIComponent(name)}`, content, type);
    expect((await refused(client.iiif.read({ body: { url } }))).message).toMatch(message);
    expect(await api.dump(['media', 'rooms', 'templates', 'imports'])).toBe(before);
  });

  it('private addresses are rejected, directly and behind a redirect', async () => {
    for (const url of ['http://127.0.0.1:1/m.json', 'http://169.254.169.254/m.json', 'file:///etc/passwd'])
      expect((await refused(client.iiif.read({ body: { url } }))).message).toContain('public IP address');
    const url = server.put('/redirect', '', 'text/plain', { location: 'http://10.0.0.1/m.json' });
    expect((await refused(client.iiif.read({ body: { url } }))).message).toContain('public IP address');
  });

  it('a million canvases are limited', async () => {
    const canvases = Array(1_000_000).fill('{}').join();
    const manifest = `{"type": "Manifest", "id": "https://example.com/m", "label": {"en": ["Million"]}, "items": [${canvases}]}`;
    const { message } = await refused(client.iiif.read({ body: { manifest } }));
    expect(message).toMatch(/no work to import/);
    const long = await refused(client.iiif.read({ body: { manifest: ' '.repeat(5_000_001) } }));
    expect(long.msg).toEqual({ manifest: ['The manifest is longer than 5 MB.'] });
  });

  it('markup in labels is removed, and links that are no web addresses are left out', async () => {
    const manifest = recipes.simplestImage(server.url) as Record<string, unknown>;
    const hostile = {
      ...manifest,
      label: {
        en: ['<script>alert(1)</script>Bold <b onclick="x()">title</b> & more\u0000'],
        '<x>': ['y'],
        __proto__: 1,
      },
      summary: { en: ['<img src=x onerror=alert(1)>Fine'] },
      homepage: [{ id: 'javascript:alert(1)', label: { en: ['Click'] } }],
      rights: ['no text'],
      metadata: [null, 7, { label: { en: [{}] }, value: { en: [null, 3] } }],
    };
    const { works } = await client.iiif.read({ body: { manifest: JSON.stringify(hostile) } });
    expect(works[0]).toMatchObject({ title: 'Bold title & more', rights: '' });
    expect(works[0]!.description).toBe(`Fine\n3\n${server.url}/0001/manifest.json`);
  });

  it('more languages than a text may have are left out', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const values = (from: string) =>
      Object.fromEntries(letters.map((letter) => [`${from}${letter}`, [`${from}${letter}`]]));
    const manifest = {
      ...recipes.simplestImage(server.url),
      label: { en: ['Many'], ...values('x') },
      summary: values('y'),
    };
    const { works, languages } = await client.iiif.read({ body: { manifest: JSON.stringify(manifest) } });
    expect([languages.length, Object.keys(works[0]!.translations).length]).toEqual([20, 20]);
    // The works are valid in the next request.
    expect(await client.iiif.store({ body: { works } })).toMatchObject([{ key: works[0]!.key }]);
  });

  it('an image of version 2 may be a part of a specific resource', async () => {
    const manifest = recipes.version2(server.url);
    const [sequence] = manifest.sequences as { canvases: { images: { resource: object }[] }[] }[];
    const [image] = sequence!.canvases[0]!.images;
    image!.resource = { '@type': 'oa:SpecificResource', style: 'rotated', full: image!.resource };
    const { works } = await client.iiif.read({ body: { manifest: JSON.stringify(manifest) } });
    expect(works).toMatchObject([{ kind: 'image', service: { version: 2 } }]);
  });

  it('works hang in a space of a given template, without a building', async () => {
    const { id } = await client.templates.create({ body: { name: 'White' } });
    server.image('/images/portrait.png', { width: 150, height: 100 });
    const { works } = await client.iiif.read({ body: { manifest: JSON.stringify(recipes.multilingual(server.url)) } });
    const [stored] = await client.iiif.store({ body: { works } });
    const body = {
      name: 'White space',
      files: [stored!.file_id!],
      template_id: id,
      endpoint: { path: 'white', name: 'White' },
    };
    const made = await client.iiif.hang({ body });
    expect(made).toMatchObject({ hung: 1, endpoint_id: expect.any(Number) });
    expect(await client.rooms.read({ params: { id: made.room_id! } })).toMatchObject({ template_id: id });
    const unknown = client.iiif.hang({ body: { name: 'Other', files: body.files, template_id: 999_999 } });
    expect((await refused(unknown)).msg).toHaveProperty('template_id');
  });

  it('a collection that contains itself, and a chain of collections, end', async () => {
    const collection = (path: string, ...items: string[]) => ({
      ...{ type: 'Collection', id: server.url + path, label: { en: ['C'] } },
      items: items.map((each) => ({ type: 'Collection', id: server.url + each })),
    });
    const self = server.add(collection('/self', '/self'));
    expect((await refused(client.iiif.read({ body: { url: self } }))).msg.url).toEqual([
      'There is no work to import.',
      `${self} is contained more than once; it is imported once.`,
    ]);
    for (let nth = 0; nth < 12; nth++) server.add(collection(`/chain/${nth}`, `/chain/${nth + 1}`));
    const chain = await refused(client.iiif.read({ body: { url: `${server.url}/chain/0` } }));
    expect(chain.msg.url?.[1]).toContain('more than 8 levels');
  });

  it('a name that is taken is reported before anything is downloaded', async () => {
    await client.rooms.create({ body: { title: 'Taken' } });
    const attempt = client.iiif.hang({ body: { name: 'Taken', files: [], dry_run: true } });
    expect((await refused(attempt)).msg).toEqual({ name: ['Another space has this name. Choose another one.'] });
    const free = await client.iiif.hang({ body: { name: 'Free', files: [], dry_run: true } });
    expect(free).toMatchObject({ job: null, room_id: null });
    expect((await refused(client.iiif.hang({ body: { name: 'Free', files: [] } }))).msg).toHaveProperty('files');
  });

  it('hangs 1,000 canvases within 60 seconds', async () => {
    for (let nth = 0; nth < 1000; nth++)
      server.image(`/images/many-${nth}.png`, { width: 100 + (nth % 50), height: 100 });
    const url = server.add(recipes.manyCanvases(server.url, 1000));
    const before = await secondsOfWork();
    const { room, made, remarks } = await imported(client, { url }, 'Many');
    const seconds = (await secondsOfWork()) - before;
    expect([imagesOf(room).length, made.hung, remarks]).toEqual([1000, 1000, []]);
    expect(seconds).toBeLessThan(60);
  });
});
