import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeLimits } from '../../src/server/core/limits/quotas.ts';
import { ApiApp, databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { giveCredentials } from '../harness/give-credentials.ts';
import { FeedSource, item, rss } from '../harness/stand-ins/feed-source.ts';
import { INSTAGRAM, InstagramStandIn } from '../harness/stand-ins/instagram.ts';
import { WOWZA, PASSWORD as WOWZA_PASSWORD, WowzaStandIn } from '../harness/stand-ins/wowza.ts';
import { zipOf } from '../harness/zip.ts';

/** Accounts of an organization that is not the first. */
const ACCOUNTS = {
  wowza: { api_token: WOWZA.WOWZA_API_TOKEN },
  instagram: { client_id: INSTAGRAM.INSTAGRAM_CLIENT_ID, client_secret: INSTAGRAM.INSTAGRAM_CLIENT_SECRET },
};

const none = { view_any: false, create: false, update: false, delete: false };
const all = { view_any: true, create: true, update: true, delete: true };

describe.each(databases)('feeds and live streams of a bundle on %s', (kind) => {
  let api: ApiApp;
  let line: CommandLine;
  let elsewhere: CommandLine;
  let wowza: WowzaStandIn;
  let instagram: InstagramStandIn;
  let source: FeedSource;
  let bundle: string;
  beforeAll(async () => {
    wowza = await new WowzaStandIn().start();
    instagram = await new InstagramStandIn().start();
    source = await new FeedSource().start();
    const addresses = { WOWZA_URL: wowza.url, INSTAGRAM_URL: instagram.url, INSTAGRAM_GRAPH_URL: instagram.url };
    const guard = { allowed: [new URL(source.url).host] };
    api = await ApiApp.start(kind, { ...WOWZA, ...INSTAGRAM, ...addresses }, guard);
    await giveCredentials(api, api.two, ACCOUNTS);
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    elsewhere = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.two.admin.token });

    const client = api.client();
    const feed_url = source.put('/feed.xml', rss(item(1)));
    await client.feeds.create({ body: { name: 'Not named', type: 'local' } });
    const wall = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const news = await client.feeds.create({ body: { name: 'News', type: 'picdrop', config: { feed_url } } });
    const posts = await client.feeds.create({ body: { name: 'Posts', type: 'instagram' } });
    await api.services.db.updateTable('feeds').set({ secret: 'sealed-secret' }).where('id', '=', posts.id).execute();
    const stage = await client.liveStreams.create({
      body: { name: 'Stage', type: 'wowza_live', new_stream: { name: 'Stage', encoder: 'other_rtmp' } },
    });
    const params = { id: (await client.rooms.create({ body: { title: 'Live' } })).id };
    for (const { id } of [news, posts, news])
      await client.rooms.addElement({
        params,
        body: { element: 'group', config: { feed_enabled: true, feed_id: id } },
      });
    const navigation = { type: 'modal_share' as const, type_config: { feed_id: wall.id } };
    await client.rooms.addElement({ params, body: { element: 'button', config: { navigation } } });
    const config = { live_stream_id: stage.id };
    await client.rooms.addElement({ params, body: { element: 'live_stream', config } });
    bundle = join(line.folder, 'live.enfilade.zip');
    await line.done('rooms', 'export', 'Live', '--with-media', bundle);
  });
  afterAll(async () => {
    await line.close();
    await elsewhere.close();
    await api.close();
    await Promise.all([wowza.stop(), instagram.stop(), source.stop()]);
  });

  it('carries their names and settings, and nothing that opens them', async () => {
    const text = (await readFile(bundle)).toString('latin1');
    for (const name of ['News', 'Posts', 'Wall', 'Stage', '/feed.xml', 'other_rtmp']) expect(text).toContain(name);
    for (const secret of [WOWZA_PASSWORD, WOWZA.WOWZA_API_TOKEN, 'sealed-secret', 'cdn.wowza.com', 'w1', 'Not named'])
      expect(text, secret).not.toContain(secret);
  });

  it('adds those that are missing, finds them again by name, and exports the same bundle, byte by byte', async () => {
    const client = api.client(api.two.admin);
    const dry = await elsewhere.run(['rooms', 'import', bundle, '--dry-run', '--json']);
    expect(dry.code).toBe(0);
    expect(dry.error.match(/"note":"Would add the (feed|live stream)/g)).toHaveLength(4);
    expect((await client.feeds.list()).data).toEqual([]);

    const first = await elsewhere.run(['rooms', 'import', bundle]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.error).toContain('Added the feed "News".');
    expect(first.error).toContain('The feed "Posts" is not connected. Connect it under Settings, Feed.');
    expect(first.error).toContain('Added the live stream "Stage".');
    const feeds = (await client.feeds.list()).data;
    expect(feeds.map(({ name, type, is_connected }) => [name, type, is_connected])).toEqual([
      ['News', 'picdrop', true],
      ['Posts', 'instagram', false],
      ['Wall', 'local', true],
    ]);
    expect(wowza.streams.map(({ name }) => name)).toEqual(['Stage', 'Stage']);
    const [row] = (await client.rooms.list()).data;
    const { elements } = await client.rooms.read({ params: { id: row!.id } });
    const [news, posts, wall] = feeds.map(({ id }) => id);
    expect(elements.slice(0, 3).map(({ config }) => (config as { feed_id: number }).feed_id)).toEqual([
      news,
      posts,
      news,
    ]);
    expect(elements[3]!.config).toMatchObject({ navigation: { type_config: { feed_id: wall } } });
    expect(elements[4]!.config).toMatchObject({ type: 'wowza_live', id: 'w2', src: expect.stringContaining('w2') });

    const again = await elsewhere.run(['rooms', 'import', bundle]);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Nothing changed (1 room checked)') });
    expect(again.error).not.toContain('Added');
    expect((await client.feeds.list()).data).toHaveLength(3);
    const second = join(elsewhere.folder, 'again.enfilade.zip');
    await elsewhere.done('rooms', 'export', 'Live', '--with-media', second);
    expect((await readFile(second)).equals(await readFile(bundle))).toBe(true);
  });

  it('says what it could not add, and brings the room all the same', async () => {
    const organization = await api.addOrganization(`third-${kind}.example`);
    await giveCredentials(api, organization, ACCOUNTS);
    const limited = await api.addUser(organization, {
      rooms: all,
      templates: all,
      media: all,
      settings: { ...none, view_any: true },
      live_streams: none,
    });
    const environment = { ENFILADE_KEY: limited.token };
    const run = await elsewhere.run(['rooms', 'import', bundle], { environment });
    expect(run.code).toBe(0);
    expect(run.error).toMatch(/The feed "News" is missing\. Add it under Settings, Feed and choose it in the room: /);
    expect(run.error).toMatch(/The live streams of the bundle were not imported: /);
    const client = api.client(organization.admin);
    const [row] = (await client.rooms.list()).data;
    const { elements } = await client.rooms.read({ params: { id: row!.id } });
    expect(elements[0]!.config).toMatchObject({ feed_enabled: true, feed_id: null });
    expect(elements[4]!.config).toMatchObject({ live_stream_id: null });
    const exported = await elsewhere.run(['rooms', 'export', 'Live', '--with-media', 'left.zip'], { environment });
    expect(exported).toMatchObject({ code: 0, error: '' });

    // An address that cannot be read is no reason to lose the room; a feed of the same name is taken as it is.
    source.files.clear();
    await client.feeds.create({ body: { name: 'Posts', type: 'instagram' } });
    const other = { ENFILADE_KEY: organization.admin.token };
    const second = await elsewhere.run(['rooms', 'import', bundle, '--json'], { environment: other });
    expect([second.code, second.error]).toEqual([0, expect.stringContaining('The feed \\"News\\" is missing.')]);
    expect((await client.feeds.list()).data.map(({ name }) => name)).toEqual(['Posts', 'Wall']);
  });

  it('a bundle of the first version, without feeds, is read as before', async () => {
    const manifest = { format: 'enfilade-bundle', version: 1, media: [] };
    const room = { id: 1, title: 'Old', elements: [{ id: 1, element: 'group', config: { feed_id: null } }] };
    const old = zipOf([
      { name: 'manifest.json', content: JSON.stringify(manifest) },
      { name: 'room.json', content: JSON.stringify(room) },
    ]);
    await elsewhere.file('old.zip', old);
    expect(await elsewhere.run(['rooms', 'import', 'old.zip'])).toMatchObject({ code: 0, error: '' });
    const newer = zipOf([
      { name: 'manifest.json', content: JSON.stringify({ ...manifest, version: 3 }) },
      { name: 'room.json', content: JSON.stringify(room) },
    ]);
    await elsewhere.file('newer.zip', newer);
    expect(await elsewhere.run(['rooms', 'import', 'newer.zip'])).toMatchObject({ code: 1 });
  });

  it('a room that is refused leaves no feed behind', async () => {
    const organization = await api.addOrganization(`fourth-${kind}.example`);
    await giveCredentials(api, organization, ACCOUNTS);
    const client = api.client(organization.admin);
    for (const _ of [1, 2]) await client.rooms.create({ body: { title: 'Live' } });
    const environment = { ENFILADE_KEY: organization.admin.token };
    const run = await elsewhere.run(['rooms', 'import', bundle], { environment });
    expect(run).toMatchObject({ code: 1, error: expect.stringContaining('Several spaces have this name') });
    expect((await client.feeds.list()).data).toEqual([]);
    expect((await client.liveStreams.list()).data).toEqual([]);
  });

  it('an import that fails after its dry run passed leaves no feed and no live stream behind', async () => {
    const organization = await api.addOrganization(`fifth-${kind}.example`);
    await giveCredentials(api, organization, ACCOUNTS);
    const client = api.client(organization.admin);
    await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    // The last thing that is added before the transaction; in this moment others reach the quota.
    let isReached = false;
    wowza.beforeAnswer = async ({ method }) => {
      if (method !== 'POST') return;
      isReached = true;
      await changeLimits(api.services.db, organization.id, { spaces: 0 });
    };
    const environment = { ENFILADE_KEY: organization.admin.token };
    const run = await elsewhere.run(['rooms', 'import', bundle], { environment });
    wowza.beforeAnswer = () => {};
    expect([run.code, isReached]).toEqual([3, true]);
    expect(run.error).toContain('Added the live stream "Stage".');
    expect(run.error).toContain('The broadcast of the live stream "Stage" stays on its platform.');
    expect((await client.feeds.list()).data.map(({ name }) => name)).toEqual(['Wall']);
    expect((await client.liveStreams.list()).data).toEqual([]);
    expect((await client.rooms.list()).data).toEqual([]);
    expect((await client.media.list()).data).toEqual([]);
  });
});
