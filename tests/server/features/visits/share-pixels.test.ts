import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { ApiApp, databases, formOf, oneDatabase } from '../../../harness/api-app.ts';
import { avifOf, bombs, gifOf, headOfJpeg, headOfPng, webpOf } from '../../../harness/image-bombs.ts';

const MAX_BOMB_BYTES = 3000;

describe.each(databases)('pixels of images on %s', (kind) => {
  let api: ApiApp;
  let wall: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { TRUSTED_PROXIES: '127.0.0.1' });
    const client = api.client();
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    await client.endpoints.create({ body: { name: 'Hall', room_id: room.id } });
    wall = (await client.feeds.create({ body: { name: 'Wall', type: 'local' } })).id;
    const config = { feed_enabled: true, feed_id: wall };
    await client.rooms.addElement({ params: { id: room.id }, body: { element: 'group', config } });
  });
  afterAll(() => api.close());

  let addresses = 0;
  const share = (content: Buffer) =>
    api.call(
      calls.visit.share,
      {},
      {
        form: formOf({ name: 'Eva', message: '', feed_id: String(wall) }, fileOf(content)),
        headers: { 'x-forwarded-for': `198.51.100.${++addresses}` },
      },
    );
  const upload = (content: Buffer) =>
    api.call(calls.media.upload, {}, { token: api.one.admin.token, form: formOf({}, fileOf(content)) });
  const fileOf = (content: Buffer) => ({
    field: 'file',
    name: 'image',
    content: new Blob([Uint8Array.from(content)]),
  });
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#b7822f' } });

  it('security 71: bombs of at most 3 kB in every format are refused by their headers, and nothing is stored', async () => {
    const before = await api.dump(['attempts']);
    for (const [name, bomb] of Object.entries(await bombs())) {
      expect(bomb.length, name).toBeLessThanOrEqual(MAX_BOMB_BYTES);
      const { status, body } = await share(bomb);
      expect([status, body.code], name).toEqual([422, 'bad_file']);
      expect(body.msg.file, name).toEqual([expect.stringMatching(/^The image has too many pixels.* million\.$/)]);
    }
    expect(await api.dump(['attempts'])).toBe(before);
  });

  it('security 71: visitors send up to 50 million pixels as JPEG and 25 million in other formats', async () => {
    expect((await share(await plain(8000, 6250).jpeg().toBuffer())).status).toBe(201);
    expect((await share(await plain(5000, 5000).png().toBuffer())).status).toBe(201);
    const more: [Buffer, string][] = [
      [headOfJpeg(8000, 6251), 'The image has too many pixels. Send one with at most 50 million.'],
      [headOfPng(5000, 5001), 'The image has too many pixels. Send one with at most 25 million.'],
      [
        webpOf(5001, 5000),
        'The image has too many pixels. Send one with at most 25 million, or a JPEG with at most 50 million.',
      ],
      [gifOf(1000, 1000, 26), 'The image has too many pixels across all frames. Send one with at most 25 million.'],
      [headOfPng(1000, 1000, 26), 'The image has too many pixels across all frames. Send one with at most 25 million.'],
    ];
    for (const [content, sentence] of more) {
      const { status, body } = await share(content);
      expect([status, body.msg]).toEqual([422, { file: [sentence] }]);
    }
    expect((await upload(webpOf(5001, 5000))).status).toBe(201);
  });

  it.each([true, false])(
    'security 72: the largest photos of phones are turned at full width within the memory of visitors; progressive: %s',
    async (progressive) => {
      const photo = await plain(8000, 6200).withMetadata({ orientation: 6 }).jpeg({ progressive }).toBuffer();
      const { status, body, text } = await share(photo);
      expect(status, text).toBe(201);
      expect(body.data).toMatchObject({ width: 6200, height: 8000 });
      const { data } = (await upload(photo)).body;
      expect(data).toMatchObject({ width: 6200, height: 8000 });
    },
  );

  it.runIf(oneDatabase.includes(kind))(
    'security 72: a large photo of a visitor is turned the right way, in each orientation',
    async () => {
      const mark = await plain(400, 300).toColourspace('srgb').png().toBuffer();
      for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
        const photo = await sharp({ create: { width: 4500, height: 3000, channels: 3, background: '#204080' } })
          .composite([{ input: mark, left: 0, top: 0 }])
          .withMetadata({ orientation })
          .jpeg({ progressive: true })
          .toBuffer();
        const { status, body, text } = await share(photo);
        expect(status, text).toBe(201);
        const { hash, entry } = await api.services.db
          .selectFrom('media')
          .select(['hash', 'entry'])
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow();
        const stored = join(api.services.media.folderOf(hash!), entry!);
        const small = (image: Sharp) => image.resize(40, 40, { fit: 'fill' }).raw().toBuffer();
        const [found, expected] = [await small(sharp(stored)), await small(sharp(photo).autoOrient())];
        const difference = Math.max(...found.map((value, index) => Math.abs(value - expected[index]!)));
        expect(difference, `orientation ${orientation}`).toBeLessThan(24);
        expect(body.data).toMatchObject(orientation >= 5 ? { width: 3000 } : { width: 4500 });
      }
    },
  );

  it.runIf(oneDatabase.includes(kind)).each([
    ['colors at half resolution', 12, { chromaSubsampling: '4:2:0' }],
    ['all colors', 10, {}],
    ['10 bits', 7, { bitdepth: 10 }],
  ] as const)('security 71: visitors send AVIF with %s up to %i million pixels', async (_, million, options) => {
    const avif = (pixels: number) =>
      plain(pixels / 2500, 2500)
        .avif({ effort: 0, ...options })
        .toBuffer();
    const { status, text } = await share(await avif(million * 1_000_000));
    expect(status, text).toBe(201);
    const more = await share(await avif(million * 1_000_000 + 2500));
    expect([more.status, more.body.msg]).toEqual([
      422,
      {
        file: [
          `The image has too many pixels. Send one with at most ${million} million, or a JPEG with at most 50 million.`,
        ],
      },
    ]);
  });

  it('security 71: users send up to 16,384 × 8,192 pixels, 100 million as WebP and 32 million as AVIF', async () => {
    const more: [Buffer, number][] = [
      [headOfJpeg(16_384, 8193), 134],
      [headOfPng(16_385, 8192), 134],
      [webpOf(16_383, 8192), 100],
      [gifOf(1024, 1024, 129), 134],
      [await avifOf(8000, 4001), 32],
    ];
    for (const [content, million] of more) {
      const { status, body } = await upload(content);
      expect([status, body.msg.file[0]]).toEqual([
        422,
        expect.stringMatching(`one with at most ${million} million[.,]`),
      ]);
    }
    expect((await upload(gifOf(1024, 1024, 128))).status).toBe(201);
  });

  it.runIf(oneDatabase.includes(kind))(
    'security 71: the largest WebP that is stored is cut into tiles, within the memory of users',
    async () => {
      const { status, body, text } = await upload(webpOf(14_142, 7071));
      expect(status, text).toBe(201);
      const path = new URL(body.data.url, api.origin).pathname;
      const tile = await fetch(`${api.origin}${path}?tile=3-1`);
      expect([tile.status, tile.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    },
  );
});
