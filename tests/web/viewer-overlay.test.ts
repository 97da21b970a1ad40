import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { enterRoom, newVisitor, sharedBrowser } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';

const suite = webSuite();

const content = (name: string) => ({
  name,
  navigation: { type: 'modal_content' as const, type_config: { title: `About ${name}`, content: `<p>${name}.</p>` } },
});
const camera = { rotate: true, rotate_left_button: true };
const small = { width: 800, height: 600, depth: 800 };
const dialogIn = (page: Page) => page.getByRole('dialog');
const layerOf = (page: Page, name: string) =>
  page.evaluate((wanted) => window.dataLayer!.filter(({ event }) => event === wanted), name);
const positionOf = (page: Page) => page.evaluate(() => ({ ...window.enfilade!.stage!.pose.position }));

/** Enters a room that greets visitors with a dialog. */
async function enterGreeted(page: Page, url: string): Promise<void> {
  await enterRoom(page, url);
  await dialogIn(page).waitFor();
}

describe('links and pop-ups of a room', () => {
  test.each([390, 1280])('a long corner link leaves the title of the room readable, %s pixels wide', async (width) => {
    const path = await suite.app.publish({
      ...small,
      title: 'Eight rooms by the lake',
      config: { top_right_link: content('Everything about the exhibition and its long opening hours') },
    });
    const { page, close } = await newVisitor(suite.browser, { viewport: { width, height: 700 } });
    await enterRoom(page, suite.app.origin + path);
    const title = page.getByRole('heading', { name: 'Eight rooms by the lake' });
    await title.waitFor();
    const { shown, whole } = await title.evaluate((words) => ({ shown: words.clientWidth, whole: words.scrollWidth }));
    expect(shown).toBeGreaterThanOrEqual(Math.min(whole, width / 4));
    await close();
  });

  test('the start pop-up greets, the timed one follows once and asks for an action, four corners lead on', async () => {
    const path = await suite.app.publish({
      ...small,
      title: 'Show',
      description: '<p>Welcome to the show.</p>',
      config: {
        duration: 4000,
        show_start_popup: true,
        show_timed_timer: 'top_right',
        show_timed_popup: true,
        timed_popup_text: '<p>It goes on next door.</p>',
        timed_popup_action_left: content('Stay'),
        timed_popup_action_right: { name: 'Dismiss', navigation: { type: 'disabled' } },
        timed_popup_action_required: true,
        top_left_link: content('North west'),
        top_right_link: content('North east'),
        bottom_left_link: content('South west'),
        bottom_right_link: { name: 'Ring', navigation: { type: 'event', type_config: { name: 'bell' } } },
      },
    });
    const { page, close, faults } = await newVisitor(suite.browser);
    await enterGreeted(page, suite.app.origin + path);
    await page.getByText('Welcome to the show.').waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await page.getByText('It goes on next door.').waitFor();
    // Only an action closes it: neither Esc, however often, nor a press beside it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await dialogIn(page).getByRole('button').allTextContents()).toEqual(['Stay', 'Dismiss']);
    await page.getByRole('button', { name: 'Stay' }).click();
    await dialogIn(page).getByRole('heading', { name: 'About Stay' }).waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await dialogIn(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => window.enfilade!.stage!.scene.state().popup)).toBe('dismissed');

    expect(await page.getByRole('timer', { name: 'Time left' }).textContent()).toMatch(/^01:0[56]:\d\d$/);
    for (const name of ['North west', 'North east', 'South west']) {
      await page.getByRole('button', { name }).click();
      await dialogIn(page)
        .getByRole('heading', { name: `About ${name}` })
        .waitFor();
      await page.keyboard.press('Escape');
      await dialogIn(page).waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Ring' }).click();
    await expect.poll(() => layerOf(page, 'bell')).toHaveLength(1);
    expect(faults).toEqual([]);
    await close();
  });

  test('a message and a picture are shared; what was typed outlives a closed dialog and a refusal', async () => {
    const feed = await suite.app.client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const navigation = {
      type: 'modal_share' as const,
      type_config: { feed_id: feed.id, success_message: 'It hangs on the wall.', reload_room: true },
    };
    const path = await suite.app.publish({ ...small, config: { top_right_link: { name: 'Write', navigation } } });
    const { page, close } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const open = () => page.getByRole('button', { name: 'Write' }).click();
    await open();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await dialog.getByLabel('Your name').fill('Ann');
    await dialog.getByRole('button', { name: 'Add now' }).click();
    await dialog.getByText('Write a message, or choose an image.').waitFor();
    // What is too long is not cut: it is said, and stays to be shortened.
    await dialog.getByLabel('Your message').fill('x'.repeat(2001));
    await dialog.getByText('2001 / 2000').waitFor();
    await dialog.getByRole('button', { name: 'Add now' }).click();
    await dialog.getByText('Use at most 2,000 characters.').waitFor();
    await dialog.getByLabel('Your message').fill('Hello from here');
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    ]) {
      await close();
      await dialog.waitFor({ state: 'detached' });
      await open();
      await expect.poll(() => dialog.getByLabel('Your message').inputValue()).toBe('Hello from here');
    }
    await dialog
      .getByLabel('Image')
      .setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no') });
    await dialog.getByRole('button', { name: 'Add now' }).click();
    await expect.poll(() => dialog.getByRole('alert').textContent()).not.toBe('');
    expect(await dialog.getByLabel('Your message').inputValue()).toBe('Hello from here');
    await dialog.getByLabel('Image').setInputFiles('fixtures/media/panorama-poster.jpg');
    await page.evaluate(() => Object.assign(window.enfilade!.stage!.room, { before: true }));
    await dialog.getByRole('button', { name: 'Add now' }).click();
    await page.getByRole('status').getByText('It hangs on the wall.').waitFor();
    await page.waitForFunction(() => !('before' in window.enfilade!.stage!.room));
    const items = await suite.app.services.db
      .selectFrom('feed_items')
      .select(['name', 'message', 'media_id'])
      .execute();
    expect(items).toEqual([{ name: 'Ann', message: 'Hello from here', media_id: expect.any(Number) }]);
    await close();
  });
});

