import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { FeedSource, item, rss } from '../harness/stand-ins/feed-source.ts';
import { WOWZA, WowzaStandIn } from '../harness/stand-ins/wowza.ts';
import { zipOf } from '../harness/zip.ts';

const SITE = zipOf([
  { name: 'show/index.html', content: '<!doctype html><title>Show</title><script src="a.js"></script>' },
  { name: 'show/a.js', content: 'console.log(1)' },
]);

describe('what rooms of a whole organization refer to', () => {
  let staging: ApiApp;
  let production: ApiApp;
  let bare: ApiApp;
  let lines: Record<'from' | 'to' | 'bare', CommandLine>;
  let wowza: WowzaStandIn;
  let source: FeedSource;
  let archive: string;
  let photo: Buffer;

  beforeAll(async () => {
    wowza = await new WowzaStandIn().start();
    source = await new FeedSource().start();
    const guard = { allowed: [new URL(source.url).host] };
    const environment = { ...WOWZA, WOWZA_URL: wowza.url };
    staging = await ApiApp.start('sqlite', environment, guard);
    production = await ApiApp.start('sqlite', environment, guard);
    bare = await ApiApp.start('sqlite', {}, guard);
    const lineOf = (api: ApiApp) => CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    lines = { from: await lineOf(staging), to: await lineOf(production), bare: await lineOf(bare) };
    const client = staging.client();
    const site = await client.media.upload({ body: {}, files: { file: new File([new Uint8Array(SITE)], 'show.zip') } });
    photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } })
      .withExif({ IFD0: { Artist: 'Kim' } })
      .jpeg()
      .toBuffer();
    const file = new File([new Uint8Array(photo)], 'photo.jpg');
    const { original } = await client.media.upload({ body: {}, files: { file } });
    expect(original).toMatchObject({ name: 'photo.jpg', bytes: photo.length });
    const feed_url = source.put('/feed.xml', rss(item(1)));
    const news = await client.feeds.create({ body: { name: 'News', type: 'picdrop', config: { feed_url } } });
    const stage = await client.liveStreams.create({
      body: { name: 'Stage', type: 'wowza_live', new_stream: { name: 'Stage', encoder: 'other_rtmp' } },
    });
    const params = { id: (await client.rooms.create({ body: { title: 'Live' } })).id };
    await client.rooms.addElement({ params, body: { element: 'iframe', name: 'Show', file_id: site.id } });
    const feed = { feed_enabled: true, feed_id: news.id };
    await client.rooms.addElement({ params, body: { element: 'group', name: 'News', config: feed } });
    const live = { live_stream_id: stage.id };
    await client.rooms.addElement({ params, body: { element: 'live_stream', name: 'Stage', config: live } });
    archive = join(lines.from.folder, 'live.zip');
    await lines.from.done('org', 'export', '--out', 'live.zip');
  });
  afterAll(async () => {
    for (const line of Object.values(lines)) await line.close();
    for (const api of [staging, production, bare]) await api.close();
    for (const server of [wowza, source]) await server.stop();
  });

  const SKIP = ['--skip', 'users', 'settings'];
  const elementsOf = async (api: ApiApp) => {
    const [room] = (await api.client().rooms.list()).data;
    const { elements } = await api.client().rooms.read({ params: { id: room!.id } });
    return Object.fromEntries(elements.map((element) => [element.name, element]));
  };

  it('arrives: sites with several files by their content, feeds and live streams by name', async () => {
    const run = await lines.to.run(['org', 'import', archive, ...SKIP, '--undo-file', 'undo.ndjson']);
    expect([run.code, run.error]).toEqual([0, '']);
    const client = production.client();
    const { Show, News, Stage } = await elementsOf(production);
    const site = (await client.media.list()).data.find(({ type }) => type === 'site');
    expect(Show!.file).toMatchObject({ id: site!.id, type: 'site', url: site!.url });
    const [feed] = (await client.feeds.list()).data;
    const [stream] = (await client.liveStreams.list()).data;
    expect(News!.config).toMatchObject({ feed_id: feed!.id });
    expect(Stage!.config).toMatchObject({ live_stream_id: stream!.id });
    expect(await lines.to.done('org', 'diff', archive, ...SKIP)).toMatch(/^No differences/);
    await lines.to.done('org', 'undo', 'undo.ndjson');
    expect([(await client.feeds.list()).meta.total, (await client.media.list()).total]).toEqual([0, 0]);
  });

  it('arrives with original uploads, if the export contains them', async () => {
    await lines.from.done('org', 'export', '--out', 'originals.zip', '--originals');
    const whole = join(lines.from.folder, 'originals.zip');
    expect(await lines.from.done('org', 'diff', 'originals.zip', 'live.zip')).toMatch(/^No differences/);
    await lines.to.done('org', 'import', whole, ...SKIP, '--undo-file', 'undo.ndjson');
    expect(await lines.to.done('org', 'diff', whole, ...SKIP)).toMatch(/^No differences/);
    await lines.to.done('media', 'export', '--all', '--originals', '--out', 'originals/');
    expect(await readFile(join(lines.to.folder, 'originals/photo.jpg'))).toEqual(photo);
    await lines.to.done('org', 'undo', 'undo.ndjson');
  });

  it('a live stream that can’t be added is a remark, and a difference afterwards', async () => {
    const run = await lines.bare.run(['org', 'import', archive, ...SKIP]);
    expect(run).toMatchObject({ code: 0, error: expect.stringContaining('The live stream "Stage" is missing.') });
    const { News, Stage } = await elementsOf(bare);
    expect([News!.config, Stage!.config]).toMatchObject([{ feed_id: expect.any(Number) }, { live_stream_id: null }]);
    const { code, out } = await lines.bare.run(['org', 'diff', archive, ...SKIP]);
    expect([code, out]).toEqual([1, expect.stringContaining('The live stream "Stage" exists only in the export.')]);
  });
});
