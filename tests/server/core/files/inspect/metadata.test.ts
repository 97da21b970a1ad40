import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../../src/contract/calls.ts';
import { ApiApp, databases, formOf } from '../../../../harness/api-app.ts';
import { makeFilm } from '../../../../harness/film.ts';
import { animatedWebpOf, gifOf, headOfPng } from '../../../../harness/image-bombs.ts';
import { ROOT } from '../../../../harness/started-server.ts';
import { zipOf } from '../../../../harness/zip.ts';

/** What stands in every place that can hold a text, and reaches nobody. */
const SECRET = 'Anna Visser, +52.3676+004.9041/';
const secret = Buffer.from(SECRET);

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const uint32LE = (value: number) => uint32(value).reverse();
const uint16 = (value: number) => uint32(value).subarray(2);
const riffChunk = (type: string, data: Buffer) =>
  Buffer.concat([Buffer.from(type), uint32LE(data.length), data, Buffer.alloc(data.length % 2)]);
const box = (type: string, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type, 'latin1'), content]);
};
/** Bytes in which others stand in front of a place. */
const inserted = (bytes: Buffer, at: number, ...parts: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);

const exif = {
  IFD0: { ImageDescription: SECRET, Artist: SECRET },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 22/1 3/1' },
};
const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="${SECRET}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
/** Noise with EXIF and XMP, so that what is encoded again differs. */
const photo = () =>
  sharp({
    create: {
      width: 60,
      height: 40,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .withExif(exif)
    .withXmp(xmp);

const jpegSegment = (marker: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(data.length + 2), data]);
async function jpeg(): Promise<Buffer> {
  const bytes = await photo().withIccProfile('p3').jpeg({ progressive: true }).toBuffer();
  const iptc = Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0', 'latin1'),
    uint32(secret.length),
    secret,
  ]);
  const segments = [jpegSegment(0xed, iptc), jpegSegment(0xfe, secret), jpegSegment(0xe9, secret)];
  return Buffer.concat([inserted(bytes, 2, ...segments), Buffer.from('ftypmp42'), secret]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}
const pngTexts = () => [
  pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), secret])),
  pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), secret])),
  pngChunk('prVt', secret),
];
const png = async () => inserted(await photo().png().toBuffer(), 33, ...pngTexts());
const animatedPng = () => {
  const bytes = headOfPng(8, 8, 2);
  const control = pngChunk('fcTL', Buffer.concat([uint32(0), uint32(8), uint32(8), Buffer.alloc(14)]));
  return inserted(bytes, bytes.indexOf('IDAT') - 4, control, ...pngTexts());
};

function animatedWebp(): Buffer {
  const bytes = animatedWebpOf(16, 16, 2);
  bytes[20]! |= 0x0c;
  const whole = Buffer.concat([bytes, riffChunk('EXIF', secret), riffChunk('XMP ', secret), riffChunk('note', secret)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return Buffer.concat([whole, secret]);
}

const gif = () => {
  const block = Buffer.concat([Buffer.from([secret.length]), secret, Buffer.from([0])]);
  const bytes = gifOf(8, 8, 3);
  return Buffer.concat([
    bytes.subarray(0, 19),
    Buffer.from([0x21, 0xfe]),
    block,
    Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'),
    block,
    bytes.subarray(19),
    secret,
  ]);
};

/** A film that says where it was taken: in `udta`, `meta` and `uuid`, and in a track beside that of its images. */
function film(): Buffer {
  const bytes = makeFilm();
  const at = bytes.indexOf('moov') - 4;
  const size = bytes.readUInt32BE(at);
  const track = Buffer.from(bytes.subarray(bytes.indexOf('trak') - 4, at + size));
  track.write('meta', track.indexOf('vide'), 'latin1');
  const samples = Buffer.alloc(20_000, secret);
  const about = [
    track,
    box('udta', box('\xa9xyz', uint16(secret.length), uint16(0), secret), box('loci', secret)),
    box('meta', Buffer.alloc(4), box('ilst', box('\xa9ART', box('data', uint32(1), uint32(0), secret)))),
    box('uuid', Buffer.alloc(16), secret),
  ];
  const more = Buffer.concat(about).length;
  const whole = Buffer.concat([inserted(bytes, at + size, ...about), box('mdat', samples)]);
  whole.writeUInt32BE(size + more, at);
  const [own, other] = [whole.indexOf('stco') + 12, whole.lastIndexOf('stco') + 12];
  whole.writeUInt32BE(bytes.readUInt32BE(bytes.indexOf('stco') + 12) + more, own);
  whole.writeUInt32BE(whole.length - samples.length, other);
  return whole;
}

const mp3 = () => {
  const frame = Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(413)]);
  const text = Buffer.concat([Buffer.from('TXXX'), uint32(secret.length), uint16(0), secret]);
  const tag = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0'), Buffer.from([text.length]), text]);
  return Buffer.concat([tag, ...Array(80).fill(frame), Buffer.from('TAG'), Buffer.alloc(125, secret)]);
};

