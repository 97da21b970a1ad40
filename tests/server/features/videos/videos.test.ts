import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, formOf, refused } from '../../../harness/api-app.ts';
import { makeFilm } from '../../../harness/film.ts';
import { RETRY_AFTER } from '../../../harness/stand-ins/stand-in.ts';
import { RESET, VIMEO, VimeoStandIn } from '../../../harness/stand-ins/vimeo.ts';
import { YOUTUBE, YoutubeStandIn } from '../../../harness/stand-ins/youtube.ts';

const film = makeFilm();
const file = (name = 'My film.mp4', content: Buffer = film) => new File([new Uint8Array(content)], name);

describe.each(databases)('videos on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let youtube: YoutubeStandIn;
  let vimeo: VimeoStandIn;
  beforeAll(async () => {
    youtube = await new YoutubeStandIn().start();
    vimeo = await new VimeoStandIn().start();
    const addresses = { YOUTUBE_URL: youtube.url, GOOGLE_OAUTH_URL: youtube.url, VIMEO_URL: vimeo.url };
    api = await ApiApp.start(kind, { ...YOUTUBE, ...VIMEO, ...addresses });
    client = api.client();
  });
  beforeEach(() => {
    youtube.videos = [];
    vimeo.videos = [];
    for (const platform of [youtube, vimeo]) platform.takeSeen();
  });
  // A request that a platform would not understand fails the test, whatever the server made of the answer.
  afterEach(() => expect([...youtube.wrong.splice(0), ...vimeo.wrong.splice(0)]).toEqual([]));
  afterAll(async () => {
    await api.close();
    await Promise.all([youtube.stop(), vimeo.stop()]);
  });

  const search = (provider: 'local' | 'youtube' | 'vimeo', query = '', page = 1, per_page?: number) =>
    client.videos.search({ params: { provider }, body: { query, page, per_page } });
  const read = (provider: 'local' | 'youtube' | 'vimeo', id: string) =>
    client.videos.read({ params: { provider, id } });
  const upload = (provider: 'local' | 'youtube' | 'vimeo', sent = file()) =>
    client.videos.upload({ params: { provider }, files: { file: sent } });

  describe('of the media library', () => {
    it('are the films that were uploaded, newest first, twelve on a page', async () => {
      const made = [];
      for (let index = 0; index < 13; index++) made.push(await upload('local', file(`Take ${index}.mp4`)));
      await client.media.upload({
        body: {},
        files: { file: new File(['WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n'], 'Take.vtt') },
      });
      const first = await search('local');
      expect(first.last_page).toBe(2);
      expect(first.data.map(({ name }) => name)).toEqual(
        made
          .map(({ name }) => name)
          .toReversed()
          .slice(0, 12),
      );
      expect((await search('local', '', 2)).data).toEqual([made[0]]);
      expect((await search('local', 'take 11')).data).toEqual([made[11]]);
      expect(await search('local', 'nothing')).toEqual({ data: [], last_page: 1 });
      expect(await read('local', made[3]!.id)).toEqual(made[3]);
      expect(made[3]).toMatchObject({ type: 'local', name: 'Take 3.mp4', playable: true });
      const { status, headers } = await api.send('GET', made[3]!.source_files[0]!.link);
      expect([status, headers.get('content-type')]).toEqual([200, 'video/mp4']);
    });

    it('are of one organization only, and films only', async () => {
      const { id } = await upload('local');
      const other = api.client(api.two.admin);
      expect((await refused(other.videos.read({ params: { provider: 'local', id } }))).status).toBe(404);
      const found = await other.videos.search({ params: { provider: 'local' }, body: {} });
      expect(found.data).toEqual([]);
      for (const wrong of ['0', '-1', '1e3', 'x', '9'.repeat(30)])
        expect((await refused(read('local', wrong))).status, wrong).toBe(404);
      expect((await refused(upload('local', file('film.mp4', Buffer.from('no film'))))).status).toBe(415);
      expect((await refused(client.videos.upload({ params: { provider: 'local' } }))).msg).toHaveProperty('file');
    });

    it('get a picture where ffmpeg is on the machine, and do without where it is not', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'enfilade-path-'));
      const path = process.env.PATH;
      const picture = await readFile('fixtures/media/panorama-poster.jpg');
      try {
        process.env.PATH = folder;
        expect(await upload('local', file('Without.mp4'))).toMatchObject({ thumb: '', thumb_large: '' });
        // A program that only writes the last thing that it was told to, as ffmpeg does.
        const script = `#!${process.execPath}\nconst fs = require('node:fs');\nfs.writeFileSync(process.argv.at(-1), Buffer.from('${picture.toString('base64')}', 'base64'));\n`;
        await writeFile(join(folder, 'ffmpeg'), script);
        await chmod(join(folder, 'ffmpeg'), 0o755);
        const made = await upload('local', file('With picture.mp4'));
        expect(made.thumb).toBe(`${made.thumb_large}?width=400`);
        const { status, headers } = await api.send('GET', made.thumb);
        expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);
        await writeFile(join(folder, 'ffmpeg'), '#!/bin/sh\nexit 1\n');
        expect(await upload('local', file('Again.mp4'))).toMatchObject({ playable: true });
      } finally {
        process.env.PATH = path;
        await rm(folder, { recursive: true });
      }
    });
  });

  describe('of YouTube', () => {
    const video = (index: number) => ({
      id: `yt-${index}`,
      title: `Film ${index}`,
      uploadStatus: 'processed' as const,
      captions: [],
    });

    it('are found page by page, twelve on each, whatever page is asked for first', async () => {
      youtube.videos = Array.from({ length: 30 }, (_, index) => video(index));
      const ids = async (page: number) => (await search('youtube', '', page)).data.map(({ id }) => id);
      const names = (from: number, to: number) => youtube.videos.slice(from, to).map(({ id }) => id);
      expect(await ids(3)).toEqual(names(24, 30));
      expect(await ids(1)).toEqual(names(0, 12));
      youtube.takeSeen();
      expect(await ids(2)).toEqual(names(12, 24));
      expect(youtube.takeSeen()).toEqual(['GET /youtube/v3/search', 'GET /youtube/v3/videos']);
      expect(await ids(9)).toEqual([]);
      const lasts = await Promise.all([1, 2, 3, 9].map(async (page) => (await search('youtube', '', page)).last_page));
      expect(lasts).toEqual([2, 3, 3, 3]);
      expect((await search('youtube', 'Film 2', 1, 5)).data.map(({ id }) => id)).toEqual([
        'yt-2',
        'yt-20',
        'yt-21',
        'yt-22',
        'yt-23',
      ]);
    });

    it('carry what a room needs to show them', async () => {
      youtube.videos = [
        {
          ...video(1),
          captions: [
            { language: 'en', name: '' },
            { language: 'de', name: 'Deutsch' },
            { language: 'fr', name: 'Entwurf', isDraft: true },
          ],
        },
        { ...video(2), uploadStatus: 'uploaded' },
      ];
      const expected = {
        id: 'yt-1',
        type: 'youtube',
        name: 'Film 1',
        thumb: 'https://i.ytimg.com/vi/yt-1/mqdefault.jpg',
        thumb_large: 'https://i.ytimg.com/vi/yt-1/hqdefault.jpg',
        playable: true,
        source_files: [],
        default_text_track: '',
      };
      const tracks = [
        { language: 'en', name: 'en' },
        { language: 'de', name: 'Deutsch' },
      ];
      expect(await read('youtube', 'yt-1')).toEqual({ ...expected, text_tracks: tracks });
      const { data } = await search('youtube');
      expect(data[0]).toEqual({ ...expected, text_tracks: [] });
      expect(data[1]).toMatchObject({ id: 'yt-2', playable: false });
      expect((await refused(read('youtube', 'unknown'))).code).toBe('not_found');
    });

    it('are sent whole, also when the connection breaks on the way', async () => {
      const made = await upload('youtube');
      expect(made).toMatchObject({ type: 'youtube', name: 'My film', playable: false });
      youtube.breakUploadAt = 5000;
      const again = await upload('youtube', file('Second.mp4'));
      expect(again.name).toBe('Second');
      const sent = [...youtube.uploads.values()];
      expect(sent.map(({ type, size }) => [type, size])).toEqual([
        ['video/mp4', film.length],
        ['video/mp4', film.length],
      ]);
      for (const { bytes } of sent) expect(bytes.equals(film)).toBe(true);
      youtube.videos[0]!.uploadStatus = 'processed';
      expect(await read('youtube', again.id)).toMatchObject({ playable: true });
      youtube.takeSeen();
      expect((await refused(upload('youtube', file('film.mp4', Buffer.from('<html>'))))).code).toBe('wrong_type');
      expect(youtube.takeSeen()).toEqual([]);
    });

    it('a token is asked for once, again when it has ended, and again when it was taken back', async () => {
      youtube.videos = [video(1)];
      api.clock.advance(2 * 60 * 60 * 1000);
      client = api.client({ token: await api.signIn(api.one.admin) });
      await Promise.all([read('youtube', 'yt-1'), read('youtube', 'yt-1'), search('youtube')]);
      const signIns = () => youtube.takeSeen().filter((call) => call === 'POST /token').length;
      expect(signIns()).toBe(1);
      youtube.revoke();
      expect((await read('youtube', 'yt-1')).id).toBe('yt-1');
      expect(signIns()).toBe(1);
      await read('youtube', 'yt-1');
      expect(signIns()).toBe(0);
      api.clock.advance(60 * 60 * 1000);
      await read('youtube', 'yt-1');
      expect(signIns()).toBe(1);
    });
  });

  describe('of Vimeo', () => {
    const video = (index: number) => ({
      uri: `/videos/${index}`,
      name: `Film ${index}`,
      status: 'complete' as const,
      tracks: [],
    });

    it('are found page by page, and carry what a room needs to show them', async () => {
      vimeo.videos = Array.from({ length: 30 }, (_, index) => video(index));
      vimeo.videos[0]!.tracks.push(
        ...([
          { language: 'en', name: 'English CC', active: true },
          { language: 'de', name: 'Aus', active: false },
        ] as never[]),
      );
      const third = await search('vimeo', '', 3);
      expect([third.data.map(({ id }) => id), third.last_page]).toEqual([['24', '25', '26', '27', '28', '29'], 3]);
      expect((await search('vimeo', 'Film 29')).data).toHaveLength(1);
      expect(await search('vimeo', 'none')).toEqual({ data: [], last_page: 1 });
      expect(await read('vimeo', '0')).toEqual({
        id: '0',
        type: 'vimeo',
        name: 'Film 0',
        thumb: 'https://i.vimeocdn.com/video/1_295.jpg',
        thumb_large: 'https://i.vimeocdn.com/video/1_1280.jpg',
        playable: true,
        source_files: [
          { name: '1080p', link: 'https://player.vimeo.com/external/1.hd.mp4?s=a' },
          { name: '360p', link: 'https://player.vimeo.com/external/1.sd.mp4?s=a' },
          { name: 'HLS', link: 'https://player.vimeo.com/external/1.m3u8?s=a' },
        ],
        text_tracks: [{ language: 'en', name: 'English CC' }],
        default_text_track: '',
      });
      for (const wrong of ['77', 'x', '../me', '1?fields=uri', '1/../2'])
        expect((await refused(read('vimeo', wrong))).code, wrong).toBe('not_found');
    });

    it('are sent whole, also when the connection breaks on the way', async () => {
      vimeo.breakUploadAt = 5000;
      const made = await upload('vimeo');
      expect(made).toMatchObject({ type: 'vimeo', name: 'My film', playable: false, source_files: [] });
      expect(made.id).toMatch(/^\d+\/h\d+$/);
      const [sent] = [...vimeo.uploads.values()];
      expect(sent!.bytes.equals(film)).toBe(true);
      vimeo.videos[0]!.status = 'complete';
      expect(await read('vimeo', made.id)).toMatchObject({ id: made.id, playable: true });
    });
  });

  it.each(['youtube', 'vimeo'] as const)(
    'an error of %s is never one of ours, and never signs anybody out',
    async (name) => {
      const platform = name === 'youtube' ? youtube : vimeo;
      await search(name);
      const ask = () =>
        api.call(
          calls.videos.search,
          { provider: name },
          { token: api.one.admin.token, body: { query: `q${Math.random()}` } },
        );
      const outcome = async (...failures: Parameters<typeof platform.failNext>) => {
        client = api.client({ token: await api.signIn(api.one.admin) });
        platform.failNext(...failures);
        const { status, body, headers } = await ask();
        return [status, body.code, headers.get('retry-after')];
      };
      // A token that was taken back is asked for once more: the second refusal counts.
      const refusals = name === 'youtube' ? (['unauthorized', 'unauthorized'] as const) : (['unauthorized'] as const);
      expect(await outcome(...refusals)).toEqual([502, 'provider_failed', null]);
      expect(await outcome('forbidden')).toEqual([502, 'provider_failed', null]);
      expect(await outcome('broken')).toEqual([502, 'provider_failed', null]);
      expect(await outcome('cut')).toEqual([502, 'provider_failed', null]);
      expect(await outcome('nonsense')).toEqual([502, 'provider_failed', null]);
      expect(await outcome('busy')).toEqual([503, 'provider_busy', RETRY_AFTER]);
      const reset = name === 'vimeo' ? new Date(RESET).toUTCString() : null;
      expect(await outcome('quota')).toEqual([503, 'provider_busy', reset]);
      expect((await ask()).status).toBe(200);
    },
  );

  it('without keys, the platforms are not there', async () => {
    const bare = await ApiApp.start(kind);
    try {
      const user = bare.client();
      for (const provider of ['youtube', 'vimeo'] as const) {
        const attempts = [
          () => user.videos.search({ params: { provider }, body: {} }),
          () => user.videos.read({ params: { provider, id: '1' } }),
          () => user.videos.upload({ params: { provider }, files: { file: file() } }),
        ];
        for (const attempt of attempts) expect((await refused(attempt())).code).toBe('not_set_up');
      }
      expect((await user.modules.list()).map(({ module, type }) => `${type} ${module}`)).toEqual([
        'video local',
        'feed picdrop',
        'feed local',
      ]);
      const settings = await user.visit.settings();
      expect(settings.modules).toEqual([{ module: 'local' }, { module: 'picdrop' }]);
    } finally {
      await bare.close();
    }
    const own = (await client.modules.list()).map(({ module, type }) => `${type} ${module}`);
    expect(own).toEqual([
      'video local',
      'video youtube',
      'video vimeo',
      'live_stream youtube_live',
      'live_stream vimeo',
      'live_stream vimeo_live',
      'feed picdrop',
      'feed local',
    ]);
    expect((await client.organizations.read()).modules.map(({ module }) => module)).toEqual([
      'local',
      'youtube',
      'vimeo',
      'youtube_live',
      'vimeo_live',
      'picdrop',
    ]);
  });

  it('with only a key, public videos of the channel are found, and nothing can be sent', async () => {
    const { YOUTUBE_API_KEY } = YOUTUBE;
    const reader = await ApiApp.start(kind, { YOUTUBE_API_KEY, YOUTUBE_CHANNEL_ID: 'own', YOUTUBE_URL: youtube.url });
    try {
      youtube.videos = [
        { id: 'yt-1', title: 'Film', uploadStatus: 'processed', captions: [{ language: 'en', name: '' }] },
      ];
      const { videos, modules } = reader.client();
      const found = await videos.search({ params: { provider: 'youtube' }, body: {} });
      expect(found.data).toHaveLength(1);
      expect(youtube.seen.at(-2)!.query).toMatchObject({ key: YOUTUBE_API_KEY, channelId: 'own' });
      expect(await videos.read({ params: { provider: 'youtube', id: 'yt-1' } })).toMatchObject({ text_tracks: [] });
      const attempt = videos.upload({ params: { provider: 'youtube' }, files: { file: file() } });
      expect((await refused(attempt)).code).toBe('not_set_up');
      expect((await modules.list()).map(({ module }) => module)).not.toContain('youtube_live');
    } finally {
      await reader.close();
    }
  });

  it('security 66: no key of a platform stands in an answer or in the database', async () => {
    const texts = [
      await api.dump(),
      (await api.send('GET', '/api/v1/settings')).text,
      (await api.call(calls.modules.list, {}, { token: api.one.admin.token })).text,
      (await api.call(calls.videos.search, { provider: 'youtube' }, { token: api.one.admin.token, body: {} })).text,
    ];
    for (const text of texts)
      for (const secret of [...Object.values(YOUTUBE), ...Object.values(VIMEO)]) expect(text).not.toContain(secret);
  });

  it('an upload that is no form is refused', async () => {
    const { token } = api.one.admin;
    const answer = await api.call(calls.videos.upload, { provider: 'vimeo' }, { token, form: formOf({ other: 'x' }) });
    expect(answer.status).toBe(400);
  });
});
