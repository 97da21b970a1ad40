import { describe, expect, test } from 'vitest';
import { BLUNT } from '../harness/browser.ts';
import { Broadcaster, type Interruption } from '../harness/stand-ins/broadcaster.ts';
import { webSuite } from '../harness/web-suite.ts';
import { type Guest, idOf, mediaBecomes, mediaOf, newGuest, visitTree, type Written } from '../web/elements/play.ts';

const suite = webSuite();
const BLUNTLY = { deviceScaleFactor: BLUNT };
const HOST = 'https://stream.example/';
/** Seconds that an interruption lasts: as long as those that ended broadcasts. */
const INTERRUPTED = 22;
/** Milliseconds within which a broadcast plays on once nothing is wrong any more: a retry, and the start. */
const RECOVERY = 30_000;

const channel = (name: string, index: number): Written => ({
  element: 'live_stream',
  name,
  position_x: (index % 3) * 160 - 160,
  position_y: Math.floor(index / 3) * 110 - 160,
  width: 150,
  height: 100,
  config: { type: 'wowza_live', src: `${HOST}${name}/list.m3u8`, muted: true },
});

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** A visitor of a room with a broadcast for each name, served by broadcasters of their own. */
async function watch(
  names: readonly string[],
  begin: (channels: Record<string, Broadcaster>) => void = () => undefined,
) {
  const channels: Record<string, Broadcaster> = {};
  for (const name of names) channels[name] = await Broadcaster.create();
  begin(channels);
  const guest = await newGuest(suite.app, suite.browser, {}, BLUNTLY);
  await guest.context.route(`${HOST}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill(channels[pathname.split('/')[1]!]!.reply(pathname));
  });
  await visitTree(suite.app, guest, names.map(channel));
  return { guest, channels };
}

const messageOf = ({ page }: Guest, id: number) =>
  page.locator(`.stage-live_stream:has([data-media="${id}"]) .stage-trouble`);

/** Waits until a broadcast moves on from where it is. */
async function playsOn({ page }: Guest, name: string): Promise<void> {
  const id = await idOf(page, name);
  await expect
    .poll(
      async () => {
        const before = await mediaOf(page, id);
        await pause(1);
        const after = await mediaOf(page, id);
        return !after.paused && after.currentTime > before.currentTime;
      },
      { timeout: RECOVERY, message: `${name} plays on` },
    )
    .toBe(true);
}

describe('a broadcast', () => {
  test('with a window of three segments starts every time, through Media Source Extensions', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `start-${index}`);
    for (let visit = 0; visit < 3; visit++) {
      const { guest } = await watch(names);
      for (const name of names)
        await mediaBecomes(guest.page, await idOf(guest.page, name), { paused: false, past: 0.2 });
      const sources = await guest.page
        .locator('[data-media]')
        .evaluateAll((all) => all.map((each) => (each as HTMLVideoElement).src.slice(0, 5)));
      expect(sources).toEqual(names.map(() => 'blob:'));
      await guest.context.close();
    }
  });

  test('recovers by itself from every interruption, and says that it was interrupted', async () => {
    const kinds: Interruption[] = ['missing', 'unavailable', 'html', 'html-segments', 'damaged', 'frozen', 'ended'];
    const { guest, channels } = await watch([...kinds, 'lost-segment', 'late'], ({ late }) => {
      late!.interruption = 'missing';
    });
    const { page } = guest;
    for (const name of [...kinds, 'lost-segment']) await mediaBecomes(page, await idOf(page, name), { past: 0.2 });
    await expect.poll(() => messageOfName('late')).toContain('hasn’t started');
    for (const kind of kinds) channels[kind]!.interruption = kind;
    channels['lost-segment']!.lostSegment = channels['lost-segment']!.newest + 1;
    const said = new Map<string, string>();
    const until = performance.now() + INTERRUPTED * 1000;
    while (performance.now() < until) {
      for (const kind of kinds) said.set(kind, (await messageOfName(kind)) || said.get(kind) || '');
      await pause(1);
    }
    for (const kind of kinds)
      expect([kind, said.get(kind)]).toEqual([
        kind,
        kind === 'ended' ? 'The broadcast has ended.' : 'The stream was interrupted. Reconnecting…',
      ]);
    for (const broadcaster of Object.values(channels)) broadcaster.interruption = undefined;
    for (const name of Object.keys(channels)) await playsOn(guest, name);
    for (const name of Object.keys(channels)) expect([name, await messageOfName(name)]).toEqual([name, '']);
    await guest.context.close();

    async function messageOfName(name: string): Promise<string> {
      return (await messageOf(guest, await idOf(page, name)).textContent()) ?? '';
    }
  });

  test('in a format that the browser can’t play says which', async () => {
    const guest = await newGuest(
      suite.app,
      suite.browser,
      {
        [`${HOST}hevc/list.m3u8`]: {
          body: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="hvc1.1.6.L93.B0"\nvideo.m3u8',
          type: 'application/vnd.apple.mpegurl',
        },
      },
      BLUNTLY,
    );
    await visitTree(suite.app, guest, [channel('hevc', 0)]);
    const message = messageOf(guest, await idOf(guest.page, 'hevc'));
    await expect.poll(() => message.textContent()).toBe('This browser can’t play the format of this stream (HEVC).');
    await guest.context.close();
  });
});
