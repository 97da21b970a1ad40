import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { LIVE_STREAM_TYPES, type LiveStreamType } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, refused, type TestUser } from '../../../harness/api-app.ts';
import { giveCredentials } from '../../../harness/give-credentials.ts';
import { RETRY_AFTER, type StandIn } from '../../../harness/stand-ins/stand-in.ts';
import { VIMEO, STREAM_KEY as VIMEO_KEY, VimeoStandIn } from '../../../harness/stand-ins/vimeo.ts';
import { PASSWORD, WOWZA, WowzaStandIn } from '../../../harness/stand-ins/wowza.ts';
import { YOUTUBE, STREAM_KEY as YOUTUBE_KEY, YoutubeStandIn } from '../../../harness/stand-ins/youtube.ts';

const SECRETS = [PASSWORD, VIMEO_KEY, YOUTUBE_KEY];

describe.each(databases)('live streams on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let reader: TestUser;
  let youtube: YoutubeStandIn;
  let vimeo: VimeoStandIn;
  let wowza: WowzaStandIn;
  let platforms: Record<LiveStreamType, StandIn>;
  beforeAll(async () => {
    youtube = await new YoutubeStandIn().start();
    vimeo = await new VimeoStandIn().start();
    wowza = await new WowzaStandIn().start();
    platforms = { wowza_live: wowza, youtube_live: youtube, vimeo, vimeo_live: vimeo };
    const addresses = {
      YOUTUBE_URL: youtube.url,
      GOOGLE_OAUTH_URL: youtube.url,
      VIMEO_URL: vimeo.url,
      WOWZA_URL: wowza.url,
    };
    api = await ApiApp.start(kind, { ...YOUTUBE, ...VIMEO, ...WOWZA, ...addresses });
    client = api.client();
    reader = await api.addUser(api.one, {
      live_streams: { view_any: true, create: false, update: false, delete: false },
    });
  });
  // A request that a platform would not understand fails the test, whatever the server made of the answer.
  afterEach(() => expect([youtube, vimeo, wowza].flatMap(({ wrong }) => wrong.splice(0))).toEqual([]));
  afterAll(async () => {
    await api.close();
    await Promise.all([youtube, vimeo, wowza].map((platform) => platform.stop()));
  });

  const create = (type: LiveStreamType, name = 'Opening', encoder: 'other_rtmp' | 'other_webrtc' = 'other_rtmp') =>
    client.liveStreams.create({ body: { name, type, new_stream: { name: `${name} on air`, encoder } } });
  const read = (id: number) => client.liveStreams.read({ params: { id } });
  const start = (id: number) => client.liveStreams.start({ params: { id } });
  const stop = (id: number) => client.liveStreams.stop({ params: { id } });
  const update = (id: number, body: Parameters<Client['liveStreams']['update']>[0]['body']) =>
    client.liveStreams.update({ params: { id }, body });
  const stored = async (id: number) =>
    api.services.db.selectFrom('live_streams').selectAll().where('id', '=', id).executeTakeFirst();

  /** What happens on the platform when the encoder sends and the broadcast gets going. */
  const getGoing = (type: LiveStreamType, reference: string) => {
    if (type === 'wowza_live') wowza.streams.find(({ id }) => id === reference)!.state = 'started';
    if (type === 'vimeo') vimeo.videos.find(({ uri }) => uri === `/videos/${reference}`)!.live = 'streaming';
    if (type === 'vimeo_live') vimeo.events.find(({ id }) => id === reference)!.live = 'streaming';
  };

  describe.each(LIVE_STREAM_TYPES)('%s', (type) => {
    it('is made, read, started, stopped and removed', async () => {
      const made = await create(type);
      expect(made).toMatchObject({ name: 'Opening', type, state: 'stopped', encoder: 'other_rtmp' });
      const { source_connection_information: source } = made;
      expect(source!.primary_server).toMatch(/^rtmps?:\/\//);
      expect(source!.stream_name).not.toBe('');
      expect(await read(made.id)).toEqual(made);
      for (const stream of youtube.streams) stream.isActive = true;
      const started = await start(made.id);
      expect(started.state).toBe(type === 'youtube_live' ? 'started' : 'starting');
      getGoing(type, made.reference);
      expect((await read(made.id)).state).toBe('started');
      expect((await stored(made.id))!.state).toBe('started');
      expect((await stop(made.id)).state).toBe('stopped');
      expect(await read(made.id)).toEqual(made);
      const { data } = await client.liveStreams.list({ query: { search: 'opening' } });
      expect(data.find(({ id }) => id === made.id)).toEqual({ ...made, source_connection_information: null });
      await client.liveStreams.remove({ params: { id: made.id } });
      expect((await refused(read(made.id))).code).toBe('not_found');
      const there = await client.liveStreams.moduleRead({ params: { module: type, id: made.reference } });
      expect(there.name).toBe('Opening on air');
    });

    it('can be one that the platform has already', async () => {
      const first = await create(type, 'First');
      const list = await client.liveStreams.moduleList({ params: { module: type } });
      const found = list.find(({ id }) => id === first.reference)!;
      expect(found).toMatchObject({ name: 'First on air', state: 'stopped', source_connection_information: null });
      const body = { name: 'Second', type, reference: found.id };
      const second = await client.liveStreams.create({ body });
      expect(second).toMatchObject({ name: 'Second', reference: found.id, state: 'stopped' });
      const unknown = await refused(client.liveStreams.create({ body: { ...body, reference: '404' } }));
      expect([unknown.code, Object.keys(unknown.msg)]).toEqual(['invalid', ['reference']]);
      const both = { ...body, new_stream: { name: 'x', encoder: 'other_rtmp' as const } };
      expect((await refused(client.liveStreams.create({ body: both }))).code).toBe('invalid');
    });

    it('security 45: a platform that does not find what it is asked to make is answered as declared', async () => {
      const body = { name: 'Lost', type, new_stream: { name: 'Lost', encoder: 'other_rtmp' } };
      platforms[type].failNext('gone');
      const { status } = await api.call(calls.liveStreams.create, {}, { token: api.one.admin.token, body });
      expect(status).toBe(404);
    });

    it('security 14: its password is kept nowhere, and told to those only who may change live streams', async () => {
      const made = await create(type, 'Secret');
      const own = JSON.stringify([made, await read(made.id)]);
      expect(SECRETS.some((secret) => own.includes(secret))).toBe(true);
      const params = { module: type, id: made.reference };
      const asked = { token: reader.token };
      const texts = [
        await api.dump(),
        (await api.call(calls.liveStreams.read, { id: made.id }, asked)).text,
        (await api.call(calls.liveStreams.list, {}, asked)).text,
        (await api.call(calls.liveStreams.moduleRead, params, asked)).text,
        (await api.call(calls.liveStreams.moduleList, params, asked)).text,
        (await api.call(calls.liveStreams.list, {}, { token: api.one.admin.token })).text,
      ];
      for (const text of texts) for (const secret of SECRETS) expect(text).not.toContain(secret);
    });

    it('an error of the platform is never one of ours, and leaves everything as it was', async () => {
      const made = await create(type, 'Steady');
      const before = await stored(made.id);
      const platform = platforms[type];
      const attempts = [() => read(made.id), () => start(made.id), () => update(made.id, { name: 'Changed' })];
      const ask = () => api.call(calls.liveStreams.read, { id: made.id }, { token: api.one.admin.token });
      for (const failure of ['forbidden', 'broken', 'cut', 'nonsense'] as const)
        for (const attempt of attempts) {
          // The first request may be one of two; both fail.
          platform.failNext(failure, ...(type === 'wowza_live' && attempt !== attempts[1] ? [failure] : []));
          const isDone = failure === 'nonsense' && attempt === attempts[1];
          if (isDone) await attempt();
          else expect((await refused(attempt())).code).toBe('provider_failed');
          if (!isDone) expect(await stored(made.id)).toEqual(before);
        }
      platform.failNext('busy', ...(type === 'wowza_live' ? (['busy'] as const) : []));
      const { status, body, headers } = await ask();
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'provider_busy', RETRY_AFTER]);
      expect((await ask()).status).toBe(200);
    });
  });

  it('takes youtube as another name of its live platform', async () => {
    const { reference } = await create('youtube_live');
    const list = await client.liveStreams.moduleList({ params: { module: 'youtube' } });
    expect(list.map(({ id }) => id)).toContain(reference);
    const made = await client.liveStreams.create({ body: { name: 'Alias', type: 'youtube', reference } });
    expect(made.type).toBe('youtube_live');
  });

  it('is changed only while it is stopped, whatever was known before', async () => {
    const { id, reference, updated_at } = await create('wowza_live', 'Evening');
    const other = await create('wowza_live', 'Other');
    getGoing('wowza_live', reference);
    expect((await stored(id))!.state).toBe('stopped');
    for (const body of [{ name: 'Night' }, { reference: other.reference }])
      expect((await refused(update(id, body))).code).toBe('in_use');
    await stop(id);
    const changed = await update(id, { name: 'Night', reference: other.reference, updated_at });
    expect(changed).toMatchObject({ name: 'Night', reference: other.reference });
    expect(changed.player_hls_playback_url).toBe(other.player_hls_playback_url);
    expect((await refused(update(id, { name: 'Late', updated_at }))).code).toBe('stale');
    const missing = await refused(update(id, { reference: 'gone' }));
    expect(Object.keys(missing.msg)).toEqual(['reference']);
  });

  it('a question for the state keeps it; a broadcast that is gone from its platform is stopped', async () => {
    const { id, reference } = await create('wowza_live', 'Fading');
    getGoing('wowza_live', reference);
    const params = { module: 'wowza_live', id: reference } as const;
    expect(await client.liveStreams.moduleState({ params })).toEqual({ state: 'started' });
    expect((await stored(id))!.state).toBe('started');
    wowza.streams = wowza.streams.filter((stream) => stream.id !== reference);
    expect((await refused(client.liveStreams.moduleState({ params }))).code).toBe('not_found');
    expect(await read(id)).toMatchObject({ state: 'stopped', source_connection_information: null });
  });

  it('the camera of a browser goes to Wowza; other platforms take encoders only', async () => {
    const made = await create('wowza_live', 'Camera', 'other_webrtc');
    expect(made).toMatchObject({ encoder: 'other_webrtc', webrtc_url: expect.stringMatching(/^wss:/) });
    const asked = await api.client(reader).liveStreams.read({ params: { id: made.id } });
    expect(asked.webrtc_url).toBe('');
    for (const type of ['youtube_live', 'vimeo', 'vimeo_live'] as const) {
      const { code, msg } = await refused(create(type, 'Camera', 'other_webrtc'));
      expect([code, Object.keys(msg)]).toEqual(['invalid', ['new_stream.encoder']]);
    }
  });

  it("a broadcast of YouTube that does not come about leaves nothing behind; one without a picture can't start", async () => {
    const before = [youtube.broadcasts.length, youtube.streams.length];
    await client.liveStreams.moduleList({ params: { module: 'youtube_live' } });
    youtube.seen.length = 0;
    const attempt = create('youtube_live', 'Broken');
    // The broadcast is made; what comes after it fails.
    const insert = async () => {
      while (!youtube.seen.some(({ method, path }) => method === 'POST' && path.endsWith('liveBroadcasts')))
        await new Promise((resolve) => setImmediate(resolve));
      youtube.failNext('forbidden');
    };
    const [error] = await Promise.all([refused(attempt), insert()]);
    expect(error.code).toBe('provider_failed');
    expect([youtube.broadcasts.length, youtube.streams.length]).toEqual(before);
    const { id } = await create('youtube_live', 'Dark');
    for (const stream of youtube.streams) stream.isActive = false;
    expect((await refused(start(id))).message).toMatch(/Start the encoder before/);
    expect((await read(id)).state).toBe('stopped');
  });

  it('rooms carry where its picture is now, for the back-office and for visitors', async () => {
    const stream = await create('wowza_live', 'In the hall');
    const other = await create('vimeo', 'Elsewhere');
    await giveCredentials(api, api.two, { wowza: { api_token: WOWZA.WOWZA_API_TOKEN } });
    const foreign = await api
      .client(api.two.admin)
      .liveStreams.create({ body: { name: 'Foreign', type: 'wowza_live', reference: stream.reference } });
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    const add = (live_stream_id: number) =>
      client.rooms.addElement({
        params: { id: room.id },
        body: { element: 'live_stream', config: { live_stream_id, type: 'youtube_live', id: 'old', src: '' } },
      });
    await add(stream.id);
    await add(foreign.id);
    await client.endpoints.create({ body: { name: 'Hall', room_id: room.id } });
    const seen = async () => {
      const admin = await client.rooms.read({ params: { id: room.id } });
      const visitor = await client.visit.one({ params: { slugOne: 'hall' } });
      expect(visitor.room!.elements.map(({ config }) => config)).toEqual(admin.elements.map(({ config }) => config));
      return admin.elements.map(({ config }) => config);
    };
    const asStored = { live_stream_id: foreign.id, type: 'youtube_live', id: 'old', src: '' };
    const { reference: id, player_hls_playback_url: src } = stream;
    expect(await seen()).toMatchObject([{ type: 'wowza_live', id, src }, asStored]);
    const next = await create('wowza_live', 'Next');
    await update(stream.id, { reference: next.reference });
    expect(await seen()).toMatchObject([{ id: next.reference, src: next.player_hls_playback_url }, asStored]);
    await client.rooms.addElement({
      params: { id: room.id },
      body: { element: 'live_stream', config: { live_stream_id: other.id } },
    });
    expect((await seen())[2]).toMatchObject({ type: 'vimeo', id: other.reference, src: '' });
    await client.liveStreams.remove({ params: { id: stream.id } });
    expect(await seen()).toMatchObject([{ type: 'youtube_live', id: 'old' }, asStored, {}]);
  });

  it('every change stands in the change log, without passwords', async () => {
    const { id } = await create('wowza_live', 'Logged');
    await update(id, { name: 'Logged again' });
    await start(id);
    await stop(id);
    await client.liveStreams.remove({ params: { id } });
    const rows = await api.services.db
      .selectFrom('changes')
      .selectAll()
      .where('entity', '=', 'live_stream')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(['create', 'update', 'update', 'update', 'delete']);
    expect(JSON.parse(rows[1]!.after!)).toEqual({ name: 'Logged again' });
    expect(JSON.parse(rows[2]!.after!)).toEqual({ state: 'starting' });
    for (const secret of SECRETS) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('without keys, the platforms are not there, and what is stored of them can be listed and removed', async () => {
    const { id } = await create('wowza_live', 'Left over');
    const row = (await stored(id))!;
    const bare = await ApiApp.start(kind);
    try {
      const { id: _, ...values } = { ...row, organization_id: bare.one.id };
      const made = await bare.services.db
        .insertInto('live_streams')
        .values(values)
        .returning('id')
        .executeTakeFirstOrThrow();
      const { liveStreams } = bare.client();
      const params = { id: made.id };
      for (const type of LIVE_STREAM_TYPES) {
        const one = { params: { module: type, id: '1' } };
        const attempts = [
          () => liveStreams.moduleList({ params: { module: type } }),
          () => liveStreams.moduleRead(one),
          () => liveStreams.moduleState(one),
          () => liveStreams.create({ body: { name: 'A', type, reference: '1' } }),
        ];
        for (const attempt of attempts) expect((await refused(attempt())).code).toBe('not_set_up');
      }
      for (const attempt of [
        () => liveStreams.read({ params }),
        () => liveStreams.start({ params }),
        () => liveStreams.update({ params, body: { name: 'B' } }),
      ])
        expect((await refused(attempt())).code).toBe('not_set_up');
      expect((await liveStreams.list()).data).toMatchObject([{ name: 'Left over' }]);
      await liveStreams.remove({ params });
      expect((await liveStreams.list()).data).toEqual([]);
    } finally {
      await bare.close();
    }
  });
});