describe('moving', () => {
  test('a joystick moves the faster the farther it is dragged, a slider sets the height, arrows stand behind', async () => {
    const path = await suite.app.publish({ width: 4000, height: 1000, depth: 4000, config: { camera } });
    const { page, close, faults } = await newVisitor(suite.browser);
    await enterRoom(page, suite.app.origin + path);
    const stick = (await page.getByRole('img', { name: 'Joystick: drag to move' }).boundingBox())!;
    const middle = [stick.x + stick.width / 2, stick.y + stick.height / 2] as const;
    const before = await positionOf(page);
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 4, middle[1]);
    await page.mouse.move(middle[0] + 50, middle[1]);
    await expect.poll(async () => (await positionOf(page)).x, { timeout: 30_000 }).toBeGreaterThan(before.x + 150);
    await page.mouse.up();
    expect((await positionOf(page)).z).toBeCloseTo(before.z, 0);

    const height = page.getByRole('slider', { name: 'Height' });
    await height.fill('300');
    await expect.poll(async () => (await positionOf(page)).y, { timeout: 30_000 }).toBeCloseTo(300, 0);
    await page.evaluate(() => {
      const { stage, store } = window.enfilade!;
      stage!.rig.reset();
      stage!.invalidate();
      store.set({ viewPoint: null });
    });
    await expect.poll(() => height.inputValue(), { timeout: 30_000 }).toBe('0');

    await page.getByRole('button', { name: 'Forward' }).press('Enter');
    await expect.poll(async () => (await positionOf(page)).z, { timeout: 30_000 }).toBeCloseTo(before.z - 100, 0);
    expect(faults).toEqual([]);
    await close();
  });

  test('links lead to a view point or a place of the camera, and a view is copied as one', async () => {
    const path = await suite.app.publish({ ...small, config: { camera } }, [
      {
        element: 'view_point',
        position_x: 200,
        config: { name: 'Corner', target_position: { x: 200, y: 0, z: -300 } },
      },
    ]);
    const { room } = await suite.app.client.visit.one({ params: { slugOne: path.slice(1) } });
    const { page, close } = await newVisitor(suite.browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    await enterRoom(page, `${suite.app.origin}${path}#camera=-120,40,60,-120,40,-40`);
    expect(await positionOf(page)).toMatchObject({ x: -120, y: 40, z: 60 });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Copy link to this view' }).click();
    await page.getByRole('status').getByText('Link to this view copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`${suite.app.origin}${path}#camera=-120,40,60,-120,40,-40`);

    await page.evaluate((id) => {
      Object.assign(window.enfilade!.stage!.room, { same: true });
      location.hash = `#view_point=${id}`;
    }, room!.elements[0]!.id);
    await expect.poll(async () => (await positionOf(page)).x, { timeout: 30_000 }).toBeCloseTo(200, 0);
    expect(await page.evaluate(() => 'same' in window.enfilade!.stage!.room)).toBe(true);
    expect((await layerOf(page, 'view_point')).at(-1)).toMatchObject({ name: 'Corner' });
    for (const nonsense of ['#camera=1,2,3', '#camera=1,2,3,4,5,NaN', '#camera=1e9,0,0,0,0,0', '#view_point=x']) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, nonsense);
      expect((await positionOf(page)).x).toBeCloseTo(200, 0);
    }
    await close();
  });

  test('a guided tour walks the view points in order, and any input pauses it; without motion it jumps', async () => {
    const point = (name: string, order_rank: number, position_x: number) =>
      ({ element: 'view_point', position_x, config: { name, order_rank } }) as const;
    const path = await suite.app.publish({ ...small }, [
      point('Third', 3, 250),
      point('First', 1, -200),
      point('Second', 2, 100),
    ]);
    const { page, context } = await newVisitor(suite.browser, { reducedMotion: 'reduce' });
    await page.clock.install();
    await page.goto(suite.app.origin + path);
    await page.locator('#entrance.is-ready').press('Enter');
    await page.locator('#room[data-state="ready"]').waitFor();
    await page.getByRole('button', { name: 'Start the guided tour' }).waitFor();
    // From here on time passes only when it is told to.
    await page.clock.pauseAt(Date.now() + 60_000);
    const now = () => page.evaluate(() => window.enfilade!.stage!.pose.position.x);
    const goOn = () => page.clock.runFor(6500);
    await page.getByRole('button', { name: 'Start the guided tour' }).press('Enter');
    await page.clock.runFor(100);
    expect(await now()).toBeCloseTo(-200, 0);
    await goOn();
    expect(await now()).toBeCloseTo(100, 0);
    await page.keyboard.press('Shift');
    await page.getByRole('button', { name: 'Start the guided tour' }).waitFor();
    await goOn();
    expect(await now()).toBeCloseTo(100, 0);
    await page.getByRole('button', { name: 'Start the guided tour' }).press('Enter');
    await page.clock.runFor(100);
    expect(await now()).toBeCloseTo(250, 0);
    await goOn();
    await page.getByRole('button', { name: 'Start the guided tour' }).waitFor();
    expect((await layerOf(page, 'view_point')).map(({ name }) => name)).toEqual(['First', 'Second', 'Third']);
    await context.close();
  });
});

