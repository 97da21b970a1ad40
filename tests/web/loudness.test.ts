import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { isInstalled } from '../../src/server/core/files/decoders/decoder-process.ts';
import { openAdmin } from '../harness/admin-page.ts';
import { BLUNT } from '../harness/browser.ts';
import { makeTone } from '../harness/tone.ts';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, mediaBecomes, mediaOf, newGuest, send, visitTree, type Written } from './elements/play.ts';

const hasFfmpeg = isInstalled('ffmpeg');
if (!hasFfmpeg) console.warn('Loudness: skipped, because ffmpeg is not installed.');
const suite = webSuite({ isWanted: hasFfmpeg, environment: async () => ({ OPTIMIZE_MEDIA: '1' }) });
const shots = process.env.SHOTS;

declare global {
  interface Window {
    /** An analyzer of each node that plays to the speakers. */
    taps: AnalyserNode[];
    /** An analyzer of an element that no audio graph plays. */
    tap?: AnalyserNode;
  }
}

/** Uploads a tone. @returns its file's id */
async function upload(level: number): Promise<number> {
  const path = join(tmpdir(), `enfilade-tone${level}-${randomUUID()}.wav`);
  await writeFile(path, makeTone({ level }));
  const { id } = await suite.app.upload(path);
  await rm(path);
  return id;
}

/** Sounds that reach the speakers through Web Audio can be analyzed. */
const listen = (page: Page) =>
  page.addInitScript(() => {
    window.taps = [];
    const connect: (this: AudioNode, target: AudioNode) => AudioNode = AudioNode.prototype.connect;
    Object.assign(AudioNode.prototype, {
      connect(this: AudioNode, target: AudioNode) {
        if (target instanceof AudioDestinationNode) {
          const analyzer = target.context.createAnalyser();
          connect.call(this, analyzer);
          window.taps.push(analyzer);
        }
        return connect.call(this, target);
      },
    });
  });

/** Peak level in dBFS: of the page's audio graph, or of a media element that plays without one. */
const levelOf = (page: Page, id?: number): Promise<number> =>
  page.evaluate(async (wanted) => {
    if (wanted !== undefined && !window.tap) {
      const context = new AudioContext();
      await context.resume();
      window.tap = context.createAnalyser();
      context
        .createMediaElementSource(document.querySelector<HTMLMediaElement>(`[data-media="${wanted}"]`)!)
        .connect(window.tap);
    }
    const tap = wanted === undefined ? window.taps[0] : window.tap;
    if (!tap) return Number.NEGATIVE_INFINITY;
    const samples = new Float32Array(tap.fftSize);
    tap.getFloatTimeDomainData(samples);
    return 20 * Math.log10(samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0));
  }, id);

const taps = (page: Page) => page.evaluate(() => window.taps.length);

const sound = (name: string, file_id: number, config: object = {}): Written =>
  ({ element: 'audio', name, file_id, config: { loop: true, ...config } }) as Written;

describe.runIf(hasFfmpeg)('a loud and a quiet file', () => {
  let loud: number;
  let quiet: number;
  beforeAll(async () => {
    [loud, quiet] = [await upload(-8), await upload(-27)];
    suite.app.clock.advance(31_000);
    const wanted = [expect.closeTo(9, 0), expect.closeTo(-10, 0)];
    await vi.waitFor(
      async () => {
        const { data } = await suite.app.client.media.list({ query: {} });
        expect(data.map(({ gain }) => gain)).toEqual(wanted);
      },
      { timeout: 60_000, interval: 200 },
    );
  });

  const visit = async (elements: Written[]) => {
    const guest = await newGuest(suite.app, suite.browser, {}, { deviceScaleFactor: BLUNT });
    await listen(guest.page);
    await visitTree(suite.app, guest, elements);
    return guest;
  };

  test('play equally loud; Web Audio is used only for the quiet one', async () => {
    const { page, faults, close } = await visit([sound('Loud', loud), sound('Quiet', quiet)]);
    const [first, second] = [await idOf(page, 'Loud'), await idOf(page, 'Quiet')];
    await send(page, { type: 'play', element_id: first });
    await mediaBecomes(page, first, { paused: false, past: 0.2 });
    expect((await mediaOf(page, first)).volume).toBeCloseTo(10 ** (-10 / 20), 1);
    expect(await taps(page)).toBe(0);
    await expect.poll(() => levelOf(page, first)).toBeCloseTo(-18, 0);

    await send(page, { type: 'play', element_id: second });
    await mediaBecomes(page, second, { paused: false, past: 0.2 });
    expect(await taps(page)).toBe(1);
    expect((await mediaOf(page, second)).volume).toBe(1);
    await expect.poll(() => levelOf(page)).toBeCloseTo(-18, 0);
    // 20 % are −14 dB, which the element does without its gain.
    await send(page, { type: 'volume', element_id: second, volume: 20 });
    await expect.poll(() => levelOf(page)).toBeCloseTo(-32, 0);
    await send(page, { type: 'mute', element_id: second });
    await expect.poll(() => levelOf(page)).toBe(Number.NEGATIVE_INFINITY);
    expect(faults).toEqual([]);
    // The audio graph stops with the last file that needs it.
    await page.evaluate(() => window.enfilade!.stage!.dispose());
    await expect.poll(() => page.evaluate(() => window.taps[0]!.context.state)).toBe('suspended');
    await close();
  });

  test('play unchanged if their element turns it off', async () => {
    const as = { even_loudness: false };
    const { page, close } = await visit([sound('Loud', loud, as), sound('Quiet', quiet, as)]);
    for (const name of ['Loud', 'Quiet']) {
      const id = await idOf(page, name);
      await send(page, { type: 'play', element_id: id });
      await mediaBecomes(page, id, { paused: false, past: 0.1 });
      expect((await mediaOf(page, id)).volume).toBe(1);
    }
    expect(await taps(page)).toBe(0);
    await close();
  });

  test('show their loudness in the library', async () => {
    const { page, close } = await openAdmin(suite.app, suite.browser, '/admin/media', {
      deviceScaleFactor: 1,
      viewport: { width: 1440, height: 1000 },
    });
    for (const [name, text] of [
      ['enfilade-tone-8-', /^Loudness: -8 LUFS, played 10(?:\.\d)? dB quieter$/],
      ['enfilade-tone-27-', /^Loudness: -27 LUFS, played (?:9|8\.9) dB louder$/],
    ] as const) {
      const list = page.getByRole('list', { name: 'Media' });
      await list.getByRole('listitem').filter({ hasText: name }).getByRole('link').click();
      const line = page.getByRole('dialog').getByRole('group', { name: 'Loudness' });
      await expect.poll(() => line.textContent()).toMatch(text);
      if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
      await page.keyboard.press('Escape');
      await line.waitFor({ state: 'hidden' });
    }
    await close();
  });
});
