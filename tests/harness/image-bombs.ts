import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Side lengths of an image of 134 million pixels, just within the upload limit. */
const WIDE = 16_383;
const HIGH = 8191;

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const uint16LE = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const uint24LE = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16]);

/** A PNG chunk; readers of a header check only the checksum of the header itself. */
function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** The start of a PNG of this size; animated with several frames. */
export const headOfPng = (width: number, height: number, frames = 1): Buffer =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([1, 0, 0, 0, 0])])),
    ...(frames > 1 ? [pngChunk('acTL', Buffer.concat([uint32(frames), uint32(0)]))] : []),
    pngChunk('IDAT', deflateSync(Buffer.alloc(Math.min(height * (Math.ceil(width / 8) + 1), 2_000_000)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

/** The start of a JPEG of this size. */
export const headOfJpeg = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b08', 'hex'),
    uint16(height),
    uint16(width),
    Buffer.from('01011100', 'hex'),
    Buffer.from('ffda0008010100003f00ffd9', 'hex'),
  ]);

function riff(...chunks: [string, Buffer][]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.map(([type, data]) => webpChunk(type, data))]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
}

function webpChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

/**
 * Single-color lossless WebP pixels: each of the five prefix codes has one symbol of zero bits, so that any number of
 * pixels takes no space. https://developers.google.com/speed/webp/docs/webp_lossless_bitstream_specification
 */
function lossless(width: number, height: number): Buffer {
  let bits = '';
  const put = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit++) bits += (value >> bit) & 1;
  };
  put(0x2f, 8);
  put(width - 1, 14);
  put(height - 1, 14);
  // No alpha, version 0, no transform, no color cache, no meta prefix codes.
  for (const count of [1, 3, 1, 1, 1]) put(0, count);
  // Each code: simple, one symbol of eight bits: 128; the last one, for distances, of one bit: 0.
  for (let code = 0; code < 4; code++) {
    put(1, 1);
    put(0, 1);
    put(1, 1);
    put(128, 8);
  }
  for (const value of [1, 0, 0, 0]) put(value, 1);
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt([...byte].reverse().join(''), 2)));
}

/** A complete single-color WebP of this size. */
export const webpOf = (width: number, height: number): Buffer => riff(['VP8L', lossless(width, height)]);

/** A complete animated WebP. */
export function animatedWebpOf(width: number, height: number, frames: number): Buffer {
  const size = Buffer.concat([uint24LE(width - 1), uint24LE(height - 1)]);
  const frame = Buffer.concat([
    Buffer.alloc(6),
    size,
    uint24LE(100),
    Buffer.alloc(1),
    webpChunk('VP8L', lossless(width, height)),
  ]);
  return riff(
    ['VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), size])],
    ['ANIM', Buffer.alloc(6)],
    ...Array.from({ length: frames }, (): [string, Buffer] => ['ANMF', frame]),
  );
}

/** A complete GIF in which each frame changes one pixel of a canvas of this size. */
export const gifOf = (width: number, height: number, frames: number): Buffer =>
  Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    uint16LE(width),
    uint16LE(height),
    Buffer.from('800000b7822fffffff', 'hex'),
    Buffer.from('21ff0b4e45545343415045322e300301000000', 'hex'),
    // Ten milliseconds; a frame of one pixel in the top left corner; its code.
    ...Array.from({ length: frames }, () => Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex')),
    Buffer.from([0x3b]),
  ]);

/** An AVIF whose header claims this size. */
export async function avifOf(width: number, height: number): Promise<Buffer> {
  const file = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#b7822f' } })
    .avif({ effort: 0 })
    .toBuffer();
  uint32(width).copy(file, file.indexOf('ispe') + 8);
  uint32(height).copy(file, file.indexOf('ispe') + 12);
  return file;
}

/** Images of at most 3 kB that decode to 134 million pixels, by format. */
export const bombs = async (): Promise<Record<string, Buffer>> => ({
  AVIF: await avifOf(WIDE, HIGH),
  PNG: headOfPng(WIDE, HIGH),
  'animated PNG': headOfPng(1024, 1024, 128),
  JPEG: headOfJpeg(WIDE, HIGH),
  WebP: webpOf(WIDE, HIGH),
  'animated WebP': animatedWebpOf(4096, 4096, 8),
  GIF: gifOf(WIDE, HIGH, 1),
  'animated GIF': gifOf(4096, 4096, 8),
});
