import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { enterRoom, newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();
const small = { width: 800, height: 600, depth: 800 };

const button = (title: string, position_y: number, navigation: unknown) => ({
  element: 'button' as const,
  width: 300,
  height: 80,
  position_y,
  position_z: -600,
  config: { title, font_size: 40, navigation },
});

/** What has the focus, as a screen reader names it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
  });

let path: string;

/** A room with everything that opens over it, one link of which leads to a room behind a code. */
beforeAll(async () => {
  const { client } = suite.app;
  const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
  path = await suite.app.publish({ ...small, title: 'Hall' }, [
    button('About us', 200, { type: 'modal_static', type_config: { name: 'about' } }),
    button('Slides', 100, { type: 'slider', type_config: {} }),
    button('Write', 0, { type: 'modal_share', type_config: { feed_id: feed.id } }),
    button('To the vault', -100, { type: 'slug', type_config: { slug_one: 'vault' } }),
    { element: 'group', name: 'Pictures', config: { slider_enabled: true } },
  ]);
  const { id, elements } = (await client.visit.one({ params: { slugOne: path.slice(1) } })).room!;
  const slide = {
    element: 'html',
    parent_element_id: elements.at(-1)!.id,
    config: { body: '<p>A slide</p>' },
  } as const;
  await client.rooms.addElement({ params: { id }, body: slide });
  const vault = await client.rooms.create({ body: { title: 'Vault' } });
  await client.endpoints.create({ body: { name: 'Vault', room_id: vault.id, is_protected: true } });
});

describe('a visitor with a keyboard', () => {
  test('stops walking when a modifier key is pressed, after which macOS reports no keyup', async () => {
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const z = () => page.evaluate(() => window.enfilade!.stage!.pose.position.z);
    const begun = await z();
    await page.keyboard.down('KeyS');
    await expect.poll(z).not.toBe(begun);
    await page.keyboard.down('Meta');
    // The camera glides to rest.
    let before = Number.NaN;
    await expect
      .poll(
        async () => {
          const [last, now] = [before, await z()];
          before = now;
          return last === now;
        },
        { interval: 400 },
      )
      .toBe(true);
    await page.keyboard.up('Meta');
    await page.keyboard.up('KeyS');
    await close();
  });

  test('finds the focus again where it was, whatever opened and closed', async () => {
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    expect(await focused(page)).toBe('Hall');

    const more = page.getByRole('button', { name: 'More' });
    await more.press('Enter');
    await page.getByRole('button', { name: 'Help' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('More');
    await more.press('Enter');
    await page.getByRole('button', { name: 'Help' }).press('Enter');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('More');

    for (const [name, dialog] of [
      ['About us', /^About/],
      ['Slides', 'Slider'],
      ['Write', 'Share'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).press('Enter');
      await page.getByRole('dialog', { name: dialog }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await focused(page)).toBe(name);
    }
    await close();
  });

  test('is asked for a code on the way to another room, reaches nothing behind the question, and may stay', async () => {
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const ask = async () => {
      await page.getByRole('button', { name: 'To the vault' }).press('Enter');
      await page.getByLabel('Your personal code').waitFor();
    };
    await ask();
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('#room, #overlay, #entrance'))).toBeNull();
    }
    await page.getByLabel('Your personal code').press('Escape');
    await page.locator('#entrance').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('Hall');
    await ask();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'More' }).press('Enter');
    expect(new URL(page.url()).pathname).toBe(path);
    // Who comes from nowhere has nowhere to go back to.
    await page.goto(`${suite.app.origin}/vault`);
    await page.getByLabel('Your personal code').waitFor();
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0);
    await close();
  });
});

describe('a line that breaks', () => {
  test('takes no control along; what could not be fetched is asked for again', async () => {
    const { page, context } = await newVisitor(suite.browser, { isNew: true });
    await enterRoom(page, suite.app.origin + path);
    await page.getByRole('button', { name: 'More' }).waitFor();
    await context.setOffline(true);
    const write = page.getByRole('button', { name: 'Write' });
    await write.press('Enter');
    const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    expect(await page.getByRole('button', { name: 'More' }).count()).toBe(1);
    await context.setOffline(false);
    await retry.click();
    const name = page.getByRole('dialog', { name: 'Share' }).getByLabel('Your name');
    await name.waitFor();
    // Its styles were lost with it, and come along now.
    await expect.poll(() => name.evaluate((field) => field.clientWidth)).toBeGreaterThan(400);
    await context.close();
  });
});

describe('a visitor with fingers', () => {
  test('is left alone with the room: controls that were touched hide, and sentences go', async () => {
    const options = { hasTouch: true, isMobile: true, permissions: ['clipboard-write'] };
    const { page, context } = await newVisitor(suite.browser, options);
    await page.clock.install();
    await page.goto(suite.app.origin + path);
    await page.locator('#entrance.is-ready').tap();
    const controls = page.locator('[data-entered="true"]');
    await controls.waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const more = page.getByRole('button', { name: 'More' });
    await page.keyboard.press('Shift');
    await more.tap();
    await page.getByRole('button', { name: 'Copy link to this view' }).tap();
    const sentence = page.getByRole('status').getByText('Link to this view copied.');
    await sentence.waitFor();
    await more.tap();
    await more.tap();
    await page.clock.runFor(5200);
    await expect.poll(() => controls.getAttribute('data-idle')).toBe('true');
    await sentence.waitFor({ state: 'detached' });
    await context.close();
  });
});

test('who took the sound away finds the next room silent too', async () => {
  const song = { element: 'audio', name: 'Song', config: { file_url: '/media/none.mp3' } } as const;
  const there = await suite.app.publish({ ...small, title: 'There' }, [song]);
  const door = button('Go', 0, { type: 'slug', type_config: { slug_one: there.slice(1) } });
  const here = await suite.app.publish({ ...small, title: 'Here' }, [song, door]);
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, suite.app.origin + here);
  await page.getByRole('button', { name: 'Mute', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Go', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'There' }).waitFor();
  await page.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
  const isMuted = await page.evaluate(() => {
    const { scene } = window.enfilade!.stage!;
    return scene.media(scene.entityOf(scene.room.elements[0]!.id)!)!.muted;
  });
  expect(isMuted).toBe(true);
  await close();
});

test('the front page keeps the title that the organization gave it', async () => {
  await suite.app.client.organizations.update({ body: { name: 'One', meta_title: 'Rooms to walk through' } });
  const { page, close } = await newVisitor(suite.browser);
  await enterRoom(page, `${suite.app.origin}/`);
  expect(await page.title()).toBe('Rooms to walk through');
  await close();
});
