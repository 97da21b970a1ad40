import { createHash, randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, ApiApp, formOf, oneDatabase } from '../../../harness/api-app.ts';
import { zipOf } from '../../../harness/zip.ts';

const PATH = '/api/v1/backend/media';

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#B7822F' } })
    .png()
    .toBuffer();

/** A PNG whose header claims a size and whose data is nothing of the kind. */
function pngClaiming(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GLTF whose accessors claim a number of bytes without any data. */
const gltfClaiming = (count: number) =>
  JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ componentType: 5126, count, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] }],
  });

/** Every file below a folder, unfinished uploads included. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe.each(oneDatabase)('uploads on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { MEDIA_MAX_MB: '8' });
  });
  afterAll(() => api?.close());

  const folder = () => join(api.services.settings.DATA_DIR, 'media');
  const upload = (name: string, content: Buffer | string, fields: Record<string, string> = {}): Promise<Answer> => {
    const file = { field: 'file', name, content: new Blob([content as BlobPart]) };
    return api.send('POST', PATH, { token: api.one.admin.token, form: formOf(fields, file) });
  };
  /** Uploads what must be refused: with this status and sentence, and without a trace. */
  const refuse = async (name: string, content: Buffer | string, status: number, says: RegExp) => {
    const before = await filesBelow(folder());
    const answer = await upload(name, content);
    expect([answer.status, answer.body.msg.file?.join(' ')]).toEqual([status, expect.stringMatching(says)]);
    expect(await filesBelow(folder())).toEqual(before);
  };

  test('a picture comes back under an address that may be kept for ever', async () => {
    const bytes = await picture();
    const { status, body } = await upload('Förde im März.png', bytes);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Förde im März.png',
      type: 'image',
      mime: 'image/png',
      width: 40,
      height: 30,
    });
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(body.data.url).toBe(`/media/${hash}/forde-im-marz.png`);
    const served = await fetch(api.origin + body.data.url);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
    expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(served.headers.get('etag')).toBeTruthy();
  });

  test('the same file again is the same entry; under another name it is a second one of one content', async () => {
    const bytes = await picture(41);
    const first = await upload('one.png', bytes);
    expect((await upload('one.png', bytes)).body.data.id).toBe(first.body.data.id);
    const second = await upload('two.png', bytes);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    const remove = ({ body }: Answer) => api.send('DELETE', `${PATH}/${body.data.id}`, { token: api.one.admin.token });
    expect((await remove(first)).status).toBe(200);
    expect((await fetch(api.origin + second.body.data.url)).status).toBe(200);
    expect((await remove(second)).status).toBe(200);
    expect((await fetch(api.origin + second.body.data.url)).status).toBe(404);
  });

  test('security 34: of a file that is sent and removed at the same time, row and content are both there or neither', async () => {
    const client = api.client();
    const bytes = new Uint8Array(await picture(43));
    const send = (name: string) => client.media.upload({ body: {}, files: { file: new File([bytes], name) } });
    for (let round = 0; round < 10; round++) {
      const { id, url } = await send('first.png');
      const [second] = await Promise.all([send('second.png'), client.media.remove({ params: { id }, query: {} })]);
      expect((await fetch(api.origin + second.url)).status, `round ${round}`).toBe(200);
      await client.media.remove({ params: { id: second.id }, query: {} });
      expect((await fetch(api.origin + url)).status).toBe(404);
    }
  });

  test('a part of a file is given when a part is asked for', async () => {
    const bytes = await picture(300, 300);
    const { url } = (await upload('range.png', bytes)).body.data;
    const part = await fetch(api.origin + url, { headers: { range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    const beyond = await fetch(api.origin + url, { headers: { range: 'bytes=999999-' } });
    expect(beyond.status).toBe(416);
    // Without a cache-control of its own, this fetch would ask for a fresh copy.
    const headers = { 'if-none-match': part.headers.get('etag')!, 'cache-control': 'max-age=0' };
    const known = await fetch(api.origin + url, { headers });
    expect(known.status).toBe(304);
  });

  test('pictures come smaller in four widths, never larger, and in no other', async () => {
    const { url } = (await upload('wide.png', await picture(1000, 500))).body.data;
    for (const width of [200, 400, 245, 490]) {
      const answer = await fetch(`${api.origin}${url}?width=${width}`);
      expect(answer.headers.get('content-type')).toBe('image/webp');
      const { width: got, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([got, height]).toEqual([width, Math.round(width / 2)]);
    }
    expect((await fetch(`${api.origin}${url}?width=5000`)).status).toBe(400);
    const small = (await upload('small.png', await picture(50, 50))).body.data.url;
    const kept = await sharp(
      Buffer.from(await (await fetch(`${api.origin}${small}?width=400`)).arrayBuffer()),
    ).metadata();
    expect(kept.width).toBe(50);
  });

  test('the list is filtered by type, by uploader and by words, and signs in words stand for themselves', async () => {
    await upload('100%_sure.png', await picture(60, 60));
    const colleague = await api.addUser(api.one, {
      media: { view_any: true, create: false, update: false, delete: false },
    });
    const list = async (query: Record<string, string>, token = api.one.admin.token) =>
      (await api.send('GET', `${PATH}?${new URLSearchParams(query)}`, { token })).body.data;
    const filters = (...types: string[]) =>
      Buffer.from(JSON.stringify(types.map((type) => ({ type })))).toString('base64');
    expect((await list({ search: '100%_SURE' })).data).toHaveLength(1);
    expect((await list({ search: '1%e' })).data).toHaveLength(0);
    expect((await list({ filters: filters('audio') })).data).toHaveLength(0);
    expect((await list({ filters: filters('image') })).data.length).toBeGreaterThan(2);
    expect((await list({ filters: filters('current_user') }, colleague.token)).data).toHaveLength(0);
    const wrong = await api.send('GET', `${PATH}?filters=%00`, { token: api.one.admin.token });
    expect(wrong.status).toBe(400);
  });

  test('a file in use is not removed unless it is forced, and says where it is used', async () => {
    const file = (await upload('used.png', await picture(70, 70))).body.data;
    const client = api.client();
    const room = await client.rooms.create({ body: { title: 'Uses it' } });
    const element = await client.rooms.addElement({
      params: { id: room.id },
      body: { element: 'image', file_id: file.id },
    });
    const token = api.one.admin.token;
    const refused = await api.send('DELETE', `${PATH}/${file.id}`, { token });
    expect([refused.status, refused.body.msg.error]).toEqual([409, expect.arrayContaining(['Space Uses it'])]);
    expect((await api.send('DELETE', `${PATH}/${file.id}?force=1`, { token })).status).toBe(200);
    expect((await client.elements.read({ params: { id: element.id } })).file_id).toBeNull();
  });

  test('what is wanted decides: a picture where a model is wanted is refused by name', async () => {
    const answer = await upload('picture.png', await picture(80, 80), { accept: 'object' });
    expect([answer.status, answer.body.msg.file[0]]).toEqual([415, 'This is an image, but a 3D model is required.']);
  });

  test('an archive where a picture is wanted is refused without being unpacked', async () => {
    const entries = Array.from({ length: 50 }, (_, i) => ({ name: `${i}.bin`, content: randomBytes(100_000) }));
    const zip = zipOf([{ name: 'index.html', content: '<p>' }, ...entries]);
    const written: string[] = [];
    const watcher = watch(join(folder(), 'arriving'), { recursive: true }, (_, name) => written.push(String(name)));
    const answer = await upload('site.zip', zip, { accept: 'image' });
    expect([answer.status, answer.body.msg.file[0]]).toEqual([415, 'This is an archive, but an image is required.']);
    // What was written before this is told before this.
    await writeFile(join(folder(), 'arriving/mark'), '');
    await expect.poll(() => written).toContain('mark');
    watcher.close();
    await rm(join(folder(), 'arriving/mark'));
    expect(written.filter((name) => name.includes('site'))).toEqual([]);
  });

  test.each([
    ['page.html', '<!doctype html><script>alert(1)</script>', 415],
    ['page.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 415],
    ['program.exe', Buffer.from('MZ\x90\0\x03\0\0\0'.padEnd(200, '\0'), 'latin1'), 415],
    ['paper.pdf', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n', 415],
    ['picture.jpg', Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0<script>alert(1)</script>', 'latin1'), 422],
    ['picture.gif', 'GIF89a<script>alert(1)</script>', 422],
    ['sound.mp3', Buffer.from('ID3\x04\0\0\0\0\0\0'.padEnd(300, '\0'), 'latin1'), 415],
    ['film.mp4', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'.padEnd(100, '\0'), 'latin1'), 422],
    ['font.woff2', Buffer.from('wOF2\0\x01\0\0\0\0\x10\0'.padEnd(100, '\0'), 'latin1'), 422],
    ['data.json', '{"hello": "world"}', 415],
    ['broken.json', '{"asset": ', 422],
    ['empty.png', '', 422],
    ['deep.json', `{"glyphs":{},"resolution":1,"extras":${'['.repeat(5000)}${']'.repeat(5000)}}`, 422],
    ['deep.gltf', `{"asset":{"version":"2.0"},"extras":${'['.repeat(5000)}${']'.repeat(5000)}}`, 422],
  ])('security 25: %s is refused and leaves nothing behind', async (name, content, status) => {
    await refuse(name, content, status, /./);
  });

  test.each([
    ['line breaks', '\n'],
    ['spaces', ' '],
    ['beginnings of joints', 'JOINT\n'],
    ['beginnings of frames', 'Frames:\n'],
  ])('motion capture that is megabytes of %s is refused', async (_, filling) => {
    await refuse('walk.bvh', `HIERARCHY\n${filling.repeat(4_000_000 / filling.length)}`, 422, /no frames/);
  });

  test('the parts of an archive’s paths that lead nowhere are left out', async () => {
    const zip = zipOf([
      { name: './index.html', content: '<p>Here' },
      { name: './js//./app.js', content: 'let a' },
    ]);
    const { url } = (await upload('dotted.zip', zip)).body.data;
    expect((await fetch(api.origin + url.replace('index.html', 'js/app.js'))).status).toBe(200);
  });

  test('security 26: what is served is not sniffed and runs no script', async () => {
    const { url } = (await upload('safe.png', await picture(90, 90))).body.data;
    const { headers } = await fetch(api.origin + url);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('content-security-policy')).not.toContain('allow-scripts');
  });

  test('security 27: an unpacked page is served without the site’s origin', async () => {
    const zip = zipOf([
      { name: 'index.html', content: '<p>Hello' },
      { name: 'js/app.js', content: 'let a' },
    ]);
    const { type, url } = (await upload('site.zip', zip)).body.data;
    expect(type).toBe('site');
    const page = await fetch(api.origin + url);
    expect(await page.text()).toBe('<p>Hello');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain('sandbox allow-scripts');
    expect(policy).not.toContain('allow-same-origin');
    expect((await fetch(api.origin + url.replace('index.html', 'js/app.js'))).status).toBe(200);
  });

  const index = { name: 'index.html', content: '<p>' };
  test.each([
    ['a path upwards', [index, { name: '../evil.txt', content: 'x' }], /unsafe path/],
    ['a path upwards inside', [index, { name: 'a/../../evil.txt', content: 'x' }], /unsafe path/],
    ['an absolute path', [index, { name: '/etc/evil', content: 'x' }], /unsafe path/],
    ['a drive letter', [index, { name: 'C:/evil', content: 'x' }], /unsafe path/],
    ['backslashes', [index, { name: '..\\evil', content: 'x' }], /unsafe path/],
    ['a link', [index, { name: 'link', content: '/etc/passwd', mode: 0o120777 }], /link/],
    ['a name twice', [index, { name: 'a.txt' }, { name: 'a.txt' }], /twice/],
    ['a file that is also a folder', [index, { name: 'a' }, { name: 'a/b' }], /also a file/],
    ['a file that is also a folder in other case', [index, { name: 'A/b/c' }, { name: 'a/B' }], /also a file/],
    ['a folder of 300 letters', [index, { name: `${'f'.repeat(300)}/a.txt` }], /too long/],
    ['a path of 5,000 letters', [index, { name: `${'folder/'.repeat(714)}a.txt` }], /too long/],
    ['folders in 40 levels', [index, { name: `${'f/'.repeat(40)}a.txt` }], /32 levels/],
    [
      'more folders than files may be',
      [index, ...Array.from({ length: 200 }, (_, i) => ({ name: `${i}/a/b/c/d/e/f/g/h/i/j/k.txt` }))],
      /2000 folders/,
    ],
    ['a name twice in other case', [index, { name: 'a.txt' }, { name: 'A.TXT' }], /twice/],
    [
      'overlapping entries',
      [
        { name: 'index.html', content: 'x'.repeat(4000) },
        { name: 'b.html', content: 'x'.repeat(4000), sameDataAs: 0 },
      ],
      /overlap/,
    ],
    ['a password', [index, { name: 'secret', content: 'x', encrypted: true }], /password/],
    ['a lying size', [{ name: 'index.html', content: 'x'.repeat(5000), claims: 10 }], /damaged/],
    ['a huge claim', [index, { name: 'big', content: 'x', claims: 600 * 1024 * 1024 }], /500 MB/],
    ['a bomb', [index, { name: 'zeros', content: Buffer.alloc(7_000_000) }], /100 times/],
    ['too many files', [index, ...Array.from({ length: 2000 }, (_, i) => ({ name: `f${i}` }))], /2000 files/],
    ['no page and no model', [{ name: 'readme.txt', content: 'x' }], /neither/],
    ['only another archive', [{ name: 'inner/site.zip', content: 'x' }], /another archive, "inner\/site\.zip"/],
    [
      'a page one folder beside another',
      [
        { name: 'a/index.html', content: 'x' },
        { name: 'b/index.html', content: 'x' },
      ],
      /neither/,
    ],
    [
      'two models',
      [
        { name: 'a.gltf', content: '{}' },
        { name: 'b.gltf', content: '{}' },
      ],
      /2 models/,
    ],
  ])('security 28 and 29: an archive with %s is refused and leaves nothing behind', async (_, entries, says) => {
    await refuse('site.zip', zipOf(entries), 422, says);
  });

  test('security 30: a picture that claims 65,535 × 65,535 pixels is refused', async () => {
    await refuse('huge.png', pngClaiming(65_535, 65_535), 422, /pixels|damaged/);
  });

  test('security 31: a model that would need more than its budget is refused by its own claims', async () => {
    await refuse('huge.gltf', gltfClaiming(50_000_000), 422, /256 MB/);
    expect((await upload('small.gltf', gltfClaiming(3))).status).toBe(201);
  });

  test('security 31: a model that points outside itself is refused', async () => {
    const buffer = (uri: string) => JSON.stringify({ asset: { version: '2.0' }, buffers: [{ byteLength: 4, uri }] });
    for (const uri of [
      'http://127.0.0.1/x',
      '//evil.example/x',
      'file:///etc/passwd',
      '../../../etc/passwd',
      '%2e%2e/%2e%2e/x',
    ])
      await refuse('outside.gltf', buffer(uri), 422, /refers to/);
  });

  test('security 32: a form that is cut off, without boundary, or with too many fields is refused', async () => {
    const { token } = api.one.admin;
    const send = (contentType: string, body: string) =>
      api.send('POST', PATH, { token, body, headers: { 'content-type': contentType } });
    const cut = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nPNG';
    for (const [type, body] of [
      ['multipart/form-data; boundary=x', cut],
      ['multipart/form-data', cut],
      ['multipart/form-data; boundary=x', ''],
      ['text/plain', 'hello'],
    ] as const) {
      const { status } = await send(type, body);
      expect(status, `${type} ${body.slice(0, 20)}`).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    const many = formOf(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, 'x'])));
    expect((await api.send('POST', PATH, { token, form: many })).status).toBe(413);
    expect(await filesBelow(join(folder(), 'arriving'))).toEqual([]);
  });

  test('a file larger than uploads may be is refused and leaves nothing behind', async () => {
    await refuse('large.bin', Buffer.alloc(9 * 1024 * 1024, 1), 413, /larger/);
  });

  test('an address that was made up leaves no folder behind, however it is asked for', async () => {
    const { url } = (await upload('real.png', await picture(35, 35))).body.data;
    const [, hash] = /^\/media\/(\w{64})\//.exec(url)!;
    const entries = async () => (await readdir(folder(), { recursive: true })).sort();
    const before = await entries();
    const paths = [`${'a/'.repeat(400)}x.png`, `${'a'.repeat(300)}.png`, `${'b/'.repeat(2000)}x.png`, 'real.png/x.png'];
    for (const content of [hash, 'e'.repeat(64)])
      for (const path of [...paths, 'made-up.png'])
        for (const query of ['', '?width=200', '?tile=whole', '?tile=0-0'])
          expect((await fetch(`${api.origin}/media/${content}/${path}${query}`)).status, path.slice(0, 9)).toBe(404);
    expect(await entries()).toEqual(before);
    // A copy stands under a name of its own, in no folder but that of copies.
    await fetch(`${api.origin}${url}?width=200`);
    expect((await entries()).filter((name) => !before.includes(name)).map((name) => name.split('/').slice(2))).toEqual([
      ['.thumbnails'],
      ['.thumbnails', expect.stringMatching(/^[0-9a-f]{32}-200\.webp$/)],
    ]);
  });

  test('nothing beside a content is served: dots, thumbnails, folders, other hashes', async () => {
    const { url } = (await upload('dots.png', await picture(33, 33))).body.data;
    const base = api.origin + url.slice(0, url.lastIndexOf('/'));
    await fetch(`${api.origin}${url}?width=200`);
    for (const path of ['', '/', '/..%2f', '/.thumbnails/dots.png-200.webp', '/%2e%2e/x', '/nothing.png'])
      expect((await fetch(base + path)).status, path).toBe(404);
    const source = await readFile(new URL('../../../../package.json', import.meta.url), 'utf8');
    for (const path of ['/media/../package.json', `/media/${'0'.repeat(64)}/..%2f..%2f..%2fpackage.json`])
      expect(await (await fetch(api.origin + path)).text()).not.toBe(source);
  });
});