const flac = () => {
  const info = Buffer.from('1000100000000000000001f400f000017700'.padEnd(68, '0'), 'hex');
  // 8,000 samples a second, one channel of 8 bits, 8,000 samples.
  Buffer.from('01f400700000001f40', 'hex').copy(info, 10);
  const block = (type: number, data: Buffer) =>
    Buffer.concat([Buffer.from([type]), uint32(data.length).subarray(1), data]);
  const comment = Buffer.concat([uint32LE(0), uint32LE(1), uint32LE(secret.length), secret]);
  return Buffer.concat([
    Buffer.from('fLaC'),
    block(0, info),
    block(4, comment),
    block(0x86, secret),
    Buffer.from('fff8', 'hex'),
    Buffer.alloc(4000),
  ]);
};

const wav = () => {
  const format = Buffer.concat([
    Buffer.from('01000100', 'hex'),
    uint32LE(8000),
    uint32LE(8000),
    Buffer.from('01000800', 'hex'),
  ]);
  const chunks = [
    riffChunk('fmt ', format),
    riffChunk('LIST', Buffer.concat([Buffer.from('INFOIART'), uint32LE(secret.length + 1), secret, Buffer.alloc(1)])),
    riffChunk('data', Buffer.alloc(8000, 7)),
    riffChunk('iXML', secret),
  ];
  const body = Buffer.concat([Buffer.from('WAVE'), ...chunks]);
  return Buffer.concat([Buffer.from('RIFF'), uint32LE(body.length), body]);
};

const ogg = () => {
  const page = (number: number, flags: number, granule: number, packet: Buffer) => {
    const lacing = Buffer.from([...Array(Math.floor(packet.length / 255)).fill(255), packet.length % 255]);
    return Buffer.concat([
      Buffer.from(`OggS\0${String.fromCharCode(flags)}`, 'latin1'),
      uint32LE(granule),
      uint32LE(0),
      uint32LE(1),
      uint32LE(number),
      uint32LE(0),
      Buffer.from([lacing.length]),
      lacing,
      packet,
    ]);
  };
  const head = Buffer.from('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0', 'latin1');
  const long = Buffer.alloc(600, secret);
  const tags = Buffer.concat([Buffer.from('OpusTags'), uint32LE(0), uint32LE(1), uint32LE(long.length), long]);
  return Buffer.concat([page(0, 2, 0, head), page(1, 0, 0, tags), page(2, 4, 48_000, Buffer.alloc(100, 3))]);
};

/** A WebM that holds a title and tags beside its film. */
async function webm(): Promise<Buffer> {
  const bytes = await readFile(join(ROOT, 'fixtures/media/morning-film.webm'));
  const tags = Buffer.concat([Buffer.from('1254c367', 'hex'), Buffer.from([0x80 | secret.length]), secret]);
  return Buffer.concat([bytes, tags]);
}

/** A GLB of one triangle whose texture is a photo. */
function glb(texture: Buffer): Buffer {
  const points = Buffer.from(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const places = Buffer.from(new Float32Array([0, 0, 1, 0, 0, 1]).buffer);
  const data = Buffer.concat([points, places, texture, Buffer.alloc((4 - (texture.length % 4)) % 4)]);
  const view = (byteOffset: number, byteLength: number) => ({ buffer: 0, byteOffset, byteLength });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ bufferView: 2, mimeType: 'image/jpeg' }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' },
    ],
    bufferViews: [view(0, 36), view(36, 24), view(60, texture.length)],
    buffers: [{ byteLength: data.length }],
  };
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const chunks = [
    uint32LE(padded.length),
    Buffer.from('JSON'),
    padded,
    uint32LE(data.length),
    Buffer.from('BIN\0'),
    data,
  ];
  const body = Buffer.concat(chunks);
  return Buffer.concat([Buffer.from('glTF'), uint32LE(2), uint32LE(12 + body.length), body]);
}

