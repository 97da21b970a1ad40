import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { NO_TEXTS } from '../../../../src/contract/entities.ts';
import { readOldTexts } from '../../../../src/server/features/media/jobs.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { zipOf } from '../../../harness/zip.ts';

let shade = 0;
/** An image of a color of its own, so that no two files are equal. */
const image = () =>
  sharp({
    create: { width: 9, height: 9, channels: 3, background: { r: (++shade * 37) % 256, g: 90, b: (shade * 71) % 256 } },
  });

const xmpOf = (inside: string, attributes = '') =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" ${attributes}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const translated = (name: string, texts: Record<string, string>) =>
  `<${name}><rdf:Alt>${Object.entries(texts)
    .map(([language, text]) => `<rdf:li xml:lang="${language}">${text}</rdf:li>`)
    .join('')}</rdf:Alt></${name}>`;
const listed = (name: string, texts: string[]) =>
  `<${name}><rdf:Seq>${texts.map((text) => `<rdf:li>${text}</rdf:li>`).join('')}</rdf:Seq></${name}>`;

const WORK = xmpOf(
  [
    translated('dc:title', { 'de-DE': 'Nachtwache', 'x-default': 'Night Watch – Grüße' }),
    translated('dc:description', { 'x-default': 'A company of guards' }),
    listed('dc:creator', ['R. van Rijn', 'His workshop']),
    listed('dc:subject', ['oil', 'guards, armed', 'oil']),
    translated('Iptc4xmpCore:AltTextAccessibility', { 'x-default': 'Men with pikes' }),
    translated('Iptc4xmpCore:ExtDescrAccessibility', { 'x-default': 'Two men in front.\nOthers behind them.' }),
  ].join(''),
  'photoshop:Credit="Rijksmuseum" photoshop:DateCreated="1642-05-01T12:00:00"',
);
const READ = {
  title: 'Night Watch – Grüße',
  description: 'A company of guards',
  creator: 'R. van Rijn, His workshop',
  credit: 'Rijksmuseum',
  rights: 'Somebody',
  date: '1642-05-01',
  alt: 'Men with pikes',
  long_description: 'Two men in front.\nOthers behind them.',
  keywords: ['oil', 'guards, armed'],
};

/** A JPEG with further segments after its start. @param segments marker and content of each */
function withSegments(jpeg: Buffer, segments: readonly (readonly [number, Buffer])[]): Buffer {
  const parts = segments.map(([marker, content]) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(content.length + 2, 2);
    return Buffer.concat([head, content]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]);
}

/** A PNG with XMP in an `iTXt` chunk, as image editors write it. */
function withText(png: Buffer, xmp: string): Buffer {
  const content = Buffer.from(`iTXtXML:com.adobe.xmp\0\0\0\0\0${xmp}`);
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), content.length + 4);
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

/** An IPTC-IIM block in a Photoshop resource. @param datasets number and content of each, of record 2 */
function iptcOf(datasets: readonly (readonly [number, Buffer | string])[]): readonly [number, Buffer] {
  const sets = datasets.map(([number, text]) => {
    const content = Buffer.from(text);
    const head = Buffer.from([0x1c, 2, number, 0, 0]);
    head.writeUInt16BE(content.length, 3);
    return Buffer.concat([head, content]);
  });
  const block = Buffer.concat([Buffer.from([0x1c, 1, 90, 0, 3, 0x1b, 0x25, 0x47]), ...sets]);
  const head = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\0', 'latin1');
  head.writeUInt32BE(block.length, head.length - 4);
  return [0xed, Buffer.concat([head, block, Buffer.alloc(block.length % 2)])];
}

