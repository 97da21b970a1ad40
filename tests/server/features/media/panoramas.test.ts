import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, oneDatabase, refused } from '../../../harness/api-app.ts';

const LAKE = join(import.meta.dirname, '../../../../fixtures/media/panorama.jpg');
const NIGHT = join(import.meta.dirname, '../../../../fixtures/media/night-panorama.jpg');
/** Real panoramas made by others; they lie beside the project, not in it. */
const OTHERS = join(import.meta.dirname, '../../../../../shared/assets/open/pano');
const panoramas = [
  LAKE,
  NIGHT,
  ...['milky-way-4k.png', 'pannellum-examplepano-4k.jpg'].map((name) => join(OTHERS, name)).filter(existsSync),
];

/** XMP as cameras write it, with fields of a panorama as attributes. */
const xmpOf = (fields: Record<string, string | number>) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ${Object.entries(
    fields,
  )
    .map(([name, value]) => `GPano:${name}="${value}"`)
    .join(' ')}/></rdf:RDF></x:xmpmeta>`;

/** The same as elements, the other way to write XMP. */
const xmpElements = (fields: Record<string, string | number>) =>
  xmpOf({}).replace(
    '/></rdf:RDF>',
    `>${Object.entries(fields)
      .map(([name, value]) => `<GPano:${name}>${value}</GPano:${name}>`)
      .join('')}</rdf:Description></rdf:RDF>`,
  );

const small = () => sharp(LAKE).resize(400, 200);
const part = {
  ProjectionType: 'equirectangular',
  CroppedAreaImageWidthPixels: 400,
  CroppedAreaImageHeightPixels: 200,
  FullPanoWidthPixels: 800,
  FullPanoHeightPixels: 400,
};

/** Two views of one scene, a little apart as eyes are, in a picture of a panorama's shape. */
async function pair(how: 'beside' | 'above'): Promise<Buffer> {
  const eye = async (left: number) => {
    const view = await sharp(LAKE).resize(1200, 600).extract({ left, top: 100, width: 400, height: 400 }).toBuffer();
    const size = how === 'beside' ? { width: 400, height: 400 } : { width: 800, height: 200 };
    return sharp(view)
      .resize({ ...size, fit: 'fill' })
      .toBuffer();
  };
  const second = how === 'beside' ? { left: 400, top: 0 } : { left: 0, top: 200 };
  return sharp({
    create: { width: 800, height: 400, channels: 3, background: '#000000' },
  })
    .composite([
      { input: await eye(300), left: 0, top: 0 },
      { input: await eye(306), ...second },
    ])
    .jpeg()
    .toBuffer();
}

describe.each(oneDatabase)('what is no 360° photo on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const upload = (bytes: Buffer, name = 'p.jpg') =>
    client.media.upload({ body: {}, files: { file: new File([new Uint8Array(bytes)], name) } });
  const asPanorama = async (bytes: Buffer) => {
    const { id } = await upload(bytes);
    return client.templates.create({ body: { name: 'P', model_type: 'pano', file_id: id } });
  };
  const sentence = async (bytes: Buffer) => {
    const { status, msg } = await refused(asPanorama(bytes));
    expect(status).toBe(422);
    return (msg as { file_id: string[] }).file_id[0];
  };

  test.each(panoramas)('%s is one, and nothing is said against it', async (path) => {
    const bytes = await readFile(path);
    expect((await upload(bytes)).details).toEqual({});
    expect(await asPanorama(bytes)).toMatchObject({ model_type: 'pano' });
  });

  test.each(Object.entries({ attributes: xmpOf, elements: xmpElements }))(
    'a part of a sphere, by what its camera noted as %s, is refused with both sizes where it is not said which part',
    async (_, write) => {
      const bytes = await small().withXmp(write(part)).jpeg().toBuffer();
      expect(await sentence(bytes)).toBe(
        'This 360° photo is cropped: 400 × 200 of 800 × 400. Export the whole sphere.',
      );
      const whole = { ...part, FullPanoWidthPixels: 400, FullPanoHeightPixels: 200 };
      expect(await asPanorama(await small().withXmp(write(whole)).jpeg().toBuffer())).toMatchObject({
        model_type: 'pano',
      });
    },
  );

  test('a part of a sphere is one where its camera noted which part: of whatever shape, it is told with the file', async () => {
    const place = { CroppedAreaLeftPixels: 200, CroppedAreaTopPixels: 100 };
    const noted = async (fields: object, height = 200) =>
      sharp(LAKE)
        .resize(400, height, { fit: 'fill' })
        .withXmp(xmpOf({ ...part, CroppedAreaImageHeightPixels: height, ...place, ...fields }))
        .jpeg()
        .toBuffer();
    const { file } = await asPanorama(await noted({}));
    expect(file).toMatchObject({ part: { left: 0.25, top: 0.25, width: 0.5, height: 0.5 } });
    const low = await asPanorama(await noted({}, 100));
    expect(low.file).toMatchObject({ part: { left: 0.25, top: 0.25, width: 0.5, height: 0.25 } });
    // Beyond the sphere, of a sphere of another shape, or of another projection, it is none.
    for (const wrong of [{ CroppedAreaLeftPixels: 500 }, { CroppedAreaTopPixels: -1 }, { FullPanoHeightPixels: 500 }])
      expect(await sentence(await noted(wrong))).toMatch(/^This 360° photo is cropped/);
    expect(await sentence(await noted({ ProjectionType: 'cylindrical' }))).toMatch(/uses cylindrical projection/);
    const [listed] = (await client.media.list({ query: { ids: String(file!.id) } })).data;
    expect(listed!.part).toEqual(file!.part);
  });

  test('another projection, and a pair for two eyes, are refused with what their cameras noted', async () => {
    const cylinder = await small()
      .withXmp(xmpOf({ ProjectionType: 'cylindrical' }))
      .jpeg()
      .toBuffer();
    expect(await sentence(cylinder)).toBe('This 360° photo uses cylindrical projection. Export it as equirectangular.');
    const stereo = await small()
      .withXmp(xmpOf({ StereoMode: 'top-bottom' }))
      .jpeg()
      .toBuffer();
    expect(await sentence(stereo)).toBe('This 360° photo is a stereo pair (top-bottom). Use the image of one eye.');
    const mono = await small()
      .withXmp(xmpOf({ StereoMode: 'none' }))
      .jpeg()
      .toBuffer();
    expect(await asPanorama(mono)).toMatchObject({ model_type: 'pano' });
  });

  test('the shape of two panoramas is refused as that of a pair, and a photo as it is', async () => {
    const of = (width: number, height: number) => sharp(LAKE).resize(width, height, { fit: 'fill' }).jpeg().toBuffer();
    expect(await sentence(await of(800, 200))).toContain('(2:1); this image is 800 × 200. If it is a stereo photo');
    expect(await sentence(await of(800, 200))).toContain('a stereo photo (side by side), use the image of one eye.');
    expect(await sentence(await of(300, 300))).toContain('a stereo photo (top and bottom), use the image of one eye.');
    expect(await sentence(await of(200, 300))).toBe(
      'Not a 360° photo: the width must be twice the height (2:1); this image is 200 × 300.',
    );
  });

  test.each(['beside', 'above'] as const)('two views, one %s the other, are taken with a warning', async (how) => {
    const { details, id } = await upload(await pair(how));
    expect(details).toEqual({
      warnings: [
        `Both halves look alike, as in a stereo photo with one eye ${how} the other. For a 360° photo, use the image of one eye.`,
      ],
    });
    const body = { name: 'P', model_type: 'pano', file_id: id } as const;
    expect(await client.templates.create({ body })).toMatchObject({ file_id: id });
  });

  test('notes of a megabyte that hold no field take no longer than others', async () => {
    const bytes = await small()
      .withXmp(xmpOf({ Software: 'GPano:'.repeat(150_000) }))
      .png()
      .toBuffer();
    expect((await upload(bytes, 'p.png')).details).toEqual({});
  });
});
