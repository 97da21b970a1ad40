import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/admin-page.ts';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const web = webSuite();
const HOUR = 3_600_000;
/** Seconds of the sequence, and of the sound that follows it. */
const DURATION = 900;
let sound: number;
let made = 0;

/** Samples of 8 bits a second: browsers play no fewer than 3000. */
const RATE = 4000;

/** Silence as a WAV file. */
function silence(seconds: number): Buffer {
  const bytes = seconds * RATE;
  const file = Buffer.alloc(44 + bytes, 128);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  return file;
}

beforeAll(async () => {
  const path = join(tmpdir(), `enfilade-silence-${process.pid}.wav`);
  await writeFile(path, silence(DURATION));
  sound = (await web.app.upload(path)).id;
  await rm(path);
});

/**
 * Publishes a timed room that starts some minutes from now, with a sound that follows its time.
 * @returns its path, and the moment of its start in milliseconds since 1970
 */
async function publish(minutes: number, fields: Record<string, unknown> = {}) {
  const { client } = web.app;
  const { id } = await client.rooms.create({
    body: {
      title: 'Show',
      width: 800,
      height: 600,
      depth: 800,
      config: { duration: DURATION, show_timed_timer: 'top_right' },
    },
  });
  await client.rooms.addElement({
    params: { id },
    body: { element: 'audio', name: 'Score', file_id: sound, config: { timed: true, timed_max_out_of_sync: 2 } },
  });
  const start = (Math.floor(web.app.clock.now() / 60_000) + minutes) * 60_000;
  // Where it starts at noon: the day does not change in between, whatever the hour is here.
  const at = new Date(start);
  const start_time_utc_offset = at.getUTCHours() * 60 + at.getUTCMinutes() - 720;
  const { slug } = await client.endpoints.create({
    body: {
      name: `Show ${++made}`,
      room_id: id,
      is_timed: true,
      start_time: '12:00',
      start_time_utc_offset,
      ...fields,
    },
  });
  return { path: `/${slug}`, start };
}

/** A visitor whose own clock is an hour fast. */
async function newHurriedVisitor() {
  const visitor = await newVisitor(web.browser, { timezoneId: 'UTC' });
  await visitor.page.addInitScript((ahead) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ahead;
  }, HOUR);
  return visitor;
}

/** Lets the visitor's time and the server's pass. */
async function pass(page: Page, milliseconds: number): Promise<void> {
  web.app.clock.advance(milliseconds);
  await page.clock.fastForward(milliseconds);
}

const timeIn = (page: Page) => page.evaluate(() => window.enfilade!.stage!.scene.state().time);
const scoreIn = (page: Page) =>
  page.evaluate(() => {
    const { paused, currentTime } = document.querySelector<HTMLAudioElement>('[data-media]')!;
    return { paused, currentTime };
  });