describe.each(databases)('texts of media files on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const upload = (content: Buffer, name = 'work.jpg') =>
    client.media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], name) } });
  const served = async (url: string) => Buffer.from(await (await fetch(api.origin + url)).arrayBuffer());

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'are read from a %s, which is served without them',
    async (format) => {
      const content = await image()
        [format]()
        .withExif({ IFD0: { Copyright: 'Somebody', Artist: 'From EXIF', ImageDescription: 'From EXIF' } })
        .withXmp(format === 'png' ? xmpOf('') : WORK)
        .toBuffer();
      const file = await upload(format === 'png' ? withText(content, WORK) : content, `work.${format}`);
      expect(file).toMatchObject(READ);
      expect((await served(file.url)).includes('Night Watch')).toBe(false);
    },
  );

  it('are read from IPTC, and from EXIF except for the names of cameras', async () => {
    const plain = await image()
      .jpeg()
      .withExif({ IFD0: { ImageDescription: 'OLYMPUS DIGITAL CAMERA' } })
      .toBuffer();
    const datasets = [
      ...([
        [5, 'Dünen'],
        [80, 'A. Maler'],
        [80, 'B. Maler'],
        [55, '19120501'],
        [116, '© Haus'],
        [110, 'Haus'],
      ] as const),
      ...([
        [120, 'Am Meer'],
        [25, 'sea'],
        [25, 'dunes'],
      ] as const),
    ];
    expect(await upload(withSegments(plain, [iptcOf(datasets)]))).toMatchObject({
      ...{ title: 'Dünen', creator: 'A. Maler, B. Maler', date: '1912-05-01', rights: '© Haus', credit: 'Haus' },
      ...{ description: 'Am Meer', keywords: ['sea', 'dunes'], alt: '' },
    });
    const camera = await image()
      .jpeg()
      .withExif({ IFD0: { ImageDescription: 'OLYMPUS DIGITAL CAMERA' } })
      .toBuffer();
    expect(await upload(camera)).toMatchObject(NO_TEXTS);
  });

  it('are cut to the limits of their fields', async () => {
    const long = xmpOf(
      translated('dc:title', { 'x-default': `${'𝔸'.repeat(400)}` }) +
        listed(
          'dc:subject',
          Array.from({ length: 300 }, (_, nth) => `word ${nth}`),
        ),
    );
    const file = await upload(await image().jpeg().withXmp(long).toBuffer());
    expect([...file.title].length).toBeLessThanOrEqual(255);
    expect(file.title).toMatch(/^𝔸+$/u);
    expect(file.keywords).toHaveLength(100);
  });

  const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, nth) => {
    const [own, used] = [String.fromCharCode(98 + nth), String.fromCharCode(97 + nth)];
    return `<!ENTITY ${own} "${`&${used};`.repeat(10)}">`;
  }).join('')}]>`;
  it.each([
    [
      'a billion laughs',
      () =>
        image()
          .jpeg()
          .withXmp(laughs + xmpOf(translated('dc:title', { 'x-default': '&m;' })))
          .toBuffer(),
    ],
    ['a cut XMP', () => image().jpeg().withXmp(WORK.slice(0, 400)).toBuffer()],
    [
      'very deep XMP',
      () =>
        image()
          .jpeg()
          .withXmp(xmpOf('<dc:a>'.repeat(5000)))
          .toBuffer(),
    ],
    [
      'invalid UTF-8',
      async () => withSegments(await image().jpeg().toBuffer(), [iptcOf([[5, Buffer.from([0xff, 0xfe, 0x80, 0x41])]])]),
    ],
    [
      '60 MB of metadata',
      async () => {
        const head = 'http://ns.adobe.com/xmp/extension/\0';
        const text = Buffer.alloc(65_000, '<dc:a>');
        const id = Buffer.from('0123456789ABCDEF0123456789ABCDEF');
        const parts = Array.from({ length: 920 }, (_, nth) => {
          const sizes = Buffer.alloc(8);
          sizes.writeUInt32BE(920 * text.length, 0);
          sizes.writeUInt32BE(nth * text.length, 4);
          return [0xe1, Buffer.concat([Buffer.from(head), id, sizes, text])] as const;
        });
        return withSegments(await image().jpeg().withXmp(WORK).toBuffer(), parts);
      },
    ],
  ])('are left out if they are malformed: %s', async (_, make) => {
    const content = await make();
    const file = await upload(content);
    expect(file.original!.bytes).toBe(content.length);
    expect(file.title).not.toContain('haha');
    expect(await client.media.read({ params: { id: file.id } })).toEqual(file);
  });

  it('include Content Credentials, which stay in the original', async () => {
    const label = Buffer.concat([
      Buffer.from('JP\0\x01\0\0\0\x01', 'latin1'),
      Buffer.from('0000002e6a756d62000000266a756d64', 'hex'),
      Buffer.from('6332706100110010800000aa00389b71', 'hex'),
      Buffer.from('\x03c2pa\0', 'latin1'),
    ]);
    const file = await upload(withSegments(await image().jpeg().toBuffer(), [[0xeb, label]]));
    expect(file.details).toMatchObject({ credentials: true });
    expect((await served(file.url)).includes('c2pa')).toBe(false);
    expect((await upload(await image().jpeg().toBuffer())).details).not.toHaveProperty('credentials');
  });

  it('are edited and searched, with an entry in the history; the file keeps its URL', async () => {
    const { id, url } = await upload(await image().png().toBuffer(), 'a.png');
    const edited = await client.media.update({
      params: { id },
      body: { name: 'b.png', title: 'Seestück', creator: 'Zwirner', keywords: ['wide'] },
    });
    expect(edited).toMatchObject({ id, url, name: 'b.png', title: 'Seestück', keywords: ['wide'] });
    const found = async (search: string) =>
      (await client.media.list({ query: { search } })).data.map((file) => file.id);
    expect(await found('zwirner seestück')).toEqual([id]);
    expect(await found('wide b.png')).toEqual([id]);
    // Not the names of the fields.
    expect(await found('creator')).toEqual([]);
    const { data } = await client.history.list({ query: { entity: 'media' } });
    const entry = data.find(({ entity_id }) => entity_id === id)!;
    expect(entry).toMatchObject({ name: 'b.png', before: { title: '', keywords: '[]' }, after: { title: 'Seestück' } });
    expect(JSON.stringify(entry)).not.toContain('latitude');
    for (const body of [
      { name: ' ' },
      { title: 'x'.repeat(256) },
      { title: 'a\u0000' },
      { keywords: [''] },
      { bytes: 7 },
    ])
      expect([400, 422]).toContain(
        (await refused(client.media.update({ params: { id }, body: body as object }))).status,
      );
    const none = await api.addUser(api.one, { media: { view_any: true, create: false, update: false, delete: false } });
    expect((await refused(api.client(none).media.update({ params: { id }, body: { title: 'x' } }))).status).toBe(403);
    const other = await api.addOrganization(`texts-${kind}.example`);
    expect((await refused(api.client(other.admin).media.update({ params: { id }, body: { title: 'x' } }))).status).toBe(
      404,
    );
  });

  it('include a detailed description and a transcript of several lines, which are searched', async () => {
    const { id } = await upload(await image().png().toBuffer(), 'c.png');
    const texts = { long_description: 'A pier.\nGulls above it.', transcript: 'A: Hello.\nB: Ahoy!' };
    expect(await client.media.update({ params: { id }, body: texts })).toMatchObject(texts);
    expect(await client.media.read({ params: { id } })).toMatchObject(texts);
    for (const search of ['gulls', 'ahoy'])
      expect((await client.media.list({ query: { search } })).data.map((file) => file.id)).toEqual([id]);
    for (const body of [
      { long_description: 'x'.repeat(10_001) },
      { transcript: 'x'.repeat(50_001) },
      { transcript: 'a\u0000' },
      { long_description: '\ud800' },
    ])
      expect(await refused(client.media.update({ params: { id }, body }))).toMatchObject({
        status: 422,
        msg: { [Object.keys(body)[0]!]: [expect.any(String)] },
      });
    expect(await client.media.read({ params: { id } })).toMatchObject(texts);
  });

  it('are read from the originals of earlier uploads, once, and never replace texts that were edited', async () => {
    const { db } = api.services;
    const content = await image()
      .jpeg()
      .withXmp(WORK)
      .withExif({ IFD0: { Copyright: 'Somebody' } })
      .toBuffer();
    const { id } = await upload(content);
    const other = await upload(await image().jpeg().withXmp(WORK).toBuffer());
    await client.media.update({ params: { id: other.id }, body: { ...NO_TEXTS, title: 'Own' } });
    const { keywords: _, ...none } = NO_TEXTS;
    await db
      .updateTable('media')
      .set({ ...none, keywords: '[]', texts_read: 0 })
      .where('id', '=', id)
      .execute();
    await db.updateTable('media').set({ texts_read: 0 }).where('id', '=', other.id).execute();
    await readOldTexts(api.services, () => false);
    expect(await client.media.read({ params: { id } })).toMatchObject(READ);
    expect(await client.media.read({ params: { id: other.id } })).toMatchObject({ ...NO_TEXTS, title: 'Own' });
  });

  it('remain where originals are limited; equal uploads stay one file', async () => {
    const content = await image().jpeg().withXmp(WORK).toBuffer();
    await client.organizations.update({ body: { originals_megabytes: 0 } });
    const file = await upload(content);
    expect(file).toMatchObject({ original: null, title: READ.title });
    expect((await refused(client.media.original({ params: { id: file.id } }))).status).toBe(404);
    expect((await upload(content)).id).toBe(file.id);
    // A file that is stored as it came is its own original.
    expect((await upload(await image().png().toBuffer(), 'plain.png')).original).not.toBeNull();
    // Archives are unpacked, so they are originals, too.
    const site = new File(
      [new Uint8Array(zipOf([{ name: 'index.html', content: '<!doctype html><title>Plan</title>' }]))],
      'plan.zip',
    );
    expect((await client.media.upload({ body: {}, files: { file: site } })).original).toBeNull();
    await client.organizations.update({ body: { originals_megabytes: 1 } });
    expect((await upload(await image().jpeg().withXmp(WORK).toBuffer())).original).not.toBeNull();
    await client.organizations.update({ body: { originals_megabytes: null } });
  });
});
