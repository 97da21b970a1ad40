import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, oneDatabase } from '../../../harness/api-app.ts';

const PREFIX = '/api/v1';
const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#B7822F' } })
  .jpeg()
  .toBuffer();

type Part = [name: string, value: string | { name: string; content: string | Buffer }];

/** A form whose parts stand in the given order. */
function formIn(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([value.content as BlobPart]), value.name);
  return form;
}

/** The same parts with one of them first, in the middle and last. */
const everyOrder = (parts: readonly Part[], file: Part): Part[][] =>
  parts.map((_, at) => parts.toSpliced(at, 0, file)).concat([[...parts, file]]);

describe.each(oneDatabase)('forms on %s', (kind) => {
  let api: ApiApp;
  let wall: number;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { MEDIA_MAX_MB: '30', TRUSTED_PROXIES: '127.0.0.1' });
    const client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
    wall = (await client.feeds.create({ body: { name: 'Wall', type: 'local' } })).id;
    const navigation = { type: 'modal_share', type_config: { feed_id: wall } } as const;
    await client.rooms.addElement({ params: { id: room }, body: { element: 'button', config: { navigation } } });
  });
  afterAll(() => api.close());

  let addresses = 0;
  const post = (path: string, parts: readonly Part[], token: string | null = api.one.admin.token) =>
    api.send('POST', PREFIX + path, {
      token,
      form: formIn(parts),
      headers: { 'x-forwarded-for': `198.51.100.${++addresses}` },
    });
  const share = (parts: readonly Part[]) => post('/share', parts, null);
  /** Files that still wait. */
  const waiting = () => readdir(join(api.services.settings.DATA_DIR, 'media', 'arriving')).catch(() => []);
  const library = async () => (await api.client().media.list()).data.map(({ name }) => name);
  const nothingWaits = async () => expect(await waiting()).toEqual([]);

  it('the kind that is wanted counts wherever it stands', async () => {
    const before = await library();
    for (const parts of everyOrder([['accept', 'audio']], ['file', { name: 'p.jpg', content: picture }])) {
      const { status, body } = await post('/backend/media', parts);
      expect([status, body.code], JSON.stringify(parts.map(([name]) => name))).toEqual([415, 'wrong_type']);
    }
    expect(await library()).toEqual(before);
    const { status, body } = await post('/backend/media', [
      ['file', { name: 'p.jpg', content: picture }],
      ['accept', 'image'],
    ]);
    expect([status, body.data?.type]).toEqual([201, 'image']);
    await nothingWaits();
  });

  it('a shared picture may stand before, between or behind what is said about it', async () => {
    const parts: Part[] = [
      ['name', 'Eva'],
      ['message', 'Hello'],
      ['feed_id', String(wall)],
    ];
    for (const order of everyOrder(parts, ['file', { name: 'p.jpg', content: picture }])) {
      const { status, body } = await share(order);
      expect(status, JSON.stringify(order.map(([name]) => name))).toBe(201);
      expect(body.data).toMatchObject({ name: 'Eva', message: 'Hello', width: 40 });
    }
    await nothingWaits();
  });

  it('a structure takes its codes from a file that stands first', async () => {
    const { status, body } = await post('/backend/endpoints', [
      ['access_tokens_file', { name: 'codes.csv', content: 'amber-1\nbirch-2\n' }],
      ['name', 'Behind'],
      ['room_id', String(room)],
      ['is_protected', '1'],
    ]);
    expect([status, body.data.access_tokens_count, body.report.accepted]).toEqual([201, 2, 2]);
    await nothingWaits();
  });

  it('fields behind the file are held against the call, and nothing is kept of the file', async () => {
    const before = await library();
    const file: Part = ['file', { name: 'p.jpg', content: picture }];
    const unknown = await post('/backend/media', [file, ['surprise', '1']]);
    expect([unknown.status, Object.keys(unknown.body.msg)]).toEqual([400, ['surprise']]);
    const wrong = await share([file, ['name', 'Eva'], ['feed_id', 'x']]);
    expect([wrong.status, Object.keys(wrong.body.msg)]).toEqual([422, ['feed_id']]);
    const elsewhere = await share([file, ['name', 'Eva'], ['feed_id', '999999']]);
    expect(elsewhere.status).toBe(404);
    const long = await share([file, ['name', 'Eva'], ['message', 'x'.repeat(300_000)]]);
    expect([long.status, Object.keys(long.body.msg)]).toEqual([413, ['message']]);
    const much = Array.from({ length: 20 }, (_, at): Part => [`field${at}`, 'x'.repeat(100_000)]);
    expect((await share([file, ...much])).status).toBe(413);
    const many = Array.from({ length: 200 }, (_, at): Part => [`field${at}`, 'x']);
    expect((await share([file, ...many])).status).toBe(413);
    expect((await share([file, ['file', { name: 'q.jpg', content: picture }]])).status).toBe(413);
    expect((await share([file, ['other', { name: 'q.jpg', content: picture }]])).status).toBeOneOf([400, 413]);
    expect(await library()).toEqual(before);
    await nothingWaits();
  });

  it('what anybody sends waits only up to the size of a picture', async () => {
    const large = Buffer.alloc(21 * 1024 * 1024);
    picture.copy(large);
    const { status, body } = await share([
      ['file', { name: 'p.jpg', content: large }],
      ['name', 'Eva'],
    ]);
    expect([status, body.msg.file?.[0]]).toEqual([413, 'Use a file of at most 20 MB, or several.']);
    await nothingWaits();
  });

  it('nothing is left of a form that is cut off behind its file', async () => {
    const { port } = new URL(api.origin);
    const boundary = 'cut';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="p.jpg"\r\n\r\n`;
    const next = `\r\n--${boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\nEva`;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST ${PREFIX}/share HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n` +
        `content-length: 900000\r\n\r\n${head}`,
    );
    socket.write(picture);
    socket.write(next);
    await expect.poll(waiting).toHaveLength(1);
    socket.destroy();
    await expect.poll(waiting).toEqual([]);
  });

  it.each(['', 'p.jpg'])(
    'a form that ends within its file "%s" is refused, whatever came before it',
    async (filename) => {
      const field = (name: string) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n1\r\n`;
      const file = `--cut\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
      const complete = ['name', 'message', 'feed_id'].map(field).join('');
      for (const body of [file, `${file}x`, complete + file, `${complete}${file}x`, `${file}\r\n--cut`]) {
        const answer = await fetch(`${api.origin}${PREFIX}/share`, {
          method: 'POST',
          headers: {
            'content-type': 'multipart/form-data; boundary=cut',
            'x-forwarded-for': `198.51.100.${++addresses}`,
          },
          body,
          signal: AbortSignal.timeout(5000),
        });
        expect(answer.status, body).toBe(400);
      }
      await nothingWaits();
    },
  );

  it('a file that waited is the one that was sent', async () => {
    const { body } = await post('/backend/media', [['file', { name: 'same.jpg', content: picture }]]);
    const { width, height } = await sharp(picture).metadata();
    expect(body.data).toMatchObject({ width, height, bytes: picture.length });
  });

  /** A form that does not end, with a file before its other fields. */
  const endless = (address: string) =>
    new Promise<{ answer(): string; end(): void }>((resolve, reject) => {
      const port = Number(new URL(api.origin).port);
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          [
            `POST ${PREFIX}/share HTTP/1.1`,
            'host: localhost',
            `x-forwarded-for: ${address}`,
            'content-type: multipart/form-data; boundary=x',
            'transfer-encoding: chunked',
            '',
            '',
          ].join('\r\n'),
        );
        const chunk = (text: string) => socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
        chunk('--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
        chunk('x'.repeat(100_000));
        resolve({ answer: () => answer, end: () => socket.destroy() });
      });
      socket.on('data', (data) => (answer += data.toString()));
      socket.on('error', reject);
    });

  it('security 77: 60 forms that do not end, with the file first, leave few files while they last and none after', async () => {
    const forms: Awaited<ReturnType<typeof endless>>[] = [];
    for (let number = 0; number < 60; number++) forms.push(await endless('203.0.113.77'));
    await expect.poll(async () => (await waiting()).length).toBe(10);
    expect((await waiting()).length).toBeLessThanOrEqual(10);
    for (const form of forms) form.end();
    await expect.poll(waiting).toEqual([]);
  });

  it('security 77: whoever has shared too much is refused before the file is written, in any order of fields', async () => {
    const address = '203.0.113.78';
    const parts: Part[] = [
      ['name', 'Eva'],
      ['message', 'Hello'],
      ['feed_id', String(wall)],
    ];
    const send = (given: readonly Part[]) =>
      api.send('POST', `${PREFIX}/share`, {
        token: null,
        form: formIn(given),
        headers: { 'x-forwarded-for': address },
      });
    for (let number = 0; number < 20; number++) expect((await send(parts)).status).toBe(201);
    const file: Part = ['file', { name: 'p.jpg', content: picture }];
    for (const order of everyOrder(parts, file)) expect((await send(order)).status).toBe(429);
    const form = await endless(address);
    await expect.poll(waiting).toEqual([]);
    form.end();
  });
});
