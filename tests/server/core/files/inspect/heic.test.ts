import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../../src/contract/calls.ts';
import { ApiApp, databases, formOf } from '../../../../harness/api-app.ts';
import { heicOf, type Ycc } from '../../../../harness/heic.ts';

const RED: Ycc = [76, 84, 255];
const BLUE: Ycc = [29, 255, 107];

describe.each(databases)('HEIC images on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const upload = (content: Buffer) => {
    const form = formOf({}, { field: 'file', name: 'IMG_0001.HEIC', content: new Blob([Uint8Array.from(content)]) });
    return api.call(calls.media.upload, {}, { token: api.one.admin.token, form });
  };

  it('become JPEG, upright and in their own colors', async () => {
    const { icc } = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
      .then((bytes) => sharp(bytes).metadata());
    const image = { width: 64, height: 32, turns: 1, profile: icc };
    const { status, body, text } = await upload(heicOf(image, (x) => (x < 32 ? RED : BLUE)));
    expect(status, text).toBe(201);
    expect(body.data).toMatchObject({ type: 'image', mime: 'image/jpeg', width: 32, height: 64 });
    expect(body.data.url).toMatch(/\/img_0001\.jpg$/);
    const answer = await fetch(new URL(new URL(body.data.url, api.origin).pathname, api.origin));
    const bytes = Buffer.from(await answer.arrayBuffer());
    const shown = await sharp(bytes).metadata();
    expect([answer.headers.get('content-type'), shown.format, shown.icc]).toEqual(['image/jpeg', 'jpeg', icc]);
    // Turned to the left, the right side is on top.
    const { data } = await sharp(bytes).keepIccProfile().raw().toBuffer({ resolveWithObject: true });
    const colorAt = (x: number, y: number) => [...data.subarray((y * 32 + x) * 3, (y * 32 + x) * 3 + 3)];
    const isNear = (color: number[], expected: number[]) =>
      color.every((value, index) => Math.abs(value - expected[index]!) < 12);
    expect(isNear(colorAt(16, 8), [0, 0, 255]), `${colorAt(16, 8)}`).toBe(true);
    expect(isNear(colorAt(16, 56), [255, 0, 0]), `${colorAt(16, 56)}`).toBe(true);
  });

  it('that end too early are refused with advice, and so are those with too many pixels', async () => {
    const whole = heicOf({ width: 64, height: 32 }, () => RED);
    for (const content of [whole.subarray(0, 200), whole.subarray(0, whole.indexOf('mdat') + 100)]) {
      const { status, body } = await upload(content);
      expect([status, body.msg]).toEqual([
        422,
        { file: ['The HEIC image is damaged or incomplete. Export it as JPEG.'] },
      ]);
    }
    const large = Buffer.from(whole);
    large.writeUInt32BE(8000, large.indexOf('ispe') + 8);
    large.writeUInt32BE(6000, large.indexOf('ispe') + 12);
    const { status, body } = await upload(large);
    expect([status, body.msg.file[0]]).toEqual([
      422,
      'The image has too many pixels. Send one with at most 32 million, or a JPEG with at most 134 million.',
    ]);
  });
});
