import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp, oneDatabase, refused } from '../../../harness/api-app.ts';

const WIDTH = 8;
const HEIGHT = 20;

const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};
const attribute = (name: string, type: string, value: Buffer) =>
  Buffer.concat([Buffer.from(`${name}\0${type}\0`), number(value.length), value]);

/** What the compression of EXR does to bytes before it packs them: every second one apart, then differences. */
function split(bytes: Buffer): Buffer {
  const apart = Buffer.concat([bytes.filter((_, i) => i % 2 === 0), bytes.filter((_, i) => i % 2 === 1)]);
  return Buffer.from(apart.map((byte, i) => (i === 0 ? byte : byte - apart[i - 1]! + 128)));
}

/** An EXR file of three channels. @param bits of the value of one pixel near the end, in halves (16) or floats (32) */
function exrOf(size: 16 | 32, bits: number, isPacked: boolean, about = Buffer.alloc(0)): Buffer {
  const channel = (name: string) =>
    Buffer.concat([Buffer.from(`${name}\0`), number(size === 16 ? 1 : 2), number(0), number(1), number(1)]);
  const box = Buffer.concat([0, 0, WIDTH - 1, HEIGHT - 1].map(number));
  const header = Buffer.concat([
    number(20_000_630),
    number(2),
    attribute('channels', 'chlist', Buffer.concat([...['B', 'G', 'R'].map(channel), Buffer.alloc(1)])),
    attribute('compression', 'compression', Buffer.from([isPacked ? 3 : 0])),
    attribute('dataWindow', 'box2i', box),
    attribute('displayWindow', 'box2i', box),
    attribute('lineOrder', 'lineOrder', Buffer.alloc(1)),
    about,
    Buffer.alloc(1),
  ]);
  const line = (WIDTH * 3 * size) / 8;
  const pixels = Buffer.alloc(line * HEIGHT);
  const last = pixels.length - size / 8;
  if (size === 16) pixels.writeUInt16LE(bits, last);
  else pixels.writeUInt32LE(bits, last);
  const rows = isPacked ? 16 : 1;
  const blocks: Buffer[] = [];
  for (let y = 0; y < HEIGHT; y += rows) {
    const plain = pixels.subarray(y * line, (y + rows) * line);
    const data = isPacked ? deflateSync(split(plain)) : plain;
    blocks.push(Buffer.concat([number(y), number(data.length), data]));
  }
  return Buffer.concat([header, Buffer.alloc(blocks.length * 8), ...blocks]);
}

describe.each(oneDatabase)('an environment on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  test('security 85: tells visitors nothing of who made it, and where', async () => {
    const secret = Buffer.from('Anna Visser');
    const about = (value: Buffer) =>
      Buffer.concat([attribute('owner', 'string', value), attribute('longitude', 'float', value.subarray(0, 4))]);
    const exr = (value: Buffer) => exrOf(16, 0, true, about(value));
    const radiance = (line: string) =>
      Buffer.concat([
        Buffer.from(`#?RADIANCE\n${line}\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n`),
        Buffer.from([9, 9, 9, 128]),
      ]);
    const served: [Buffer, Buffer][] = [
      [exr(secret), exr(Buffer.alloc(secret.length))],
      [radiance('OWNER=Anna Visser'), radiance('#'.repeat(17))],
      [radiance('# Anna Visser'), radiance('#'.repeat(13))],
    ];
    for (const [sent, shown] of served) {
      const { url } = await upload(sent);
      const answer = await fetch(new URL(new URL(url, api.origin).pathname, api.origin));
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(shown);
    }
  });

  const upload = (bytes: Buffer) =>
    api.client().media.upload({ body: {}, files: { file: new File([new Uint8Array(bytes)], 'light.exr') } });

  test.each([
    ['NaN in halves', 16, 0x7e00],
    ['infinity in halves', 16, 0xfc00],
    ['NaN in floats', 32, 0x7fc00000],
    ['infinity in floats', 32, 0x7f800000],
  ] as const)('with %s is refused, packed and not', async (_, size, bits) => {
    for (const isPacked of [false, true]) {
      const { code, msg } = await refused(upload(exrOf(size, bits, isPacked)));
      const sentence =
        "The EXR file contains values that aren't finite (NaN or infinity). Remove them and export it again.";
      expect([code, msg]).toEqual(['bad_file', { file: [sentence] }]);
    }
  });

  test('with the brightest values that are numbers is taken, packed and not', async () => {
    for (const isPacked of [false, true])
      for (const [size, bits] of [
        [16, 0x7bff],
        [32, 0x7f7fffff],
      ] as const)
        expect(await upload(exrOf(size, bits, isPacked))).toMatchObject({ type: 'hdr', width: WIDTH, height: HEIGHT });
  });

  test('whose lines are damaged or cut off is refused', async () => {
    const bytes = exrOf(32, 0, true);
    const msg = { file: ['The EXR file is damaged or incomplete.'] };
    expect(await refused(upload(bytes.subarray(0, -5)))).toMatchObject({ code: 'bad_file', msg });
    bytes.fill(0xff, bytes.length - 20);
    expect(await refused(upload(bytes))).toMatchObject({ code: 'bad_file', msg });
  });
});
