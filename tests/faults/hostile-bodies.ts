import { crc32, deflateSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { type ZipEntry, zipOf } from '../harness/zip.ts';

export const KILOBYTE = 1024;
export const MEGABYTE = 1024 * KILOBYTE;

/** A file as somebody sends it. */
export interface HostileFile {
  name: string;
  content: Buffer;
}

/** A text of at most so many bytes: a beginning, a piece time and again, and an end. */
export const repeated = (beginning: string, piece: string, bytes: number, end = ''): string =>
  beginning + piece.repeat(Math.max(0, Math.floor((bytes - beginning.length - end.length) / piece.length))) + end;

const BEGINNINGS = [
  '',
  'HIERARCHY\n',
  'HIERARCHY\nMOTION\nFrames: 1\n',
  'WEBVTT\n',
  '{',
  '{"asset":',
  '#?RADIANCE\n',
  '<svg ',
];
const PIECES = [
  '\n',
  ' ',
  '\t',
  '\r\n',
  ' \n',
  'a',
  '\nMOTION',
  '\nROOT ',
  'Frames:',
  'Frame Time: ',
  '[',
  '{"a":',
  '{},',
];
const ENDS = ['', 'x', '\nMOTION', '}'];
const SIZES = [40 * KILOBYTE, MEGABYTE, 19 * MEGABYTE];

/** Texts that look like motion capture, subtitles, JSON and others, of pieces on which patterns go back and forth. */
export const texts: Arbitrary<HostileFile> = fc
  .record({
    beginning: fc.constantFrom(...BEGINNINGS),
    piece: fc.constantFrom(...PIECES),
    end: fc.constantFrom(...ENDS),
    bytes: fc.constantFrom(...SIZES),
    name: fc.constantFrom('file.bvh', 'file.vtt', 'file.gltf', 'file.csv', 'file'),
  })
  .map(({ beginning, piece, end, bytes, name }) => ({
    name,
    content: Buffer.from(repeated(beginning, piece, bytes, end)),
  }));

/** Names of files: the same word as a file and as a folder, long ones, deep ones, and those that lead elsewhere. */
const entryNames: Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom('a', 'b', 'A', 'a ', '.', 'index.html'), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/')),
  },
  fc.constantFrom(
    '../a',
    '/a',
    'a\\b',
    'a\0b',
    'C:/a',
    '',
    'a/',
    `${'n'.repeat(300)}/a`,
    'd/'.repeat(2500),
    `${'d/'.repeat(450)}a`,
  ),
);

const archive = (entries: ZipEntry[]): Buffer => zipOf([{ name: 'index.html', content: '<p>1</p>' }, ...entries]);

/** Archives of archives, to some depth, among files under names of every kind. */
export const archives: Arbitrary<HostileFile> = fc
  .letrec<{ archive: Buffer; entry: ZipEntry }>((tie) => ({
    archive: fc.array(tie('entry'), { maxLength: 5, depthIdentifier: 'archives' }).map(archive),
    entry: fc.record({
      name: entryNames,
      content: fc.oneof(
        { depthIdentifier: 'archives', maxDepth: 6, depthSize: 'large' },
        fc.constantFrom(Buffer.from('x'), Buffer.alloc(MEGABYTE), Buffer.alloc(0)),
        tie('archive'),
      ),
    }),
  }))
  .archive.map((content) => ({ name: 'file.zip', content }));

/** Archives of very many files, of folders, of what unpacks to a huge one, and that lie. */
export const wideArchives = (): HostileFile[] => {
  const files = (count: number, name: (index: number) => string, content: Buffer | string = 'x') =>
    archive(Array.from({ length: count }, (_, index) => ({ name: name(index), content })));
  return [
    files(60_000, (index) => `f${index}`),
    files(1900, (index) => `${index}/b/c/d/e/f/g/h`),
    files(2, (index) => `zeros-${index}`, Buffer.alloc(20 * MEGABYTE)),
    archive([
      { name: 'a', content: 'x' },
      { name: 'a/b', content: 'y' },
    ]),
    archive([
      { name: 'b/a', content: 'x' },
      { name: 'b', content: 'y' },
    ]),
    archive([
      { name: 'a', content: 'x' },
      ...Array.from({ length: 1500 }, (_, index) => ({ name: `b${index}`, sameDataAs: 1 })),
    ]),
    archive([{ name: 'a', content: 'x', claims: 400 * MEGABYTE }]),
  ].map((content) => ({ name: 'file.zip', content }));
};