describe.each(databases)('metadata of uploads on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  /** What visitors get of an upload. */
  const served = async (name: string, content: Buffer) => {
    const form = formOf({}, { field: 'file', name, content: new Blob([Uint8Array.from(content)]) });
    const { status, body, text } = await api.call(calls.media.upload, {}, { token: api.one.admin.token, form });
    expect(status, `${name} ${text}`).toBe(201);
    const answer = await fetch(new URL(new URL(body.data.url, api.origin).pathname, api.origin));
    expect(answer.status, name).toBe(200);
    return { bytes: Buffer.from(await answer.arrayBuffer()), data: body.data };
  };
  const pixelsOf = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer();
  const hasSecret = (bytes: Buffer) => bytes.includes('Anna Visser') || bytes.includes('52.3676');

  it('security 85: of images in every format reach nobody, and their pixels stay as they were', async () => {
    const images: [string, Buffer][] = [
      ['a.jpg', await jpeg()],
      ['a.png', await png()],
      ['animated.png', animatedPng()],
      ['a.webp', await photo().webp().toBuffer()],
      ['lossless.webp', await photo().webp({ lossless: true }).toBuffer()],
      ['animated.webp', animatedWebp()],
      ['a.gif', gif()],
      ['a.avif', await photo().avif().toBuffer()],
    ];
    for (const [name, content] of images) {
      expect(hasSecret(content), name).toBe(true);
      const { bytes } = await served(name, content);
      expect(hasSecret(bytes), name).toBe(false);
      const [before, after] = [await sharp(content).metadata(), await sharp(bytes).metadata()];
      expect([after.pages, after.delay, after.loop, after.icc], name).toEqual([
        before.pages,
        before.delay,
        before.loop,
        before.icc,
      ]);
      expect(await pixelsOf(bytes), name).toEqual(await pixelsOf(content));
    }
    const { bytes } = await served('a.jpg', await jpeg());
    expect((await sharp(bytes).metadata()).icc).toBeDefined();
    expect((await served('animated.png', animatedPng())).bytes.includes('acTL')).toBe(true);
  });

  it('security 85: an image that must be turned is, without its metadata', async () => {
    const turned = [
      await photo().withMetadata({ orientation: 6 }).withExifMerge(exif).jpeg().toBuffer(),
      await photo().withMetadata({ orientation: 6 }).withExifMerge(exif).png().toBuffer(),
      await photo().withMetadata({ orientation: 6 }).withExifMerge(exif).webp().toBuffer(),
    ];
    for (const content of turned) {
      const { bytes, data } = await served('turned', content);
      const { width, height, orientation, exif: left } = await sharp(bytes).metadata();
      expect([data.width, data.height, width, height, orientation, left]).toEqual([
        40,
        60,
        40,
        60,
        undefined,
        undefined,
      ]);
      expect(hasSecret(bytes)).toBe(false);
    }
  });

  it('security 85: of videos and audio reach nobody, and what is played stays as it was', async () => {
    const original = makeFilm();
    const { bytes: played } = await served('film.mp4', film());
    expect(hasSecret(played)).toBe(false);
    const at = played.indexOf('stco') + 12;
    const frames = original.subarray(original.indexOf('mdat') + 4);
    const from = played.readUInt32BE(at);
    expect(played.subarray(from, from + frames.length)).toEqual(frames);

    const sounds: [string, Buffer, Buffer][] = [
      ['a.mp3', mp3(), mp3().subarray(10 + 10 + secret.length, -128)],
      [
        'a.flac',
        flac(),
        Buffer.concat([flac().subarray(0, 4), Buffer.from([0x80]), flac().subarray(5, 42), flac().subarray(-4002)]),
      ],
    ];
    for (const [name, content, left] of sounds) expect((await served(name, content)).bytes, name).toEqual(left);
    const { bytes: tone } = await served('a.wav', wav());
    expect([hasSecret(tone), tone.readUInt32LE(4), tone.length]).toEqual([false, tone.length - 8, 8044]);
    const { bytes: speech } = await served('a.ogg', ogg());
    expect([hasSecret(speech), speech.length, speech.includes('OpusTags')]).toEqual([false, ogg().length, true]);
    const { bytes: video } = await served('a.webm', await webm());
    expect([hasSecret(video), video.length]).toEqual([false, (await webm()).length]);
  });

  it('security 85: of textures of models reach nobody', async () => {
    const texture = await jpeg();
    const { bytes } = await served('a.glb', glb(texture));
    expect([hasSecret(bytes), bytes.length]).toEqual([false, glb(texture).length]);
    const start = bytes.indexOf(Buffer.from('ffd8ff', 'hex'));
    expect(await pixelsOf(bytes.subarray(start))).toEqual(await pixelsOf(texture));
    const json = {
      asset: { version: '2.0' },
      nodes: [{}],
      images: [{ uri: 'photo.jpg' }],
      textures: [{ source: 0 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    };
    const archive = zipOf([
      { name: 'model.gltf', content: JSON.stringify(json) },
      { name: 'photo.jpg', content: texture },
    ]);
    const { data } = await served('model.zip', archive);
    const beside = new URL('photo.jpg', new URL(new URL(data.url, api.origin).pathname, api.origin));
    const photo = Buffer.from(await (await fetch(beside)).arrayBuffer());
    expect(hasSecret(photo)).toBe(false);
    expect(await pixelsOf(photo)).toEqual(await pixelsOf(texture));
  });

  it('an image without metadata is kept as it was sent', async () => {
    for (const content of [
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
        .jpeg()
        .toBuffer(),
      animatedWebpOf(16, 16, 2),
      gifOf(8, 8, 3),
    ])
      expect((await served('plain', content)).bytes).toEqual(content);
  });
});
