import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { makeFilm } from '../../../harness/film.ts';

describe.each(databases)('360° videos of templates on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let photo: number;
  let film: number;
  const upload = async (name: string, content: Buffer) =>
    (await client.media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], name) } })).id;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    photo = await upload('panorama.jpg', await readFile('fixtures/media/panorama.jpg'));
    film = await upload('film.mp4', makeFilm());
  });
  afterAll(() => api.close());

  const shell = (name: string) => ({ name, model_type: 'pano' as const, file_id: photo });

  test('a template without one has no field of it, nor have its spaces', async () => {
    const made = await client.templates.create({ body: shell('Plain') });
    expect(made).not.toHaveProperty('video_file_id');
    const { id } = await client.rooms.create({ body: { title: 'Plain', template_id: made.id } });
    expect(JSON.stringify(await client.rooms.read({ params: { id } }))).not.toContain('video');
  });

  test('it comes with the space and its copy, counts as a use, and can be removed', async () => {
    const config = { video_stereo: 'top_bottom' as const };
    const made = await client.templates.create({ body: { ...shell('Lake'), video_file_id: film, config } });
    expect(made).toMatchObject({ video_file: { id: film, type: 'video' }, config });
    const room = await client.rooms.create({ body: { title: 'Lake', template_id: made.id } });
    expect(room.template).toMatchObject({ video_file: { id: film }, config });
    const copy = await client.templates.copy({ params: { id: made.id }, body: {} });
    expect(copy.video_file_id).toBe(film);
    const { uses } = await client.media.uses({ params: { id: film } });
    expect(uses.map(({ kind: of, name }) => `${of} ${name}`)).toEqual(['template Lake', `template ${copy.name}`]);
    await expect(client.media.remove({ params: { id: film } })).rejects.toMatchObject({ code: 'in_use' });
    const { id } = copy;
    const plain = await client.templates.update({ params: { id }, body: { video_file_id: null } });
    expect(plain).not.toHaveProperty('video_file_id');
    // Other changes keep it.
    const renamed = await client.templates.update({ params: { id: made.id }, body: { name: 'Shore' } });
    expect(renamed).toMatchObject({ name: 'Shore', video_file_id: film, config });
  });

  test('it is a video or a URL', async () => {
    const create = (more: object) => client.templates.create({ body: { ...shell('Wrong'), ...more } });
    await expect(create({ video_file_id: photo })).rejects.toMatchObject({
      msg: { video_file_id: ['Choose a file of type video.'] },
    });
    await expect(create({ config: { video_url: 'http://example.com/a.m3u8' } })).rejects.toMatchObject({
      msg: { 'config.video_url': expect.anything() },
    });
    const url = 'https://example.com/a.m3u8';
    expect(await create({ config: { video_url: url } })).toMatchObject({ config: { video_url: url } });
  });
});
