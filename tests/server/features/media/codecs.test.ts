import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { ApiApp, formOf, oneDatabase } from '../../../harness/api-app.ts';
import { describedBy, makeMp4 } from '../../../harness/film.ts';

const film = (format: string, boxes?: Buffer, brand?: string) =>
  makeMp4('picture', 2000, { format, ...(boxes && { boxes }) }, brand);
const sound = (format: string, boxes?: Buffer) => makeMp4('sound', 2000, { format, ...(boxes && { boxes }) });

/** A page of Ogg with one packet: RFC 3533, section 6. */
function ogg(packet: Buffer): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head[5] = 2;
  head[26] = 1;
  return Buffer.concat([head, Buffer.from([packet.length]), packet]);
}
const speex = () => {
  const packet = Buffer.alloc(80);
  packet.write('Speex   1.2.0', 0, 'latin1');
  packet.writeUInt32LE(1, 28);
  packet.writeUInt32LE(80, 32);
  packet.writeUInt32LE(16_000, 36);
  return packet;
};
/** Kinds of MPEG-4 audio from 32 on take five ones and six more bits: ISO/IEC 14496-3, 1.6.2.1. */
const audioConfig = (kind: number) => {
  const bits = kind < 32 ? kind << 11 : (31 << 11) | ((kind - 32) << 5);
  return Buffer.from([bits >> 8, bits & 255]);
};

describe.each(oneDatabase)('codecs on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const upload = (content: Buffer) => {
    const file = { field: 'file', name: 'recording', content: new Blob([Uint8Array.from(content)]) };
    return api.call(calls.media.upload, {}, { token: api.one.admin.token, form: formOf({}, file) });
  };
  const notPlayed = (what: 'video' | 'audio', name: string) =>
    `The ${what} uses ${name}, which browsers can't play. Export it as ${what === 'video' ? 'H.264 in an MP4' : 'AAC, MP3 or WAV'}.`;

  it.each([
    ['MPEG-4 Part 2', film('mp4v', describedBy(32, Buffer.alloc(8))), notPlayed('video', 'MPEG-4 Part 2')],
    ['MPEG-2', film('mp4v', describedBy(97)), notPlayed('video', 'MPEG-2')],
    ['ProRes 422', film('apcn', undefined, 'qt  '), notPlayed('video', 'ProRes')],
    ['ProRes 4444', film('ap4h', undefined, 'qt  '), notPlayed('video', 'ProRes')],
    [
      'an encrypted video',
      film('encv'),
      "The video is encrypted (DRM), so browsers can't play it. Use a file without copy protection.",
    ],
    [
      'encrypted audio',
      sound('enca'),
      "The audio is encrypted (DRM), so browsers can't play it. Use a file without copy protection.",
    ],
    ['xHE-AAC', sound('mp4a', describedBy(64, audioConfig(42))), notPlayed('audio', 'xHE-AAC')],
    ['Apple Lossless', sound('alac'), notPlayed('audio', 'Apple Lossless')],
    ['Speex', ogg(speex()), notPlayed('audio', 'Speex')],
  ])('%s is refused with a sentence that names it', async (_, content, sentence) => {
    const { status, body, text } = await upload(content);
    expect([status, body.msg], text).toEqual([415, { file: [sentence] }]);
    expect((await api.client().media.list()).data).toEqual([]);
  });

  it.each([
    ['AAC-LC', sound('mp4a', describedBy(64, audioConfig(2)))],
    ['HE-AAC', sound('mp4a', describedBy(64, audioConfig(5)))],
    ['H.264', film('avc1')],
    ['AV1', film('av01')],
  ])('%s is taken', async (_, content) => {
    const { status, body, text } = await upload(content);
    expect(status, text).toBe(201);
    expect(body.data.details.warnings).toBeUndefined();
    await api.client().media.remove({ params: { id: body.data.id } });
  });

  it('HEVC is taken with a warning', async () => {
    const { body } = await upload(film('hvc1'));
    expect(body.data.details.warnings).toEqual([expect.stringContaining('HEVC (H.265)')]);
    await api.client().media.remove({ params: { id: body.data.id } });
  });
});
