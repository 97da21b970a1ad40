import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import {
  keepPosterImages,
  movePosterImages,
  type PosterImages,
  readPosterImage,
  sweepPosterFiles,
} from '../../../../src/server/features/posters/poster-files.ts';
import { ApiApp, databases, formOf, oneDatabase } from '../../../harness/api-app.ts';
import { S3StandIn } from '../../../harness/stand-ins/s3.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Neither the place nor the database knows of the other, so each stands in one row. */
const kinds = [
  { kind: databases[0]!, place: 'disk' },
  { kind: oneDatabase[0]!, place: 'bucket' },
];

describe.each(kinds)('images of posters on $kind, $place', ({ kind, place }) => {
  const storage = new S3StandIn();
  let api: ApiApp;
  let client: Client;
  let room: number;
  beforeAll(async () => {
    if (place === 'bucket') await storage.start();
    api = await ApiApp.start(kind, place === 'bucket' ? storage.settings : {});
    client = api.client();
  });
  beforeEach(async () => {
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  });
  afterAll(async () => {
    await api.close();
    if (place === 'bucket') await storage.stop();
  });

  const content = (color: string) =>
    sharp({ create: { width: 1200, height: 630, channels: 3, background: color } })
      .png()
      .toBuffer();
  const draw = async (color: string, id = room) => {
    const file = { field: 'file', name: 'poster', content: new Blob([new Uint8Array(await content(color))]) };
    const sent = { token: api.one.admin.token, form: formOf({}, file) };
    return (await api.call(calls.rooms.drawPoster, { id }, sent)).body.data.small_url as string;
  };
  const pass = async (milliseconds: number) => {
    api.clock.advance(milliseconds);
    api.one.admin.token = await api.signIn(api.one.admin);
    client = api.client();
  };
  const statusOf = async (url: string) => (await fetch(api.origin + url)).status;
  const folder = () => join(api.services.settings.DATA_DIR, 'media');
  /** Names of the images that are stored, wherever that is. */
  const stored = async () => {
    const paths: string[] = [];
    for await (const { path } of api.services.media.files()) paths.push(path);
    return paths.filter((path) => path.includes('/poster/'));
  };
  const rowOf = (id = room) =>
    api.services.db.selectFrom('posters').selectAll().where('room_id', '=', id).executeTakeFirstOrThrow();
  const filesNoted = async () => (await api.services.db.selectFrom('poster_files').select('id').execute()).length;
  /** Puts a poster where versions before 0.13.0 had it. */
  const asBefore = async ({ small, large }: PosterImages) => {
    const { db } = api.services;
    await db.updateTable('posters').set({ small, large, file_id: null }).where('room_id', '=', room).execute();
    await pass(2 * DAY);
    await sweepPosterFiles(api.services);
  };
  const imagesOf = async (url: string): Promise<PosterImages> => {
    const token = /([\w-]{32})-/.exec(url)![1]!;
    const read = async (size: 'small' | 'large') =>
      (await readPosterImage(api.services, token, size))!.toString('base64');
    return { small: await read('small'), large: await read('large') };
  };

  it('stand with the media, not in the database, and are served by a server that does not have them yet', async () => {
    const url = await draw('#ff0000');
    expect(await rowOf()).toMatchObject({ small: '', large: '' });
    expect((await stored()).map((path) => path.split('/').at(-1)).toSorted()).toEqual(['1200.jpg', '640.webp']);
    if (place === 'bucket') await rm(folder(), { recursive: true, force: true });
    expect([await statusOf(url), await statusOf(url.replace('640.webp', '1200.jpg'))]).toEqual([200, 200]);
    expect(await readdir(join(folder(), 'arriving'))).toEqual([]);
  });

  it('of an earlier version move there, also when two servers do it at once, and keep their address', async () => {
    const url = await draw('#00ff00');
    const images = await imagesOf(url);
    await asBefore(images);
    expect(await statusOf(url)).toBe(200);
    const before = (await stored()).length;
    await Promise.all([movePosterImages(api.services), movePosterImages(api.services)]);
    await movePosterImages(api.services);
    expect(await rowOf()).toMatchObject({ small: '', large: '' });
    expect((await stored()).length - before).toBe(2);
    expect(await imagesOf(url)).toEqual(images);
  });

  it('go a day after the last poster that used them, and not before', async () => {
    const old = await draw('#0000ff');
    const images = await imagesOf(old);
    const copy = await client.rooms.copy({ params: { id: room } });
    await draw('#ffff00');
    await pass(2 * DAY);
    await sweepPosterFiles(api.services);
    const { small_url } = (await client.rooms.readPoster({ params: { id: copy.id } }))!;
    expect(await imagesOf(small_url)).toEqual(images);
    const [paths, rows] = [(await stored()).length, await filesNoted()];
    await client.rooms.removePoster({ params: { id: copy.id } });
    await sweepPosterFiles(api.services);
    expect([(await stored()).length, await filesNoted()]).toEqual([paths - 2, rows - 1]);
    // What is kept this moment, but not used yet, stays.
    await keepPosterImages(api.services, api.one.id, images);
    await sweepPosterFiles(api.services);
    expect((await stored()).length).toBe(paths);
    // Another organization has its own.
    await keepPosterImages(api.services, api.two.id, images);
    await pass(2 * DAY);
    await sweepPosterFiles(api.services);
    expect((await stored()).length).toBe(paths - 2);
  });

  it('wait in the bin for as long as their space', async () => {
    const images = await imagesOf(await draw('#00ffff'));
    await client.rooms.remove({ params: { id: room } });
    await pass(28 * DAY);
    await sweepPosterFiles(api.services);
    // Drawn again meanwhile, they still wait for as long.
    await keepPosterImages(api.services, api.one.id, images);
    await pass(1.5 * DAY);
    const [removed] = (await client.bin.list({ query: { entity: 'room', entity_id: String(room) } })).data;
    await client.history.restore({ params: { id: removed!.id } });
    await sweepPosterFiles(api.services);
    expect(await imagesOf((await client.rooms.readPoster({ params: { id: room } }))!.small_url)).toEqual(images);
  });

  it('of an earlier version that wait in the bin come back, and move as well', async () => {
    const url = await draw('#ff00ff');
    const images = await imagesOf(url);
    await asBefore(images);
    await client.rooms.remove({ params: { id: room } });
    const [removed] = (await client.bin.list({ query: { entity: 'room', entity_id: String(room) } })).data;
    await client.history.restore({ params: { id: removed!.id } });
    await movePosterImages(api.services);
    expect(await rowOf()).toMatchObject({ small: '', large: '' });
    expect(await imagesOf((await client.rooms.readPoster({ params: { id: room } }))!.small_url)).toEqual(images);
  });

  it('that are gone answer that nothing is there', async () => {
    const url = await draw('#123456');
    await api.services.media.remove(
      (await api.services.db.selectFrom('poster_files').select('hash').orderBy('id', 'desc').executeTakeFirstOrThrow())
        .hash,
      async () => null,
    );
    expect(await statusOf(url)).toBe(404);
  });
});
