import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Platform, PlatformName } from '../../../../src/contract/entities.ts';
import { openDatabase } from '../../../../src/server/core/db/database.ts';
import { Outgoing } from '../../../../src/server/features/platforms/outgoing.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { giveCredentials } from '../../../harness/give-credentials.ts';
import { INSTAGRAM, InstagramStandIn } from '../../../harness/stand-ins/instagram.ts';
import { VIMEO, VimeoStandIn } from '../../../harness/stand-ins/vimeo.ts';
import { WOWZA, WowzaStandIn } from '../../../harness/stand-ins/wowza.ts';
import { YOUTUBE, YoutubeStandIn } from '../../../harness/stand-ins/youtube.ts';

/** Accounts of the second organization. */
const THEIRS = { wowza: 'wowza-token-of-two-2222', vimeo: 'vimeo-token-of-two-3333' };

describe.each(databases)('accounts on platforms on %s', (kind) => {
  let api: ApiApp;
  let youtube: YoutubeStandIn;
  let vimeo: VimeoStandIn;
  let wowza: WowzaStandIn;
  let instagram: InstagramStandIn;
  beforeAll(async () => {
    youtube = await new YoutubeStandIn().start();
    vimeo = await new VimeoStandIn().start();
    wowza = await new WowzaStandIn().start();
    instagram = await new InstagramStandIn().start();
    instagram.redirectUri = 'https://two.example/admin/settings/feed';
    wowza.tokens.add(THEIRS.wowza);
    vimeo.accounts.set(THEIRS.vimeo, 'Two on Vimeo');
    api = await ApiApp.start(kind, {
      ...VIMEO,
      ...WOWZA,
      PUBLIC_URL: INSTAGRAM.PUBLIC_URL,
      YOUTUBE_URL: youtube.url,
      GOOGLE_OAUTH_URL: youtube.url,
      VIMEO_URL: vimeo.url,
      WOWZA_URL: wowza.url,
      INSTAGRAM_URL: instagram.url,
      INSTAGRAM_GRAPH_URL: instagram.url,
    });
  });
  beforeEach(async () => {
    await api.services.db.deleteFrom('platform_credentials').execute();
    wowza.streams = [];
    vimeo.videos = [];
  });
  afterEach(() => expect([youtube, vimeo, wowza, instagram].flatMap(({ wrong }) => wrong.splice(0))).toEqual([]));
  afterAll(async () => {
    await api.close();
    await Promise.all([youtube, vimeo, wowza, instagram].map((platform) => platform.stop()));
  });

  const one = () => api.client(api.one.admin);
  const two = () => api.client(api.two.admin);
  const wowzaList = (who = two()) => who.liveStreams.moduleList({ params: { module: 'wowza_live' } });
  const update = (platform: PlatformName, body: Parameters<ReturnType<typeof two>['platforms']['update']>[0]['body']) =>
    two().platforms.update({ params: { platform }, body });
  const check = (platform: PlatformName, who = two()) => who.platforms.check({ params: { platform } });
  const byName = async (who = two()): Promise<Record<PlatformName, Platform>> => {
    const list = await who.platforms.list();
    return Object.fromEntries(list.map((entry) => [entry.platform, entry])) as Record<PlatformName, Platform>;
  };

  it('an organization without credentials has none of another one’s broadcasts, keys and films', async () => {
    const made = await one().liveStreams.create({
      body: { name: 'Ours', type: 'wowza_live', new_stream: { name: 'Ours on air', encoder: 'other_rtmp' } },
    });
    vimeo.videos = [{ uri: '/videos/7', name: 'Unlisted', status: 'complete', tracks: [] }];
    const params = { module: 'wowza_live', id: made.reference } as const;
    const { liveStreams, videos, modules } = two();
    const attempts = [
      () => wowzaList(),
      () => liveStreams.moduleRead({ params }),
      () => liveStreams.moduleState({ params }),
      () => liveStreams.create({ body: { name: 'Taken', type: 'wowza_live', reference: made.reference } }),
      () => videos.search({ params: { provider: 'vimeo' }, body: {} }),
      () => videos.read({ params: { provider: 'vimeo', id: '7' } }),
    ];
    for (const attempt of attempts) expect((await refused(attempt())).code).toBe('not_set_up');
    expect((await modules.list()).map(({ module }) => module)).toEqual(['local', 'picdrop', 'local']);
    expect((await one().modules.list()).map(({ module }) => module)).toContain('wowza_live');
  });

  it('with accounts of their own, each organization has only what is in its own', async () => {
    const made = await one().liveStreams.create({
      body: { name: 'Ours', type: 'wowza_live', new_stream: { name: 'Ours on air', encoder: 'other_rtmp' } },
    });
    vimeo.videos = [
      { uri: '/videos/7', name: 'Unlisted', status: 'complete', tracks: [] },
      { uri: '/videos/8', name: 'Of two', status: 'complete', tracks: [], owner: THEIRS.vimeo },
    ];
    await giveCredentials(api, api.two, {
      wowza: { api_token: THEIRS.wowza },
      vimeo: { access_token: THEIRS.vimeo },
    });
    const theirs = await two().liveStreams.create({
      body: { name: 'Theirs', type: 'wowza_live', new_stream: { name: 'Theirs on air', encoder: 'other_rtmp' } },
    });
    expect((await wowzaList()).map(({ id }) => id)).toEqual([theirs.reference]);
    expect((await wowzaList(one())).map(({ id }) => id)).toEqual([made.reference]);
    const { liveStreams, videos } = two();
    const adopt = { body: { name: 'Taken', type: 'wowza_live', reference: made.reference } } as const;
    expect((await refused(liveStreams.create(adopt))).msg).toHaveProperty('reference');
    const found = await videos.search({ params: { provider: 'vimeo' }, body: {} });
    expect(found.data.map(({ name }) => name)).toEqual(['Of two']);
    expect((await refused(videos.read({ params: { provider: 'vimeo', id: '7' } }))).code).toBe('not_found');
    await liveStreams.start({ params: { id: theirs.id } });
    expect(wowza.streams.map(({ owner, state }) => [owner, state])).toEqual([
      [THEIRS.wowza, 'starting'],
      [WOWZA.WOWZA_API_TOKEN, 'stopped'],
    ]);
  });

  it('pages and sign-ins of YouTube are remembered for each organization by itself', async () => {
    const { YOUTUBE_API_KEY: api_key, ...account } = YOUTUBE;
    await giveCredentials(api, api.one, { youtube: { api_key } });
    await giveCredentials(api, api.two, {
      youtube: {
        client_id: account.YOUTUBE_CLIENT_ID,
        client_secret: account.YOUTUBE_CLIENT_SECRET,
        refresh_token: account.YOUTUBE_REFRESH_TOKEN,
      },
    });
    youtube.videos = Array.from({ length: 30 }, (_, index) => ({
      id: `yt-${index}`,
      title: 'Film',
      uploadStatus: 'processed' as const,
      captions: [],
    }));
    const page = (who: ReturnType<typeof two>, number: number) =>
      who.videos.search({ params: { provider: 'youtube' }, body: { query: 'Film', page: number } });
    await page(one(), 1);
    youtube.takeSeen();
    await page(two(), 2);
    // What the other organization walked through is not known here, so the first page is asked for again.
    expect(youtube.seen.filter(({ path }) => path.endsWith('/search'))).toHaveLength(2);
    expect(youtube.seen.every(({ headers, path }) => path === '/token' || headers.authorization)).toBe(true);
    expect((await one().modules.list()).map(({ module }) => module)).not.toContain('youtube_live');
  });

  it('those of the server’s settings serve the first organization only, and are not shown', async () => {
    const { vimeo: ours, youtube: none } = await byName(one());
    expect(ours).toMatchObject({ source: 'server', updated_at: null });
    expect(ours.fields).toEqual([{ name: 'access_token', is_set: true, hint: '' }]);
    expect(none).toMatchObject({ source: null });
    for (const entry of Object.values(await byName()))
      expect(entry).toMatchObject({ source: null, fields: entry.fields.map(() => ({ is_set: false, hint: '' })) });
    // Its own take their place, whole, until they are removed.
    await giveCredentials(api, api.one, { vimeo: { access_token: THEIRS.vimeo } });
    expect((await byName(one())).vimeo).toMatchObject({ source: 'organization' });
    expect(await check('vimeo', one())).toEqual({ works: true, text: 'Signed in to Vimeo as “Two on Vimeo”.' });
    await one().platforms.update({ params: { platform: 'vimeo' }, body: { access_token: null } });
    expect(await check('vimeo', one())).toEqual({ works: true, text: 'Signed in to Vimeo as “Museum on Vimeo”.' });
  });

  it('credentials are sealed for their organization and never given back', async () => {
    await giveCredentials(api, api.two, { wowza: { api_token: THEIRS.wowza, location: 'eu_belgium' } });
    const { wowza: shown } = await byName();
    expect(shown.fields).toEqual([
      { name: 'api_token', is_set: true, hint: '2222' },
      { name: 'location', is_set: true, hint: 'eu_belgium' },
    ]);
    const answers = await api.send('GET', '/api/v1/backend/platforms', { token: api.two.admin.token });
    expect(answers.text).not.toContain(THEIRS.wowza);
    expect(await api.dump()).not.toContain(THEIRS.wowza);
    const history = await two().history.list();
    expect(history.data[0]).toMatchObject({
      entity: 'organization',
      after: { platform: 'Wowza', credentials_set: ['api_token', 'location'], removed: [] },
    });
    // A row that somebody copied to another organization opens nothing there.
    await api.services.db
      .updateTable('platform_credentials')
      .set({ organization_id: api.one.id } as never)
      .execute();
    expect((await byName(one())).wowza.problem).toMatch(/Enter them again/);
    expect((await refused(wowzaList(one()))).code).toBe('not_set_up');
    expect((await check('wowza', one())).works).toBe(false);
  });

  it('a change holds at once, also one of another server on the same database', async () => {
    await giveCredentials(api, api.two, { wowza: { api_token: THEIRS.wowza } });
    expect(await wowzaList()).toEqual([]);
    const { settings, clock } = api.services;
    const db = openDatabase({ url: settings.DATABASE_URL, folder: settings.DATA_DIR });
    try {
      const other = new Outgoing({ db, settings, clock });
      const before = await other.of(api.two.id);
      expect(before.wowza).not.toBeNull();
      expect(await other.of(api.two.id)).toBe(before);
      await update('wowza', { api_token: 'not-the-token-of-anybody' });
      expect(await other.of(api.two.id)).not.toBe(before);
      expect((await refused(wowzaList())).message).toMatch(/rejected the credentials/);
      await update('wowza', { api_token: null });
      expect((await other.of(api.two.id)).wowza).toBeNull();
      expect((await refused(wowzaList())).code).toBe('not_set_up');
    } finally {
      await db.destroy();
    }
  });

  it('a check says in words what the platform says', async () => {
    expect((await refused(check('wowza'))).code).toBe('not_set_up');
    await update('wowza', { api_token: THEIRS.wowza });
    expect(await check('wowza')).toEqual({
      works: true,
      text: 'Wowza accepts the token. New live streams run in us_west_oregon.',
    });
    wowza.failNext('cut');
    expect(await check('wowza')).toMatchObject({ works: false, text: expect.stringMatching(/can't be reached/) });
    await update('wowza', { api_token: 'not-the-token-of-anybody' });
    expect(await check('wowza')).toMatchObject({ works: false, text: expect.stringMatching(/Invalid token/) });

    await update('youtube', { api_key: YOUTUBE.YOUTUBE_API_KEY });
    expect(await check('youtube')).toMatchObject({ works: true, text: expect.stringMatching(/all public videos/) });
    await update('youtube', { channel_id: 'own' });
    expect(await check('youtube')).toMatchObject({ works: true, text: expect.stringMatching(/Museum TV/) });
    await update('youtube', { channel_id: 'nobody' });
    expect(await check('youtube')).toMatchObject({
      works: false,
      text: expect.stringMatching(/no channel with this ID/),
    });
    await update('youtube', {
      api_key: null,
      channel_id: null,
      client_id: YOUTUBE.YOUTUBE_CLIENT_ID,
      client_secret: YOUTUBE.YOUTUBE_CLIENT_SECRET,
      refresh_token: YOUTUBE.YOUTUBE_REFRESH_TOKEN,
    });
    expect(await check('youtube')).toEqual({ works: true, text: 'Signed in to YouTube as “Museum TV”.' });

    const { INSTAGRAM_CLIENT_ID: client_id, INSTAGRAM_CLIENT_SECRET: client_secret } = INSTAGRAM;
    await update('instagram', { client_id, client_secret });
    expect(await check('instagram')).toMatchObject({ works: true, text: expect.stringMatching(/accepts the app/) });
    await update('instagram', { client_id: 'another' });
    expect(await check('instagram')).toMatchObject({
      works: false,
      text: expect.stringMatching(/Invalid platform app/),
    });
  });

  it("what can't be used is refused, naming the field, and nothing is changed", async () => {
    await update('youtube', { api_key: 'key-that-stays' });
    const before = await api.dump();
    const wrong: [PlatformName, Record<string, string | null>, string[]][] = [
      ['youtube', { client_id: 'id' }, ['client_secret', 'refresh_token']],
      ['youtube', { api_key: null, channel_id: 'own' }, ['channel_id']],
      ['vimeo', { api_key: 'x' }, ['api_key']],
      ['wowza', { location: 'eu_belgium' }, ['location']],
      ['instagram', { client_secret: 'x' }, ['client_id']],
      ['vimeo', { access_token: 'two words' }, ['access_token']],
      ['vimeo', { access_token: '' }, ['access_token']],
      ['vimeo', { access_token: 'x'.repeat(4097) }, ['access_token']],
      ['vimeo', { access_token: 'a\u0000b' }, ['access_token']],
    ];
    for (const [platform, body, fields] of wrong) {
      const error = await refused(update(platform, body));
      expect(error.code).toBe('invalid');
      expect(Object.keys(error.msg).sort(), JSON.stringify(body)).toEqual(fields.sort());
    }
    const unknown = await api.call(calls.platforms.check, { platform: 'tiktok' }, { token: api.two.admin.token });
    expect(unknown.status).toBe(404);
    expect(await api.dump()).toBe(before);
  });

  it('many changes at once leave one row of each credential', async () => {
    const tokens = Array.from({ length: 12 }, (_, index) => `vimeo-token-number-${index}-of-many`);
    await Promise.all(tokens.map((access_token) => update('vimeo', { access_token })));
    const rows = await api.services.db.selectFrom('platform_credentials').selectAll().execute();
    expect(rows).toHaveLength(1);
  });

  it('without the key that sealed them, they are said to be of no use', async () => {
    await update('vimeo', { access_token: THEIRS.vimeo });
    const { settings, clock, db } = api.services;
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-key-'));
    try {
      await cp(settings.DATA_DIR, folder, { recursive: true, filter: (path) => !path.includes('secret.key') });
      const elsewhere = new Outgoing({ db, settings: { ...settings, DATA_DIR: folder }, clock });
      expect((await elsewhere.of(api.two.id)).vimeo).toBeNull();
      expect((await api.services.outgoing.of(api.two.id)).vimeo).not.toBeNull();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