describe('any visitor', () => {
  test('the viewer speaks Dutch where the address or the browser asks for it', async () => {
    const path = await suite.app.publish({ ...small, config: { bottom_right_link: content('Tickets') } });
    const { page, close } = await newVisitor(suite.browser, { locale: 'nl-NL' });
    await page.goto(suite.app.origin + path);
    await page.getByText('Klik om de wereld te betreden...').waitFor();
    await page.locator('#entrance').press('Enter');
    await page.getByRole('navigation', { name: 'Bewegen' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('nl');
    const twin = page.getByRole('link', { name: 'Deze ruimte als tekst lezen' });
    expect(await twin.getAttribute('href')).toBe('?text');
    await page.goto(`${suite.app.origin}${path}?lang=en`);
    await page.getByText('Click to enter the world...').waitFor();
    await close();
  });

  test('a held device looks around, and sound is taken and given back', async () => {
    const path = await suite.app.publish({ ...small, config: { camera } }, [
      { element: 'audio', name: 'Song', config: { file_url: '/media/none.mp3' } },
    ]);
    // A browser without windows has no sensors.
    const { page, context } = await newVisitor(await sharedBrowser('exact'), { hasTouch: true, isMobile: true });
    await enterRoom(page, suite.app.origin + path);
    // Controls that hide in the meantime take no touch before they are awake.
    const tap = async (name: string) => {
      await page.keyboard.press('Shift');
      await page.getByRole('button', { name, exact: true }).tap();
    };
    await tap('Mute');
    await tap('Unmute');
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();

    const protocol = await context.newCDPSession(page);
    const hold = (alpha: number) =>
      protocol.send('DeviceOrientation.setDeviceOrientationOverride', { alpha, beta: 90, gamma: 0 });
    await hold(10);
    await tap('More');
    await tap('Look around by moving the device');
    const azimuth = () => page.evaluate(() => window.enfilade!.stage!.rig.azimuth);
    const before = await azimuth();
    await expect
      .poll(
        async () => {
          // The page listens from some moment on; what it hears then is the beginning.
          await hold(10);
          await hold(55);
          return Math.abs((await azimuth()) - before);
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0.5);
    await context.close();
  });
});
