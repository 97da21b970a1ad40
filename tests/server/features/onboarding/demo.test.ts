import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatten } from '../../../../engine/document/tree.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { createReadable } from '../../../../src/server/core/secrets/token.ts';
import { seedDemo } from '../../../../src/server/features/onboarding/demo.ts';
import { createFirstOrganization } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, oneDatabase } from '../../../harness/api-app.ts';

describe.each(oneDatabase)('the demo rooms on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let visitor: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    visitor = api.client({ token: null });
    await seedDemo(api.services, api.one.id);
  });
  afterAll(() => api.close());

  it('have an image each that stands for them', async () => {
    const { data } = await client.rooms.list({ query: {} });
    expect(data.filter(({ poster_url }) => poster_url === null)).toEqual([]);
  });

  it('are all found from the first one, the home page, by links that lead somewhere', async () => {
    const list = await visitor.visit.list();
    const paths = list.flatMap(({ path, children }) => [path, ...children.map((child) => child.path)]);
    expect(paths.length).toBeGreaterThanOrEqual(3);
    const seen = new Set<string>();
    const enter = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const [slugOne, slugTwo] = path.slice(1).split('/');
      const endpoint = slugTwo
        ? await visitor.visit.two({ params: { slugOne: slugOne!, slugTwo } })
        : await visitor.visit.one({ params: { slugOne: slugOne! } });
      for (const { config } of flatten(endpoint.room!.elements)) {
        const link = 'navigation' in config ? config.navigation : undefined;
        if (link?.type !== 'slug') continue;
        const { slug_one, slug_two } = link.type_config;
        await enter(`/${[slug_one, slug_two].filter(Boolean).join('/')}`);
      }
    };
    await enter(list[0]!.path);
    for (const path of seen) expect(paths).toContain(path);
    expect(seen.size).toBeGreaterThanOrEqual(3);
  });

  it('have every file in the library, once, and show it', async () => {
    const media = (await client.media.list()).data;
    expect(new Set(media.map(({ url }) => url)).size).toBe(media.length);
    const rooms = (await client.rooms.list()).data;
    for (const { id } of rooms) {
      const room = await client.rooms.read({ params: { id } });
      expect(JSON.stringify(room)).not.toContain('/fixtures/');
      const files = flatten(room.elements).flatMap(({ file }) => (file ? [file.url] : []));
      for (const url of [...files, room.template?.file?.url].filter((address) => address !== undefined))
        expect((await api.send('GET', url, { headers: { range: 'bytes=0-9' } })).status, url).toBe(206);
      for (const { file_id, file } of flatten(room.elements)) expect(file?.id ?? null).toBe(file_id);
    }
  });

  it('are made for an installation without any organization only', async () => {
    expect(await createFirstOrganization(api.services)).toBeNull();
    expect(createReadable()).toMatch(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){3}$/);
  });
});