/** A PNG that claims a size; its data is one line of it, time and again. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.alloc(Math.min(width * 3 * height, 60 * MEGABYTE)));
  const parts = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

/** Pictures of huge sizes, models of many parts, and beginnings of every other kind with nothing behind them. */
export const binaries = (): HostileFile[] => {
  const glb = (json: string) => {
    const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
    const head = Buffer.alloc(20);
    head.write('glTF', 0, 'latin1');
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(20 + text.length, 8);
    head.writeUInt32LE(text.length, 12);
    head.write('JSON', 16, 'latin1');
    return Buffer.concat([head, text]);
  };
  const asset = '{"asset":{"version":"2.0"}';
  const heads = [
    'wOF2',
    'wOFF',
    'OTTO',
    '\x00\x01\x00\x00',
    'ID3\x03',
    'OggS',
    'RIFF\xff\xff\xff\x7fWAVEfmt ',
    'fLaC',
    'v/1\x01',
    '#?RADIANCE\n',
    '\x1aE\xdf\xa3',
    '\x00\x00\x00\x20ftypisom',
    'GIF89a\xff\xff\xff\xff',
    '\xff\xd8\xff\xe0',
    'RIFF\xff\xff\xff\x7fWEBPVP8 ',
  ];
  return [
    { name: 'huge.png', content: png(65_535, 65_535) },
    { name: 'large.png', content: png(16_000, 8000) },
    { name: 'line.png', content: png(1_000_000, 1) },
    { name: 'nodes.glb', content: glb(repeated(`${asset},"nodes":[`, '{"children":[0]},', 15 * MEGABYTE, '{}]}')) },
    { name: 'objects.glb', content: glb(repeated(`${asset},"extras":[`, '{},', 19 * MEGABYTE, '{}]}')) },
    { name: 'deep.glb', content: glb(`${asset},"extras":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) },
    { name: 'objects.gltf', content: Buffer.from(repeated(`${asset},"extras":[`, '{},', 19 * MEGABYTE, '{}]}')) },
    {
      name: 'names.gltf',
      content: Buffer.from(`${asset},${Array.from({ length: MEGABYTE }, (_, index) => `"k${index}":1`).join(',')}}`),
    },
    ...heads.flatMap((head) => [
      { name: 'zeros', content: Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(MEGABYTE)]) },
      { name: 'ones', content: Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(19 * MEGABYTE, 0xff)]) },
    ]),
  ];
};

const TAGS = ['div', 'b', 'p', 'a', 'table', 'tr', 'li', 'span', 'script', 'style', 'svg', 'math', 'textarea'];

/** HTML of nested elements to any depth, some of which are not closed, or closed by others, with styles of brackets. */
export const nestedHtml: Arbitrary<string> = fc
  .letrec<{ html: string }>((tie) => ({
    html: fc.oneof(
      { maxDepth: 12, depthSize: 'large' },
      fc.constantFrom('a', '&lt;', '<', '<!--', '<br', '&#x', '"'),
      fc
        .record({
          tag: fc.constantFrom(...TAGS),
          close: fc.constantFrom(...TAGS, ''),
          style: fc.constantFrom('', ` style="${'{'.repeat(900)}"`, ' style="color:red"', ` ${'a '.repeat(90)}`),
          inner: fc.array(tie('html'), { maxLength: 3 }),
          depth: fc.constantFrom(1, 1, 60, 600),
        })
        .map(
          ({ tag, close, style, inner, depth }) =>
            `<${tag}${style}>`.repeat(depth) + inner.join('') + (close && `</${close}>`),
        ),
    ),
  }))
  .html.filter((html) => html.includes('<'));

/** HTML of a size, of pieces that take long to read. */
export const hostileHtml = (bytes: number): string[] => [
  repeated('', '<div>', bytes),
  repeated('', '<b>x</i>', bytes),
  repeated('', `<p style="${'{'.repeat(3900)}">`, bytes),
  repeated('', '<p style="color:red;background:#fff">a</p>', bytes),
  `<div ${Array.from({ length: bytes / 9 }, (_, index) => `a${index}`)
    .join(' ')
    .slice(0, bytes - 10)}>`,
  repeated('', '<!--', bytes),
  repeated('', '&lt;', bytes),
  repeated('', '<a href="', bytes),
];

/** JSON of nested and wide values; as text, as it may be deeper than what writes it follows. */
export const hostileJson = (bytes: number): string[] => [
  `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  repeated('{"items":[', '{},', bytes, '{}]}'),
  repeated('{"title":[', '[],', bytes, '[]]}'),
  `{${Array.from({ length: bytes / 14 }, (_, index) => `"k${index}":1`).join(',')}}`,
  `{"items":[${Array.from({ length: bytes / 16 }, (_, index) => `{"k${index}":1}`).join(',')}]}`,
  repeated('{"title":"', '\\u0000', bytes, '"}'),
  repeated('{"title":"', '\\', bytes, '"}'),
];

/** Documents of rooms whose elements stand below one another to any depth. */
export const documents: Arbitrary<string> = fc
  .record({ depth: fc.constantFrom(1, 33, 90, 5000), breadth: fc.constantFrom(1, 50), html: nestedHtml })
  .map(({ depth, breadth, html }) => {
    const element = `{"id":1,"element":"html","config":{"body":${JSON.stringify(html.slice(0, 2000))}},"children":[`;
    const tree = element.repeat(depth) + ']}'.repeat(depth);
    const trees = Math.max(1, Math.min(breadth, Math.floor((7 * MEGABYTE) / tree.length)));
    return `{"title":"Room","elements":[${Array.from({ length: trees }, () => tree).join(',')}]}`;
  })
  .filter((text) => text.length < 15 * MEGABYTE);
