import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp, formOf, oneDatabase } from '../../../harness/api-app.ts';

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#B7822F' } })
    .composite([
      { input: { create: { width: 100, height: 100, channels: 3, background: '#1F7A78' } }, left: width - 100, top: 0 },
    ])
    .jpeg()
    .toBuffer();

describe.each(oneDatabase)('tiles of panoramas on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const upload = async (width: number, height: number): Promise<string> => {
    const content = new Blob([await plain(width, height)]);
    const form = formOf({}, { field: 'file', name: 'p.jpg', content });
    const { body } = await api.send('POST', '/api/v1/backend/media', { token: api.one.admin.token, form });
    return api.origin + body.data.url;
  };
  const load = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
  };
  const sizeOf = async (content: Buffer) => {
    const { width, height, format } = await sharp(content).metadata();
    return { width, height, format };
  };

  test('the whole picture and every tile come as JPEG, kept for ever; many asked for at once are cut once', async () => {
    const url = await upload(5000, 2500);
    const names = ['whole', '0-0', '4-2', '4-0'];
    const [whole, first, last, corner] = await Promise.all(names.map((name) => load(`${url}?tile=${name}`)));
    expect(await sizeOf(whole!.content)).toEqual({ width: 4096, height: 2048, format: 'jpeg' });
    expect(await sizeOf(first!.content)).toEqual({ width: 1024, height: 1024, format: 'jpeg' });
    expect(await sizeOf(last!.content)).toEqual({ width: 904, height: 452, format: 'jpeg' });
    const at = { left: 860, top: 50, width: 1, height: 1 };
    const [red, green] = await sharp(corner!.content).extract(at).raw().toBuffer();
    expect(green).toBeGreaterThan(red!);
    for (const { headers } of [whole!, first!]) {
      expect(headers.get('content-type')).toBe('image/jpeg');
      expect(headers.get('cache-control')).toContain('immutable');
    }
  });

  test('what is no tile is refused: outside the picture, other names, pictures that need none', async () => {
    const url = await upload(4200, 2100);
    for (const name of ['5-0', '0-3', '99-99']) expect((await load(`${url}?tile=${name}`)).status, name).toBe(404);
    for (const name of ['', '1', '1-2-3', '../whole', '-1-0', '100-0', 'whole.jpeg'])
      expect((await load(`${url}?tile=${encodeURIComponent(name)}`)).status, name).toBe(400);
    const small = await upload(800, 400);
    expect((await load(`${small}?tile=whole`)).status).toBe(404);
  });

  test('a template with a wide panorama has them before the first visitor comes', async () => {
    const url = new URL(await upload(4800, 2400));
    const [, , hash] = url.pathname.split('/');
    const client = api.client();
    const { data } = await client.media.images({ query: {} });
    const picture = data.find((one) => one.url === url.pathname)!;
    await client.templates.create({ body: { name: 'Dunes', model_type: 'pano', file_id: picture.id } });
    const folder = join(api.services.media.folderOf(hash!), '.tiles');
    const tiles = () => readdir(folder, { recursive: true }).catch(() => []);
    await expect.poll(tiles).toContainEqual(expect.stringMatching(/^[0-9a-f]{32}\/whole\.jpeg$/));
  });
});