describe('a visitor whose clock is an hour off', () => {
  test('comes early and waits in front of the countdown of the server', async () => {
    const { path, start } = await publish(5, { show_countdown: true });
    const { page, context } = await newHurriedVisitor();
    await page.goto(web.app.origin + path);
    const begins = new Date(start).toISOString().slice(11, 16);
    await page.getByRole('heading', { name: `This room starts at ${begins}` }).waitFor();
    // Whose room it is, which, and on which day, in the visitor's zone.
    const day = new Date(start).toISOString().slice(0, 4);
    await page.getByText(new RegExp(`${day}.*${begins}.*UTC`)).waitFor();
    const panel = page.getByRole('dialog');
    const { name } = await web.app.client.organizations.read();
    await panel.getByText(name, { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const [, hours, minutes] = /^(\d\d):(\d\d):\d\d$/.exec((await page.getByRole('timer').textContent())!)!;
    expect(hours).toBe('00');
    expect(Number(minutes)).toBeLessThan(5);
    await context.close();
  });

  test('comes in the middle, and sees and hears what the others do', async () => {
    const { path, start } = await publish(-3);
    const { page, context, faults } = await newHurriedVisitor();
    await enterRoom(page, web.app.origin + path);
    // It is sought first, and plays when the sound from there on has come.
    const isHeard = async () => {
      const { paused, currentTime } = await scoreIn(page);
      return !paused && Math.abs(currentTime - (web.app.clock.now() - start) / 1000) < 15;
    };
    await expect.poll(isHeard, { timeout: 40_000 }).toBe(true);
    expect(Math.abs((await timeIn(page)) - (web.app.clock.now() - start) / 1000)).toBeLessThan(15);
    expect(await page.getByRole('timer', { name: 'Time left' }).textContent()).toMatch(/^1[01]:\d\d$/);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('comes after the end, when nothing is left', async () => {
    const { path } = await publish(-30);
    const { page, context } = await newHurriedVisitor();
    await enterRoom(page, web.app.origin + path);
    await page.getByRole('timer', { name: 'Time left' }).waitFor();
    expect(await page.getByRole('timer', { name: 'Time left' }).textContent()).toBe('00:00');
    expect(await page.evaluate(() => window.enfilade!.stage!.scene.state().timed?.state)).toBe('ended');
    expect((await scoreIn(page)).paused).toBe(true);
    await context.close();
  });
});

describe('a visitor who waits', () => {
  test('at the countdown is given the room when it starts, and is on time in its sequence', async () => {
    const { path, start } = await publish(10, { show_countdown: true });
    const { page, context, faults } = await newVisitor(web.browser);
    await page.clock.install();
    const rooms: unknown[] = [];
    page.on('response', async (response) => {
      if (!response.url().includes('/api/v1/endpoints/')) return;
      rooms.push((await response.json()).data.room);
    });
    await page.goto(web.app.origin + path);
    await page.getByRole('timer').waitFor();
    await expect.poll(() => rooms).toEqual([null]);
    await pass(page, start - web.app.clock.now() + 2000);
    await page.locator('#entrance.is-ready').waitFor();
    await expect.poll(() => rooms.at(-1)).toMatchObject({ title: 'Show' });
    await page.locator('#entrance').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    const late = async () => Math.abs((await timeIn(page)) - (web.app.clock.now() - start) / 1000);
    await expect.poll(late).toBeLessThan(60);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('at a door meets the countdown of the room behind it, and may go back', async () => {
    const { path } = await publish(10, { show_countdown: true });
    const [, slug_one] = path.split('/');
    const foyer = await web.app.publish({ title: 'Foyer' });
    const { page, context } = await newVisitor(web.browser);
    await enterRoom(page, web.app.origin + foyer);
    await page.evaluate(
      (to) => window.enfilade!.follow({ type: 'slug', type_config: { slug_one: to!, slug_two: '' } }),
      slug_one,
    );
    await page.getByRole('heading', { name: /This room starts at/ }).waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('timer').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(foyer);
    await context.close();
  });

  test('in front of a sequence without a start begins it by entering', async () => {
    const { path } = await publish(0, { is_timed: false, start_time: null, start_time_utc_offset: null });
    const { page, context, faults } = await newVisitor(web.browser);
    await page.clock.install();
    await page.goto(web.app.origin + path);
    await page.locator('#entrance.is-ready').waitFor();
    await pass(page, 600_000);
    expect(await timeIn(page)).toBe(0);
    await page.locator('#entrance').press('Enter');
    await expect.poll(() => timeIn(page)).toBeGreaterThan(0);
    expect(await timeIn(page)).toBeLessThan(60);
    expect(faults).toEqual([]);
    await context.close();
  });
});

test('a timed room is at the right moment again after its device slept', async () => {
  const { path } = await publish(-5);
  const { page, close } = await newVisitor(web.browser);
  await enterRoom(page, web.app.origin + path);
  const time = () => timeIn(page);
  await expect.poll(time).toBeGreaterThan(290);
  const before = await time();
  // Some systems stop this clock while they sleep.
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() - 45_000;
  });
  await expect.poll(time).toBeLessThan(before - 30);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(time).toBeGreaterThan(before);
  await close();
});
