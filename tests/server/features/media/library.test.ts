import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { MediaType } from '../../../../src/contract/entities.ts';
import { timestampOf } from '../../../../src/server/core/clock.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';
import { zipOf } from '../../../harness/zip.ts';

const filters = (...types: string[]) => Buffer.from(JSON.stringify(types.map((type) => ({ type })))).toString('base64');

describe.each(databases)('the media library on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  const ids = new Map<string, number>();
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    organization = await api.addOrganization('media.example');
    client = api.client(organization.admin);
    const other = await api.addUser(organization, {});
    const add = async (type: MediaType, name: string, userId: number) => {
      const at = timestampOf(api.clock.now());
      const fixed = { mime: 'x/x', bytes: 1, entry: 'x', details: '{}', width: null, height: null, duration: null };
      const { id } = await api.services.db
        .insertInto('media')
        .values({
          ...fixed,
          organization_id: organization.id,
          user_id: userId,
          type,
          name,
          hash: `${ids.size}`.padStart(64, '0'),
          created_at: at,
          updated_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      ids.set(name, id);
    };
    await add('image', 'picture', organization.admin.id);
    await add('object', 'chair', organization.admin.id);
    await add('audio', 'song', organization.admin.id);
    await add('font', 'letters', organization.admin.id);
    await add('image', 'other picture', other.id);
    await add('object', 'other chair', other.id);
  });
  afterAll(() => api.close());

  const names = async (list: 'list' | 'images' | 'files' | 'objects', query: object = {}) =>
    (await client.media[list]({ query })).data.map(({ name }) => name);

  it('gives the files that are named by their ids, all on one page, and none of another organization', async () => {
    const wanted = [ids.get('song')!, ids.get('picture')!, 999_999];
    expect((await names('list', { ids: wanted.join(',') })).sort()).toEqual(['picture', 'song']);
    expect((await api.client().media.list({ query: { ids: wanted.join(',') } })).data).toEqual([]);
    for (const wrong of ['', 'x', '1,', '0', Array.from({ length: 101 }, () => '1').join(',')])
      expect((await refused(client.media.list({ query: { ids: wrong } }))).status).toBe(400);
  });

  it('has a list of its own for pictures, for models and for the other files, newest first', async () => {
    expect(await names('list')).toHaveLength(6);
    expect(await names('images')).toEqual(['other picture', 'picture']);
    expect(await names('objects')).toEqual(['other chair', 'chair']);
    expect(await names('files')).toEqual(['letters', 'song']);
  });

  it('takes iframe as another name of a page of several files', async () => {
    expect(await names('list', { filters: filters('iframe') })).toEqual([]);
    const zip = zipOf([{ name: 'index.html', content: '<p>Hello</p>' }]);
    const file = new File([new Uint8Array(zip)], 'page.zip');
    const made = await client.media.upload({ body: { accept: 'iframe' }, files: { file } });
    expect(made.type).toBe('site');
    expect(await names('list', { filters: filters('iframe') })).toEqual(['page.zip']);
    const wrong = new File(['x'], 'x.txt');
    expect((await refused(client.media.upload({ body: { accept: 'iframe' }, files: { file: wrong } }))).status).toBe(
      415,
    );
    await client.media.remove({ params: { id: made.id } });
  });

  it('the other filters apply in each; kinds that are not of a list are nothing to it', async () => {
    expect(await names('images', { filters: filters('current_user') })).toEqual(['picture']);
    expect(await names('objects', { filters: filters('image', 'current_user') })).toEqual(['chair']);
    expect(await names('files', { filters: filters('audio', 'image') })).toEqual(['song']);
    expect(await names('images', { search: 'OTHER' })).toEqual(['other picture']);
    expect(await names('list', { filters: filters('audio', 'font') })).toEqual(['letters', 'song']);
    expect((await refused(client.media.images({ query: { filters: 'x' } }))).status).toBe(400);
  });

  it('knows the rooms whose visitors are marked with a file, and takes it out of them by force', async () => {
    const chair = ids.get('chair')!;
    const { id } = await client.rooms.create({ body: { title: 'Marked', config: { realtime_file_id: chair } } });
    const read = () => client.rooms.read({ params: { id } });
    expect((await read()).config.realtime_file?.name).toBe('chair');
    const inUse = await refused(client.media.remove({ params: { id: chair } }));
    expect([inUse.status, inUse.msg.error]).toEqual([409, ['This file is still in use.', 'Space Marked']]);
    await client.media.remove({ params: { id: chair }, query: { force: '1' } });
    expect((await read()).config).toMatchObject({ realtime_file_id: null, realtime_file: null });
    const [entry] = (await client.history.list()).data;
    expect(entry).toMatchObject({
      entity: 'room',
      entity_id: id,
      before: { config: { realtime_file_id: chair } },
      after: { config: { realtime_file_id: null } },
    });
  });

  it('a new space begins with the template of the organization, unless it names one or none', async () => {
    const { templates, rooms, organizations } = client;
    const usual = await templates.create({ body: { name: 'Usual', width: 123 } });
    const special = await templates.create({ body: { name: 'Special', width: 456 } });
    const made = async (body: object = {}) => {
      const { template_id, width } = await rooms.create({ body: { title: 'New', ...body } });
      return [template_id, width];
    };
    expect(await made()).toEqual([null, 2000]);
    await organizations.update({ body: { template_id: usual.id } });
    expect(await made()).toEqual([usual.id, 123]);
    expect(await made({ width: 7 })).toEqual([usual.id, 7]);
    expect(await made({ template_id: special.id })).toEqual([special.id, 456]);
    expect(await made({ template_id: null })).toEqual([null, 2000]);
    const inUse = await refused(templates.remove({ params: { id: usual.id } }));
    expect(inUse.status).toBe(409);
    expect((await organizations.read()).template_id).toBe(usual.id);
  });
});
