import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '../../src/contract/calls.ts';
import { picdropItems } from '../../src/server/core/files/inspect/feeds/picdrop-items.ts';
import { type Answer, ApiApp, formOf, oneDatabase } from '../harness/api-app.ts';
import { ROOT } from '../harness/started-server.ts';

const FOLDER = join(ROOT, 'fixtures/reports');
const NOW = '2026-01-01T00:00:00.000Z';

/** What an upload is answered with. */
type Check = (answer: Answer, api: ApiApp) => Promise<void> | void;

const served = async (api: ApiApp, url: string) => {
  const answer = await fetch(new URL(new URL(url, api.origin).pathname, api.origin));
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

/** Takes the file, with warnings that say why it will look different. */
const warned =
  (...sentences: RegExp[]): Check =>
  ({ status, body, text }) => {
    expect(status, text).toBe(201);
    const warnings: string[] = body.data.details.warnings ?? [];
    for (const sentence of sentences) expect(warnings.join(' ')).toMatch(sentence);
    if (sentences.length === 0) expect(warnings).toEqual([]);
  };
const refusedWith =
  (sentence: RegExp): Check =>
  ({ status, body }) => {
    expect([415, 422]).toContain(status);
    expect(body.msg.file.join(' ')).toMatch(sentence);
  };
/** The model is taken, and each of its addresses leads to a file. */
const complete: Check = async (answer, api) => {
  await warned(/Corrected URLs to the names of their files/)(answer, api);
  const { url } = answer.body.data;
  const json = JSON.parse((await served(api, url)).bytes.toString('utf8'));
  const addresses = [...json.buffers, ...json.images].map(({ uri }: { uri: string }) => uri);
  for (const uri of addresses) {
    const { status } = await served(api, new URL(uri, new URL(url, api.origin)).href);
    expect([uri, status]).toEqual([uri, 200]);
  }
};
const withText =
  (...parts: string[]): Check =>
  async ({ status, body, text }, api) => {
    expect(status, text).toBe(201);
    const shown = (await served(api, body.data.url)).bytes.toString('utf8');
    for (const part of parts) expect(shown).toContain(part);
  };
const without =
  (...parts: string[]): Check =>
  async ({ status, body, text }, api) => {
    expect(status, text).toBe(201);
    const { bytes } = await served(api, body.data.url);
    for (const part of parts) expect(bytes.includes(part, 0, 'latin1')).toBe(false);
  };

/** Files that are sent to the media library, and what comes of them. */
const UPLOADS: Record<string, Check> = {
  'gltf/blender-lights-watts.glb': warned(/lights are bright/),
  'gltf/negative-scale.glb': warned(),
  'gltf/awkward-names.glb': warned(),
  'gltf/backslash-uri.zip': complete,
  'gltf/case-differs.zip': complete,
  'gltf/hash-in-uri.zip': complete,
  'gltf/bom-embedded.gltf': warned(/byte order mark/),
  'gltf/unaligned-chunk.glb': warned(/Aligned the chunks/),
  'gltf/spec-gloss.glb': warned(/KHR_materials_pbrSpecularGlossiness/),
  'gltf/required-KHR_gaussian_splatting.glb': refusedWith(/KHR_gaussian_splatting/),
  'gltf/tga-texture.zip': warned(/wood\.tga.*PNG or JPEG/),
  'gltf/only-empty-node.glb': warned(/The model is empty/),
  'gltf/empty-uri.zip': refusedWith(/empty URL/),
  'media/hevc-in-mp4.mp4': warned(/HEVC/),
  'media/ima-adpcm.wav': refusedWith(/IMA ADPCM/),
  'media/iphone-brand.heic': refusedWith(/HEIC.*JPEG/),
  'media/animated-gps.webp': without('EXIF', 'Exif'),
  'media/jpeg-comment.jpg': without('\xff\xfe'),
  'subtitles/comma-decimals.vtt': withText('00:00:01.000 --> 00:00:03.000', '00:00:04.000 --> 00:00:06.000'),
  'subtitles/cyrillic-1251.srt': withText('Добро пожаловать в музей'),
  'bvh/scientific-frame-time.bvh': ({ status, body, text }) => {
    expect(status, text).toBe(201);
    expect(body.data.duration).toBeCloseTo(1, 3);
  },
  'site/mimes.zip': async ({ status, body, text }, api) => {
    expect(status, text).toBe(201);
    const at = (path: string) => served(api, body.data.url.replace('index.html', path));
    const typeOf = async (path: string) => (await at(path)).headers.get('content-type');
    expect(await typeOf('latin.html')).toMatch(/^text\/html; charset=(?:iso-8859-1|windows-1252|latin1)$/i);
    expect(await typeOf('index.html')).toBe('text/html; charset=utf-8');
    const folder = await at('sub/');
    expect([folder.status, folder.bytes]).toEqual([200, (await at('sub/index.html')).bytes]);
    expect((await at('sub')).bytes).toEqual(folder.bytes);
    expect((await at('none/')).status).toBe(404);
    expect((await at('Build/game.data.gz')).headers.get('content-encoding')).toBe('gzip');
    const script = await at('Build/game.framework.js.gz');
    expect([script.headers.get('content-encoding'), script.headers.get('content-type')]).toEqual([
      'gzip',
      expect.stringMatching(/^text\/javascript/),
    ]);
    const wasm = await at('Build/game.wasm.br');
    expect([wasm.headers.get('content-encoding'), wasm.headers.get('content-type')]).toEqual([
      'br',
      'application/wasm',
    ]);
  },
};

/** Feeds, and what their first item is. */
const FEEDS: Record<string, object> = {
  'feeds/img-amp.xml': { file_url: 'https://example.com/a.jpg?w=1&h=2' },
  'feeds/media-no-type.xml': { file_url: 'https://example.com/a.jpg' },
  'feeds/media-jpg-in-group.xml': { file_url: 'https://example.com/big.jpg', width: 1600 },
  'feeds/latin1-undeclared.xml': { name: 'Café' },
};

/** Files whose values are held where tokens are imported, and where texts are pasted into the editor. */
const ELSEWHERE = [
  'csv/excel-formula-quoted.csv',
  'csv/excel-scientific-us.csv',
  'csv/excel-sep-line.csv',
  'csv/heading-access-code.csv',
  'csv/heading-ticket-number.csv',
  'csv/na-and-null.csv',
  'csv/trailing-nbsp-zwsp.csv',
  'texts/embed-code-open.txt',
  'texts/vimeo-open.txt',
];

describe.each(oneDatabase)('files of public bug reports on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  test.each(Object.entries(UPLOADS))('%s has the right value', async (path, check) => {
    const content = new Blob([new Uint8Array(await readFile(join(FOLDER, path)))]);
    const form = formOf({}, { field: 'file', name: path.split('/').at(-1)!, content });
    await check(await api.call(calls.media.upload, {}, { token: api.one.admin.token, form }), api);
  });

  test.each(Object.entries(FEEDS))('%s has the right first item', async (path, item) => {
    const body = await readFile(join(FOLDER, path));
    const [first] = picdropItems({ url: 'https://example.com/feed', type: 'application/xml', body, now: NOW });
    expect(first).toMatchObject(item);
  });

  test('every file has a row here', async () => {
    const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const known = ['README.md', ...Object.keys(UPLOADS), ...Object.keys(FEEDS), ...ELSEWHERE];
    expect(files.map((file) => file.slice(FOLDER.length + 1)).sort()).toEqual(known.sort());
  });
});
