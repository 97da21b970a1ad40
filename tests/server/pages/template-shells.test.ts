import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/client.ts';
import { ApiApp, oneDatabase, refused } from '../../harness/api-app.ts';

/** Sides of pictures that look like panoramas and surround nobody: stereo pairs, photos, strips. */
const NO_PANORAMAS = [
  [400, 100],
  [200, 200],
  [120, 180],
  [180, 120],
  [300, 100],
  [200, 97],
] as const;

/** Sides of panoramas, some with a line of pixels more or less than they should have. */
const PANORAMAS = [
  [200, 100],
  [201, 100],
  [400, 201],
  [2, 1],
] as const;

describe.each(oneDatabase)('the shell of a template on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  async function picture(width: number, height: number): Promise<number> {
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#B7822F' } })
      .png()
      .toBuffer();
    const file = new File([new Uint8Array(bytes)], `${width}-${height}.png`);
    return (await client.media.upload({ body: {}, files: { file } })).id;
  }
  const pano = async (width = 200, height = 100) =>
    ({ name: 'P', model_type: 'pano', file_id: await picture(width, height) }) as const;

  it.each(NO_PANORAMAS)('a picture of %d × %d is refused as a 360° photo, with its size', async (width, height) => {
    const problem = `Not a 360° photo: the width must be twice the height (2:1); this image is ${width} × ${height}.`;
    const body = await pano(width, height);
    const refusal = await refused(client.templates.create({ body }));
    const says = { file_id: [expect.stringContaining(problem)] };
    expect([refusal.status, refusal.msg]).toEqual([422, says]);
    const grid = await client.templates.create({ body: { name: 'G', file_id: body.file_id } });
    const params = { id: grid.id };
    const turned = await refused(client.templates.update({ params, body: { model_type: 'pano' } }));
    expect([turned.status, turned.msg]).toEqual([422, says]);
    expect((await client.templates.read({ params })).model_type).toBe('grid');
  });

  it.each(PANORAMAS)('a picture of %d × %d is taken', async (width, height) => {
    const body = await pano(width, height);
    expect(await client.templates.create({ body })).toMatchObject({ model_type: 'pano', file_id: body.file_id });
  });

  it('a model and a 360° photo need a file, when they are added and when they become one', async () => {
    const cases = [
      ['pano', 'Choose a 360° photo.'],
      ['model', 'Choose a model.'],
    ] as const;
    for (const [model_type, sentence] of cases) {
      const refusal = await refused(client.templates.create({ body: { name: 'A', model_type } }));
      expect([refusal.status, refusal.msg]).toEqual([422, { file_id: [sentence] }]);
      const { id } = await client.templates.create({ body: { name: 'G' } });
      const turned = await refused(client.templates.update({ params: { id }, body: { model_type } }));
      expect(turned.msg).toEqual({ file_id: [sentence] });
    }
    const { id } = await client.templates.create({ body: await pano() });
    const emptied = await refused(client.templates.update({ params: { id }, body: { file_id: null } }));
    expect(emptied.msg).toEqual({ file_id: ['Choose a 360° photo.'] });
  });

  it('one that is stored with a wrong file, or none, can still be renamed and put right', async () => {
    const body = await pano();
    const { id } = await client.templates.create({ body });
    const params = { id };
    const { db } = api.services;
    await db.updateTable('media').set({ height: 300 }).where('id', '=', body.file_id).execute();
    const again = { name: 'Renamed', model_type: 'pano', file_id: body.file_id } as const;
    expect(await client.templates.update({ params, body: again })).toMatchObject({ name: 'Renamed' });
    await client.media.remove({ params: { id: body.file_id }, query: { force: '1' } });
    expect(await client.templates.update({ params, body: { name: 'Empty' } })).toMatchObject({ file_id: null });
    const file_id = await picture(400, 200);
    expect(await client.templates.update({ params, body: { file_id } })).toMatchObject({ file_id });
  });

  it('a 360° photo that is added without a camera can be looked around, and so can its spaces', async () => {
    const on = { rotate: true, rotate_left_button: true };
    const made = await client.templates.create({ body: await pano() });
    expect(made.config.camera).toMatchObject(on);
    const room = await client.rooms.create({ body: { title: 'Lake', template_id: made.id } });
    expect(room.config.camera).toMatchObject(on);
    const grid = await client.templates.create({ body: { name: 'G' } });
    expect(grid.config.camera).toMatchObject({ rotate: false, rotate_left_button: false });
  });

  it('a camera that does not turn is kept as it was chosen', async () => {
    const off = { rotate: false, rotate_left_button: false };
    const made = await client.templates.create({ body: { ...(await pano()), config: { camera: off } } });
    expect(made.config.camera).toMatchObject(off);
    const renamed = await client.templates.update({ params: { id: made.id }, body: { name: 'Still' } });
    expect(renamed.config.camera).toMatchObject(off);
    const room = await client.rooms.create({
      body: { title: 'Lake', template_id: made.id, config: { camera: { rotate: true } } },
    });
    expect(room.config.camera).toMatchObject({ rotate: true, rotate_left_button: false });
  });

  it('a 360° photo that is imported can be looked around unless its document says otherwise', async () => {
    const items = [
      { name: 'From a table', model_type: 'pano' },
      { name: 'Unmoved', model_type: 'pano', config: { camera: { rotate: false, rotate_left_button: false } } },
      { name: 'Nonsense', model_type: 'pano', config: 'camera' },
    ];
    const report = await client.imports.templates({ body: { items: items.slice(0, 2) } });
    expect(report.counts.create).toBe(2);
    const found = async (search: string) => (await client.templates.list({ query: { search } })).data[0]!;
    expect((await found('From a table')).config.camera).toMatchObject({ rotate: true, rotate_left_button: true });
    expect((await found('Unmoved')).config.camera).toMatchObject({ rotate: false, rotate_left_button: false });
    expect((await client.imports.templates({ body: { items: items.slice(2) } })).applied).toBe(false);
  });
});
