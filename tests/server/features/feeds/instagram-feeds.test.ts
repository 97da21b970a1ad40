import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { KEY_FILE, openToken, sealToken } from '../../../../src/server/core/secrets/seal-token.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { giveCredentials } from '../../../harness/give-credentials.ts';
import { INSTAGRAM, InstagramStandIn, LONG, REDIRECT_URI } from '../../../harness/stand-ins/instagram.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe.each(databases)('feeds of Instagram on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let instagram: InstagramStandIn;
  let room: number;
  beforeAll(async () => {
    instagram = await new InstagramStandIn().start();
    const addresses = { INSTAGRAM_URL: instagram.url, INSTAGRAM_GRAPH_URL: instagram.url };
    api = await ApiApp.start(kind, { ...INSTAGRAM, ...addresses });
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
  });
  afterEach(() => expect(instagram.wrong.splice(0)).toEqual([]));
  afterAll(async () => {
    await api.close();
    await instagram.stop();
  });

  const advance = async (milliseconds: number) => {
    api.clock.advance(milliseconds);
    client = api.client({ token: await api.signIn(api.one.admin) });
  };
  const show = (feed_id: number) =>
    client.rooms.addElement({
      params: { id: room },
      body: { element: 'group', config: { feed_enabled: true, feed_id } },
    });
  const items = (id: number) => api.client({ token: null }).visit.feedItems({ params: { id } });
  const read = (id: number) => client.feeds.read({ params: { id } });
  const stored = (id: number) =>
    api.services.db.selectFrom('feeds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('a sealed token opens with its key at its place only', async () => {
    const { settings } = api.services;
    const sealed = await sealToken(settings, 'feed:1', 'token');
    expect(await openToken(settings, 'feed:1', sealed)).toBe('token');
    expect(await sealToken(settings, 'feed:1', 'token')).not.toBe(sealed);
    expect(await openToken(settings, 'feed:2', sealed)).toBeNull();
    const other = { ...settings, SECRET_KEY: 'another key of at least 32 characters' };
    expect(await openToken(other, 'feed:1', sealed)).toBeNull();
    for (const changed of [`${sealed.slice(0, -2)}AA`, sealed.slice(0, 12), `v2${sealed.slice(2)}`, ''])
      expect(await openToken(settings, 'feed:1', changed)).toBeNull();
    const { mode } = await stat(join(settings.DATA_DIR, KEY_FILE));
    expect(mode & 0o777).toBe(0o600);
  });

  describe('of Instagram', () => {
    const post = (id: string, more: Record<string, string> = {}) => ({
      id,
      caption: `Caption ${id}`,
      media_type: 'IMAGE',
      media_url: `https://scontent.cdninstagram.com/${id}.jpg`,
      permalink: `https://www.instagram.com/p/${id}/`,
      timestamp: '2026-03-10T10:00:00+0000',
      username: 'museum',
      ...more,
    });
    const create = () => client.feeds.create({ body: { name: 'Instagram', type: 'instagram' } });
    const stateOf = (redirect: string | null) => new URL(redirect!).searchParams.get('state')!;
    const connect = async (state: string, code = 'code-7f') => {
      instagram.codes.add(code);
      return client.feeds.connect({ body: { code, state } });
    };

    it('are allowed by a redirect, sealed, and then read', async () => {
      instagram.posts = [
        post('1'),
        post('2', {
          media_type: 'VIDEO',
          thumbnail_url: 'https://scontent.cdninstagram.com/2-thumb.jpg',
          media_url: 'https://scontent.cdninstagram.com/2.mp4',
        }),
      ];
      const made = await create();
      expect(made).toMatchObject({ is_connected: false, items_count: 0 });
      const { origin, pathname, searchParams } = new URL(made.redirect_url!);
      expect([origin, pathname]).toEqual(['https://www.instagram.com', '/oauth/authorize']);
      expect(Object.fromEntries(searchParams)).toMatchObject({
        client_id: INSTAGRAM.INSTAGRAM_CLIENT_ID,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        scope: 'instagram_business_basic',
      });
      expect(await read(made.id)).toMatchObject({ redirect_url: null, is_connected: false });
      const state = stateOf(made.redirect_url);
      instagram.codes.add('code-7f');
      const connected = await client.feeds.connect({ body: { code: 'code-7f#_', state } });
      expect(connected).toMatchObject({
        id: made.id,
        is_connected: true,
        items_count: 2,
        redirect_url: null,
        problem: '',
      });
      await show(made.id);
      expect(await items(made.id)).toMatchObject([
        { name: 'museum', message: 'Caption 2', file_url: 'https://scontent.cdninstagram.com/2-thumb.jpg' },
        {
          message: 'Caption 1',
          link: 'https://www.instagram.com/p/1/',
          file_url: 'https://scontent.cdninstagram.com/1.jpg',
        },
      ]);
      const dump = await api.dump();
      for (const secret of [instagram.token, state, INSTAGRAM.INSTAGRAM_CLIENT_SECRET])
        expect(dump).not.toContain(secret);
    });

    it('security 9: a state is of use once, for ten minutes, to the organization that it was made for', async () => {
      const used = stateOf((await create()).redirect_url);
      await connect(used);
      expect((await refused(connect(used))).code).toBe('not_found');
      const made = await create();
      const state = stateOf(made.redirect_url);
      instagram.codes.add('code-8f');
      const { INSTAGRAM_CLIENT_ID: client_id, INSTAGRAM_CLIENT_SECRET: client_secret } = INSTAGRAM;
      await giveCredentials(api, api.two, { instagram: { client_id, client_secret } });
      const foreign = api.client(api.two.admin).feeds.connect({ body: { code: 'code-8f', state } });
      expect((await refused(foreign)).code).toBe('not_found');
      for (const wrong of ['x', `${state}x`, state.toUpperCase()])
        expect((await refused(connect(wrong))).code).toBe('not_found');
      instagram.takeSeen();
      await advance(10 * MINUTE);
      expect((await refused(connect(state))).code).toBe('not_found');
      expect(instagram.takeSeen()).toEqual([]);
      const again = await client.feeds.update({ params: { id: made.id }, body: { name: 'Again' } });
      expect(stateOf(again.redirect_url)).not.toBe(state);
      const outcomes = await Promise.allSettled([0, 1, 2].map(() => connect(stateOf(again.redirect_url))));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refusedCode = await create();
      instagram.codes.clear();
      const attempt = client.feeds.connect({ body: { code: 'unknown', state: stateOf(refusedCode.redirect_url) } });
      expect((await refused(attempt)).code).toBe('provider_failed');
      expect((await read(refusedCode.id)).is_connected).toBe(false);
    });

    it('the token is replaced in good time, and asked for again when it was taken back', async () => {
      instagram.posts = [post('1')];
      const made = await create();
      await connect(stateOf(made.redirect_url));
      await show(made.id);
      const first = instagram.token;
      await advance(10 * MINUTE);
      await items(made.id);
      expect(instagram.token).toBe(first);
      await advance(31 * DAY);
      instagram.takeSeen();
      await items(made.id);
      expect(instagram.takeSeen()).toEqual(['GET /refresh_access_token', 'GET /me/media']);
      expect(instagram.token).not.toBe(first);
      expect(Date.parse((await stored(made.id)).secret_expires_at!)).toBe(api.clock.now() + LONG * 1000);
      instagram.token = 'another';
      await advance(5 * MINUTE);
      expect(await items(made.id)).toMatchObject([{ message: 'Caption 1' }]);
      expect(await read(made.id)).toMatchObject({
        is_connected: false,
        problem: expect.stringMatching(/grant access again/),
      });
      expect((await stored(made.id)).secret).toBeNull();
      const saved = await client.feeds.update({ params: { id: made.id }, body: { name: 'Back' } });
      expect(await connect(stateOf(saved.redirect_url))).toMatchObject({ is_connected: true, problem: '' });
    });

    it('an error of Instagram leaves the items; one while connecting is told', async () => {
      instagram.posts = [post('1')];
      const made = await create();
      const state = stateOf(made.redirect_url);
      instagram.failNext('busy');
      expect((await refused(connect(state))).code).toBe('provider_busy');
      const again = await client.feeds.update({ params: { id: made.id }, body: { name: 'Again' } });
      await connect(stateOf(again.redirect_url));
      await show(made.id);
      for (const failure of ['broken', 'cut', 'busy', 'nonsense'] as const) {
        await advance(5 * MINUTE);
        instagram.failNext(failure);
        expect(await items(made.id)).toMatchObject([{ message: 'Caption 1' }]);
        expect(await read(made.id)).toMatchObject({ is_connected: true, problem: expect.stringMatching(/Instagram/) });
      }
    });

    it('needs the app, its secret and the public address', async () => {
      for (const missing of Object.keys(INSTAGRAM) as (keyof typeof INSTAGRAM)[]) {
        const { [missing]: _, ...rest } = INSTAGRAM;
        const bare = await ApiApp.start('sqlite', rest);
        const { feeds } = bare.client();
        const attempts = [
          () => feeds.create({ body: { name: 'A', type: 'instagram' } }),
          () => feeds.connect({ body: { code: 'a', state: 'b' } }),
        ];
        for (const attempt of attempts) expect((await refused(attempt())).code).toBe('not_set_up');
        await bare.close();
      }
    });
  });
});
