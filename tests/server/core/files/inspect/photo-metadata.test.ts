import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { photoOf } from '../../../../../src/server/core/files/inspect/metadata/photo-metadata.ts';
import { panoramaFields } from '../../../../../src/server/core/files/inspect/panorama.ts';

const NONE = new Map<string, string>();

type Entry = [tag: number, type: number, count: number, value: number | Buffer];

/** A TIFF structure with directories at fixed offsets, and values behind them. */
function tiff(directories: Record<number, Entry[]>, size = 4096): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write('II', 'latin1');
  bytes.writeUInt16LE(42, 2);
  bytes.writeUInt32LE(8, 4);
  let free = 2048;
  for (const [at, entries] of Object.entries(directories)) {
    bytes.writeUInt16LE(entries.length, Number(at));
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      const place = Number(at) + 2 + index * 12;
      bytes.writeUInt16LE(tag, place);
      bytes.writeUInt16LE(type, place + 2);
      bytes.writeUInt32LE(count, place + 4);
      if (typeof value === 'number') bytes.writeUInt32LE(value, place + 8);
      else if (value.length <= 4) value.copy(bytes, place + 8);
      else {
        bytes.writeUInt32LE(free, place + 8);
        free += value.copy(bytes, free);
      }
    }
  }
  return bytes;
}

const ascii = (text: string): [number, number, Buffer] => [2, text.length + 1, Buffer.from(`${text}\0`)];
const rationals = (...values: [number, number][]): [number, number, Buffer] => {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, [top, bottom]] of values.entries()) {
    bytes.writeUInt32LE(top, index * 8);
    bytes.writeUInt32LE(bottom, index * 8 + 4);
  }
  return [5, values.length, bytes];
};

const GPS: Entry[] = [
  [1, ...ascii('S')],
  [2, ...rationals([33, 1], [30, 1], [0, 1])],
  [3, ...ascii('W')],
  [4, ...rationals([70, 1], [0, 1], [36, 1])],
  [5, 1, 1, 1],
  [6, ...rationals([25, 2])],
];

describe('what a camera recorded about a photo', () => {
  it('is read from EXIF and XMP in every format that carries them', async () => {
    const photo = sharp({ create: { width: 20, height: 10, channels: 3, background: '#888' } })
      .withExif({
        IFD2: { DateTimeOriginal: '2026:05:01 12:30:00', OffsetTimeOriginal: '+02:00', SubSecTimeOriginal: '25' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '4/1 45/1 0/1' },
      })
      .withXmp(
        `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:PoseHeadingDegrees="370" GPano:PosePitchDegrees="-2.5" GPano:InitialViewHeadingDegrees="90"><GPano:PoseRollDegrees>1.5</GPano:PoseRollDegrees></rdf:Description></rdf:RDF></x:xmpmeta>`,
      );
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const { exif, xmp } = await sharp(await photo.clone().toFormat(format).toBuffer()).metadata();
      expect(photoOf(exif, panoramaFields(xmp)), format).toEqual({
        pitch: -2.5,
        roll: 1.5,
        view_heading: 90,
        latitude: 52.5,
        longitude: 4.75,
        taken_at: '2026-05-01T12:30:00.25+02:00',
      });
    }
    const turned = photoOf(undefined, new Map([['PoseHeadingDegrees', '-90']]));
    expect(turned).toEqual({ heading: 270 });
    expect(photoOf(undefined, NONE)).toBeUndefined();
  });

  it('is negative in the south, in the west and below the sea; 0° 0° is no position', () => {
    expect(photoOf(tiff({ 8: [[0x8825, 4, 1, 512]], 512: GPS }), NONE)).toEqual({
      latitude: -33.5,
      longitude: -70.01,
      altitude: -12.5,
    });
    const nowhere: Entry[] = GPS.map(([tag, type, count, value]) =>
      tag === 2 || tag === 4 ? [tag, ...rationals([0, 1], [0, 1], [0, 1])] : [tag, type, count, value],
    );
    expect(photoOf(tiff({ 8: [[0x8825, 4, 1, 512]], 512: nowhere }), NONE)).toBeUndefined();
  });

  it('ends at once for directories that contain themselves, claim too much, or point outside', () => {
    const claims: Entry[] = Array.from({ length: 80 }, () => [2, 5, 0xffff_ffff, 8]);
    const hostile: Record<string, Buffer> = {
      'a loop': tiff({
        8: [
          [0x8825, 4, 1, 8],
          [0x8769, 4, 1, 8],
        ],
      }),
      'a directory far outside': tiff({ 8: [[0x8825, 4, 1, 0xffff_fff0]] }),
      'huge counts': tiff({ 8: [[0x8825, 4, 1, 1024]], 1024: claims }),
      'divisions by zero': tiff({
        8: [[0x8825, 4, 1, 512]],
        512: GPS.map(([tag, ...entry]) => (tag === 2 ? [tag, ...rationals([1, 0], [0, 0], [1, 0])] : [tag, ...entry])),
      }),
      'more entries than bytes': Buffer.concat([tiff({}, 8), Buffer.from([0xff, 0xff, 1, 2, 3])]),
      'a date that is none': tiff({ 8: [[0x8769, 4, 1, 512]], 512: [[0x9003, ...ascii('2026:99:99 99:99:99')]] }),
      'another structure': Buffer.from('Exif\0\0MM\0\x2b\0\0\0\x08'),
      nothing: Buffer.alloc(0),
    };
    for (const [name, bytes] of Object.entries(hostile))
      expect(photoOf(bytes, NONE) ?? {}, name).not.toMatchObject({
        latitude: expect.anything(),
      });
    const whole = tiff({ 8: [[0x8825, 4, 1, 512]], 512: GPS }, 2200);
    for (let length = 0; length < whole.length; length++)
      expect(() => photoOf(whole.subarray(0, length), NONE)).not.toThrow();
  });

  it('leaves out values that no camera can mean', () => {
    const fields = new Map([
      ['PoseHeadingDegrees', '1e9'],
      ['PosePitchDegrees', 'level'],
      ['PoseRollDegrees', '3'],
    ]);
    expect(photoOf(undefined, fields)).toEqual({ roll: 3 });
  });
});
