import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { timestampOf } from '../../../../src/server/core/clock.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('templates and files on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  const files: Record<string, number> = {};
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    for (const type of ['image', 'object', 'hdr', 'font', 'audio', 'site']) files[type] = await addFile(type);
  });
  afterAll(() => api.close());

  async function addFile(type: string): Promise<number> {
    const at = timestampOf(api.clock.now());
    const { id } = await api.services.db
      .insertInto('media')
      .values({
        organization_id: api.one.id,
        user_id: null,
        name: `A ${type}`,
        type,
        mime: 'application/octet-stream',
        bytes: 1,
        hash: type.padEnd(64, '0'),
        entry: `a ${type}.bin`,
        width: 12,
        height: null,
        duration: null,
        details: '{}',
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  it('comes back as it was made, with its files', async () => {
    const made = await client.templates.create({
      body: {
        name: 'Hall',
        model_type: 'model',
        file_id: files.object!,
        hdr_file_id: files.hdr!,
        font_file_id: files.font!,
        logo_file_id: files.image!,
        background_file_id: files.image!,
        config: { camera: { fov: 70 } },
      },
    });
    expect(made).toMatchObject({ name: 'Hall', width: 2000, policies: { update: true, delete: true } });
    expect(made.file).toEqual({
      id: files.object,
      name: 'A object',
      type: 'object',
      url: `/media/${'object'.padEnd(64, '0')}/a%20object.bin`,
      mime: 'application/octet-stream',
      width: 12,
      height: null,
      duration: null,
    });
    expect(made.config.camera.fov).toBe(70);
    expect(await client.templates.read({ params: { id: made.id } })).toEqual(made);
    expect((await client.templates.list({ query: { search: 'hall' } })).data).toEqual([made]);
  });

  it('changes only what an edit names, and refuses a stale one', async () => {
    const made = await client.templates.create({ body: { name: 'A', width: 5, config: { animate: true } } });
    const params = { id: made.id };
    const body = { depth: 6, config: { camera: { fov: 20 } }, updated_at: made.updated_at };
    const changed = await client.templates.update({ params, body });
    expect(changed).toMatchObject({ name: 'A', width: 5, depth: 6, config: { animate: true } });
    expect((await refused(client.templates.update({ params, body }))).code).toBe('stale');
    expect((await refused(client.templates.update({ params, body: { name: '' } }))).msg).toHaveProperty('name');
  });

  it('is copied with its files, under a name of its own', async () => {
    const body = { name: 'A', width: 5, logo_file_id: files.image!, config: { animate: true } };
    const made = await client.templates.create({ body });
    const params = { id: made.id };
    const { id, updated_at: _stamp, ...copied } = await client.templates.copy({ params, body: {} });
    expect(id).toBeGreaterThan(made.id);
    const { id: _id, updated_at: _before, ...original } = made;
    expect(copied).toEqual({ ...original, name: 'A (copy)' });
    expect((await client.templates.copy({ params, body: { name: 'B' } })).name).toBe('B');
    const long = await client.templates.create({ body: { name: 'x'.repeat(255) } });
    const longCopy = await client.templates.copy({ params: { id: long.id }, body: {} });
    expect(longCopy.name).toBe(`${'x'.repeat(248)} (copy)`);
    const refusal = await refused(client.templates.copy({ params, body: { name: ' ' } }));
    expect(Object.keys(refusal.msg)).toEqual(['name']);
  });

  it('takes files of the kind that fits only', async () => {
    const wrong: [string, object][] = [
      ['file_id', { model_type: 'model', file_id: files.image }],
      ['file_id', { model_type: 'pano', file_id: files.object }],
      ['hdr_file_id', { hdr_file_id: files.image }],
      ['font_file_id', { font_file_id: files.hdr }],
      ['logo_file_id', { logo_file_id: files.object }],
      ['background_file_id', { background_file_id: files.audio }],
      ['logo_file_id', { logo_file_id: 999_999 }],
    ];
    for (const [field, body] of wrong) {
      const error = await refused(client.templates.create({ body: { name: 'A', ...body } }));
      expect([error.status, Object.keys(error.msg)]).toEqual([422, [field]]);
    }
    const pano = await client.templates.create({ body: { name: 'P', model_type: 'pano', file_id: files.image! } });
    const error = await refused(client.templates.update({ params: { id: pano.id }, body: { model_type: 'model' } }));
    expect(Object.keys(error.msg)).toEqual(['file_id']);
  });

  it('stays while a space uses it, and says which', async () => {
    const { id } = await client.templates.create({ body: { name: 'A' } });
    const room = await client.rooms.create({ body: { title: 'Red hall', template_id: id } });
    const error = await refused(client.templates.remove({ params: { id } }));
    expect(error.code).toBe('in_use');
    expect(error.msg.error).toContain('Space Red hall');
    await client.rooms.update({ params: { id: room.id }, body: { template_id: null } });
    await client.templates.remove({ params: { id } });
    expect((await refused(client.templates.read({ params: { id } }))).status).toBe(404);
  });

  it('fills in the address of an element’s file, and takes files that its type can show', async () => {
    const room = await client.rooms.create({ body: { title: 'A' } });
    const params = { id: room.id };
    const image = await client.rooms.addElement({
      params,
      body: { element: 'image', file_id: files.image!, config: { file_url: 'https://old.example/a.png' } },
    });
    expect(image.file).toMatchObject({ id: files.image, type: 'image' });
    expect(image.config).toMatchObject({ file_url: image.file!.url });
    const [read] = (await client.rooms.read({ params })).elements;
    expect(read).toMatchObject({ file: image.file, config: { file_url: image.file!.url } });
    const without = await client.elements.update({ params: { id: image.id }, body: { file_id: null } });
    expect(without).toMatchObject({ file: null, config: { file_url: '' } });
    for (const [element, file] of [
      ['image', 'audio'],
      ['model', 'image'],
      ['group', 'image'],
      ['iframe', 'object'],
    ] as const) {
      const attempt = client.rooms.addElement({ params, body: { element, file_id: files[file]! } });
      expect(Object.keys((await refused(attempt)).msg)).toEqual(['file_id']);
    }
  });

  it('fills in the address of a room’s marker file', async () => {
    const room = await client.rooms.create({ body: { title: 'A', config: { realtime_file_id: files.object! } } });
    expect(room.config.realtime_file).toMatchObject({ id: files.object });
    expect(room.config.realtime_file_url).toBe(room.config.realtime_file!.url);
    const error = await refused(
      client.rooms.update({ params: { id: room.id }, body: { config: { realtime_file_id: files.audio! } } }),
    );
    expect(Object.keys(error.msg)).toEqual(['config.realtime_file_id']);
  });

  it('a file that is removed by force leaves rooms that can be read and changed', async () => {
    const object = await addFile('object');
    const room = await client.rooms.create({ body: { title: 'A', config: { realtime_file_id: object } } });
    const model = await client.rooms.addElement({
      params: { id: room.id },
      body: { element: 'model', file_id: object },
    });
    await client.media.remove({ params: { id: object }, query: { force: '1' } });
    expect(await client.elements.read({ params: { id: model.id } })).toMatchObject({ file: null, file_id: null });
    const changed = await client.rooms.update({ params: { id: room.id }, body: { title: 'B' } });
    expect(changed.config).toMatchObject({ realtime_file: null, realtime_file_url: '' });
  });
});
