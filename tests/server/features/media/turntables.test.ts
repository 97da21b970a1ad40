import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, formOf } from '../../../harness/api-app.ts';

describe.each(databases)('what models look like on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let model: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const file = new File([new Uint8Array(await readFile('fixtures/media/orrery.glb'))], 'orrery.glb');
    model = (await client.media.upload({ body: {}, files: { file } })).id;
  });
  afterAll(() => api.close());

  const sheet = (background: string, width = 1200, height = 600) =>
    sharp({ create: { width, height, channels: 4, background } })
      .webp()
      .toBuffer();
  const draw = (content: Buffer, token = api.one.admin.token, id = model, sent = {}) => {
    const form = formOf(sent, { field: 'file', name: 'turntable', content: new Blob([new Uint8Array(content)]) });
    return api.call(calls.media.drawTurntable, { id }, { token, form });
  };

  it('is refused of what is no image, of others, without the right, and of what is too large', async () => {
    expect((await client.media.read({ params: { id: model } })).turntable_url).toBeNull();
    for (const content of [Buffer.from('no'), Buffer.alloc(0)])
      expect([415, 422]).toContain((await draw(content)).status);
    const large = Buffer.concat([await sheet('red'), Buffer.alloc(5 * 1024 * 1024)]);
    expect([413, 415, 422]).toContain((await draw(large)).status);
    expect((await draw(await sheet('red'), api.two.admin.token)).status).toBe(404);
    const reader = await api.addUser(api.one, { media: { view_any: true, create: false, update: true, delete: true } });
    expect((await draw(await sheet('red'), reader.token)).status).toBe(403);
    expect((await client.media.read({ params: { id: model } })).turntable_url).toBeNull();
  });

  it('is refused of a file that has been replaced since it was drawn', async () => {
    const params = { id: model };
    const { url } = await client.media.read({ params });
    const file = new File([new Uint8Array(await readFile('fixtures/media/terrace.glb'))], 'terrace.glb');
    const replaced = await client.media.replace({ params, body: {}, files: { file } });
    expect(replaced.url).not.toBe(url);
    const token = api.one.admin.token;
    expect((await draw(await sheet('red'), token, model, { url })).status).toBe(409);
    expect((await client.media.read({ params })).turntable_url).toBeNull();
    const drawn = await draw(await sheet('red'), token, model, { url: replaced.url });
    expect(drawn.body.data.turntable_url).toEqual(expect.any(String));
    const [version] = await client.media.versions({ params });
    const restored = await client.media.restore({ params, body: { version_id: version!.id } });
    expect(restored.turntable_url).toBeNull();
  });

  it('is kept with the file, the first one, and goes with it', async () => {
    const { turntable_url } = (await draw(await sheet('#ff000080'))).body.data;
    const { headers, rawPayload } = await api.app.inject({ url: turntable_url });
    expect(headers['content-type']).toBe('image/webp');
    expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 600, hasAlpha: true });
    expect((await draw(await sheet('#00ff00'))).body.data.turntable_url).toBe(turntable_url);
    const { data } = await client.media.objects();
    expect(data.find(({ id }) => id === model)!.turntable_url).toBe(turntable_url);
    await client.media.remove({ params: { id: model } });
    expect((await api.app.inject({ url: turntable_url })).statusCode).toBe(404);
  });
});
