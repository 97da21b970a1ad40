import { describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { buildRoom, type Written } from '../../harness/canvas-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const suite = webSuite();

const page = (name: string, fields: Partial<Written> = {}): Written => ({
  element: 'html',
  name,
  width: 100,
  height: 100,
  ...fields,
  config: { body: `<p>${name}</p>` },
});

/** Opens the preview of a room and waits until it plays. */
async function openPreview(roomId: number) {
  const visitor = await openAdmin(suite.app, suite.browser, `/admin/editor/preview/${roomId}`, {
    deviceScaleFactor: 1,
  });
  await visitor.page.waitForFunction(() => window.enfiladePreview?.state === 'ready');
  return visitor;
}

describe('the preview', () => {
  test('a timed room plays from 0, pauses, is sought, and shows its pop-up at its moment', async () => {
    const { id } = await buildRoom(suite.app, [page('Page')], {
      config: {
        duration: 120,
        show_timed_timer: 'top_left',
        show_timed_popup: true,
        timed_popup_offset: 60,
        timed_popup_text: '<p>Half time</p>',
      },
    });
    const { page: tab, close, faults } = await openPreview(id);
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe('Preview of Room');
    const moment = tab.getByLabel('Time', { exact: true });
    await expect.poll(() => moment.inputValue(), { timeout: 30_000 }).toMatch(/^00:0\d:(?!00)\d\d$/);
    await tab.getByRole('button', { name: 'Pause' }).click();
    const still = await moment.inputValue();
    await tab.evaluate(async () => {
      for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);
    });
    expect(await moment.inputValue()).toBe(still);
    await expect.poll(() => tab.getByLabel('Time left').textContent()).toMatch(/^0[01]:\d\d$/);
    // At half of the track, by pointer.
    const track = tab.getByRole('slider', { name: 'Moment' });
    const box = (await track.boundingBox())!;
    await tab.mouse.click(box.x + box.width * 0.25, box.y + box.height / 2);
    await expect.poll(() => moment.inputValue()).toBe('00:00:30');
    expect(await tab.getByText('Half time').isVisible()).toBe(false);
    await tab.getByRole('button', { name: 'Pop-up: 00:01:00' }).click();
    await tab.getByText('Half time').waitFor();
    await tab.getByRole('button', { name: 'OK' }).click();
    await tab.getByText('Half time').waitFor({ state: 'detached' });
    await track.focus();
    await tab.keyboard.press('End');
    await expect.poll(() => moment.inputValue()).toBe('00:02:00');
    await tab.keyboard.press('Home');
    await tab.keyboard.press('ArrowRight');
    await expect.poll(() => moment.inputValue()).toBe('00:00:10');
    // As it is typed; what is no time changes nothing.
    await moment.fill('1:20');
    await moment.press('Enter');
    await expect.poll(() => track.getAttribute('aria-valuenow')).toBe('80');
    await moment.fill('soon');
    await moment.press('Enter');
    expect(await moment.inputValue()).toBe('00:01:20');
    expect(faults).toEqual([]);
    await tab.getByRole('link', { name: 'Back to the editor' }).click();
    await tab.waitForURL(`**/admin/editor/${id}`);
    await close();
  });

  test('a room without a sequence has the day: quarter hours, hours, and its windows, which open and close', async () => {
    // The browser's own offset, so that the window opens at six on its clock.
    const utc_offset = new Date().getTimezoneOffset();
    const { id, ids } = await buildRoom(suite.app, [
      page('Morning', { start_time: '06:00', end_time: '12:00', utc_offset }),
      { element: 'audio', name: 'Bell', config: { timed: true } },
      {
        element: 'button',
        name: 'Door',
        config: { title: 'Door', navigation: { type: 'url', type_config: { url: 'https://example.com/hall' } } },
      },
    ]);
    const { page: tab, close } = await openPreview(id);
    const track = tab.getByRole('slider', { name: 'Moment' });
    expect(await track.getAttribute('aria-valuemax')).toBe('86400');
    expect(await track.locator('i').count()).toBe(97);
    expect(await track.locator('i[data-large]').count()).toBe(25);
    expect(await tab.getByRole('button', { name: /^Timed: Bell/ }).count()).toBe(1);
    const isThere = () =>
      tab.evaluate((wanted) => {
        const scene = window.enfiladePreview!.scene!;
        return scene.isVisible(scene.entityOf(wanted)!);
      }, ids.Morning!);
    expect(await isThere()).toBe(false);
    await tab.getByRole('button', { name: 'Visible: Morning, 06:00:00 to 12:00:00' }).click();
    await expect.poll(isThere).toBe(true);
    await track.focus();
    await tab.keyboard.press('End');
    await expect.poll(isThere).toBe(false);
    // A link is said and not followed.
    await tab.getByRole('button', { name: 'Door', exact: true }).press('Enter');
    await tab.getByText('For visitors, this follows a link: URL, https://example.com/hall.').waitFor();
    expect(new URL(tab.url()).pathname).toBe(`/admin/editor/preview/${id}`);
    await close();
  });

  test('it has what visitors have: title, links in the corners, view points, sound, pads, and pop-ups that lead on', async () => {
    const { id, ids } = await buildRoom(
      suite.app,
      [
        page('Page'),
        { element: 'view_point', name: 'Window', position_x: 400, config: { name: 'Window' } },
        { element: 'view_point', name: 'Cellar', hidden: true, config: { name: 'Cellar' } },
        { element: 'audio', name: 'Bell' },
      ],
      {},
    );
    const link = (name: string, navigation: object) => ({ name, navigation });
    const room = await suite.app.client.rooms.read({ params: { id } });
    await suite.app.client.rooms.update({
      params: { id },
      body: {
        updated_at: room.updated_at,
        config: {
          duration: 120,
          show_timed_popup: true,
          timed_popup_offset: 60,
          timed_popup_text: '<p>Half time</p>',
          timed_popup_action_center: link('To the window', {
            type: 'view_point',
            type_config: { view_point_id: ids.Window! },
          }),
          top_right_link: link('Programme', {
            type: 'modal_content',
            type_config: { title: 'Tonight', content: '<p>Eight songs</p>' },
          }),
        } as never,
      },
    });
    const { page: tab, close, faults } = await openPreview(id);
    const controls = tab.locator('#overlay');
    await controls.getByText('Room', { exact: true }).waitFor();
    const [view, over] = [await tab.getByRole('application').boundingBox(), await controls.boundingBox()];
    expect(over, 'over the room, not over the page').toEqual(view);
    await controls.getByRole('button', { name: 'Programme' }).click();
    await tab.getByRole('dialog', { name: 'Tonight' }).getByRole('button', { name: 'OK' }).click();
    await controls.getByRole('button', { name: 'Mute', exact: true }).click();
    await controls.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    const at = () => tab.evaluate(() => Math.round(window.enfiladePreview!.stage!.pose.position.x));
    const before = await at();
    await controls
      .getByRole('button', { name: 'Step right' })
      .or(controls.getByRole('button', { name: 'Right' }))
      .first()
      .click();
    await expect.poll(at).toBeGreaterThan(before);
    await controls.getByRole('button', { name: 'View points' }).click();
    expect(await controls.getByRole('listitem').allTextContents()).toEqual(['Window']);
    await controls.getByRole('button', { name: 'View points' }).click();
    await tab.getByRole('button', { name: 'Pop-up: 00:01:00' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'To the window' }).click();
    await tab.getByText('Half time').waitFor({ state: 'detached' });
    await expect.poll(at, { timeout: 20_000 }).toBeGreaterThan(350);
    expect(await accessibilityFaults(tab)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  test('on a phone it is a page of its own of the same size, at the same moment, and the window has it again', async () => {
    const { id } = await buildRoom(suite.app, [page('Page')], { config: { duration: 120 } });
    const { page: tab, close, faults } = await openPreview(id);
    await tab.getByRole('button', { name: 'Pause' }).click();
    const moment = tab.getByLabel('Time', { exact: true });
    await moment.fill('1:00');
    await moment.press('Enter');
    const ready = () => tab.waitForFunction(() => window.enfiladePreview?.state === 'ready');
    for (const [name, title, width, height] of [
      ['Portrait', 'Room on a phone', 390, 844],
      ['Landscape', 'Room on a phone on its side', 844, 390],
    ] as const) {
      await tab.getByText(name, { exact: true }).click();
      const frame = tab.locator(`iframe[title="${title}"]`);
      const phone = frame.contentFrame();
      await phone.getByRole('application', { name: 'Room' }).waitFor();
      await ready();
      expect(await phone.locator('body').evaluate(() => [innerWidth, innerHeight])).toEqual([width, height]);
      // All of it is to be seen, however small the window is, and it takes the pointer where it is drawn.
      const box = (await frame.boundingBox())!;
      expect(box.width / box.height).toBeCloseTo(width / height, 2);
      expect(box.height).toBeLessThan(tab.viewportSize()!.height);
      await phone.locator('#overlay').getByRole('button', { name: 'More' }).click();
      await phone.getByRole('button', { name: 'Help' }).click();
      await phone.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
      expect(await moment.inputValue()).toBe('00:01:00');
      await tab.getByRole('button', { name: 'Play', exact: true }).click();
      await expect.poll(() => moment.inputValue()).not.toBe('00:01:00');
      await tab.getByRole('button', { name: 'Pause' }).click();
      await moment.fill('1:00');
      await moment.press('Enter');
    }
    expect(await accessibilityFaults(tab)).toEqual([]);
    // By the keyboard alone.
    await tab.getByRole('radio', { name: 'Landscape' }).focus();
    await tab.keyboard.press('ArrowLeft');
    await tab.keyboard.press('ArrowLeft');
    await tab.locator('#overlay').waitFor();
    await ready();
    expect(await tab.locator('iframe').count()).toBe(0);
    expect(await moment.inputValue()).toBe('00:01:00');
    expect(faults).toEqual([]);
    // The frame alone is nothing: it leads to the preview.
    await tab.goto(`${suite.app.origin}/admin/editor/preview/${id}/frame`);
    await tab.waitForURL(`**/admin/editor/preview/${id}`);
    await close();
  });

  test('without an access token a visitor stands before the entrance, where a structure asks for one', async () => {
    const { client } = suite.app;
    const { id } = await buildRoom(suite.app, [page('Page')], {});
    const open = await openPreview(id);
    expect(await open.page.getByLabel('Visitor').count()).toBe(0);
    const vault = await client.endpoints.create({
      body: { name: 'Vault', room_id: id, is_protected: true, show_countdown: true, start_time: '19:55' },
    });
    const give = (token: string, valid_till: string | null = null) =>
      client.accessTokens.create({ body: { endpoint_id: vault.id, token, valid_till } });
    await Promise.all([give('open sesame'), give('too late', '2020-01-01T00:00:00Z')]);
    await open.close();
    const { page: tab, close, faults } = await openPreview(id);
    await tab.getByRole('application', { name: 'Room' }).waitFor();
    await tab.getByLabel('Visitor').selectOption('Without access token');
    const code = tab.getByLabel('Your personal code');
    await code.waitFor();
    expect(await tab.getByRole('application', { name: 'Room' }).count()).toBe(0);
    // It covers the room, and not what leads on.
    const door = (await tab.locator('#entry').boundingBox())!;
    const bar = (await tab.locator('header').boundingBox())!;
    expect(door.y).toBeGreaterThanOrEqual(bar.y + bar.height - 1);
    expect(await accessibilityFaults(tab)).toEqual([]);
    await tab.getByText('Portrait', { exact: true }).click();
    const phone = tab.locator('iframe').contentFrame();
    const enter = async (token: string) => {
      await phone.getByLabel('Your personal code').fill(token);
      await phone.getByRole('button', { name: 'Login' }).click();
    };
    // What opens nothing is refused, as on a visit.
    await enter('anything');
    const refused = phone.getByRole('alert');
    await expect.poll(() => refused.textContent()).toMatch(/code/);
    const wrong = await refused.textContent();
    await enter('too late');
    await expect.poll(() => refused.textContent()).not.toBe(wrong);
    await enter('open sesame');
    await phone.getByRole('button', { name: /Click to enter the world/ }).click();
    await tab.waitForFunction(() => window.enfiladePreview?.state === 'ready');
    const [token] = (await client.accessTokens.list({ query: { search: 'open sesame' } })).data;
    expect(token!.first_used_at, 'its time begins with its visitor').toBe(null);
    await tab.getByLabel('Visitor').selectOption('With access token');
    await phone.getByRole('button', { name: /Click to enter the world/ }).waitFor();
    await tab.getByText('Window', { exact: true }).click();
    // Before it opens, at any moment that is typed, visitors see how long it takes; then they come in.
    await tab.getByLabel('Begin').selectOption('Before it opens');
    await tab.getByRole('heading', { name: /^This room starts at \d\d:\d\d$/ }).waitFor();
    const left = tab.getByRole('timer');
    await expect.poll(() => left.textContent()).toMatch(/^00:0[45]:\d\d$/);
    expect(await accessibilityFaults(tab)).toEqual([]);
    await tab.getByLabel('Time', { exact: true }).fill('-2:00:00');
    await tab.keyboard.press('Enter');
    await expect.poll(() => left.textContent()).toMatch(/^01:59:\d\d|02:00:00$/);
    await tab.getByLabel('Time', { exact: true }).fill('-0:00:01');
    await tab.keyboard.press('Enter');
    await tab.getByRole('button', { name: /Click to enter the world/ }).press('Enter');
    await tab.waitForFunction(() => window.enfiladePreview?.state === 'ready');
    await tab.getByLabel('Begin').selectOption('In the room');
    await tab.waitForFunction(() => window.enfiladePreview?.state === 'ready');
    expect(await tab.getByRole('button', { name: /Click to enter the world/ }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  test('the last edit is in it, saved or not; back in the editor, all that was selected is, seen from where one stood', async () => {
    const { id } = await buildRoom(suite.app, [page('One'), page('Two', { position_x: 200 })], {});
    const editor = await EditorDriver.open(suite.app, suite.browser, id);
    const { page: tab } = editor;
    await tab.waitForFunction(() => window.enfiladeCanvas?.stage);
    await editor.select('One');
    await tab.keyboard.down('Control');
    await editor.select('Two');
    await tab.keyboard.up('Control');
    // Nothing is saved from here on.
    await tab.route('**/api/v1/backend/rooms/*/commands', (route) => route.abort());
    const before = await tab.evaluate(() => window.enfiladeCanvas!.stage!.camera.matrixWorld.elements.join());
    await editor.page.getByRole('application', { name: 'Room' }).focus();
    await tab.keyboard.press('ArrowUp');
    await tab.getByRole('link', { name: 'Preview' }).click();
    await tab.waitForFunction(() => window.enfiladePreview?.state === 'ready');
    const places = await tab.evaluate(() => window.enfiladePreview!.room.elements.map(({ position_y }) => position_y));
    expect(places).toEqual([10, 10]);
    await tab.unroute('**/api/v1/backend/rooms/*/commands');
    await tab.getByRole('link', { name: 'Back to the editor' }).click();
    await editor.ready();
    await tab.waitForFunction(() => window.enfiladeCanvas?.stage);
    await expect
      .poll(() => tab.evaluate(() => window.enfiladeCanvas!.stage!.camera.matrixWorld.elements.join()))
      .toBe(before);
    await tab.getByRole('region', { name: 'Selection window' }).waitFor();
    await tab.keyboard.press('Control+z');
    await editor.saved();
    const room = await suite.app.client.rooms.read({ params: { id } });
    expect(room.elements.map(({ position_y }) => position_y)).toEqual([0, 0]);
    await editor.close();
  });

  test('the timeline is enlarged by wheel, keys and buttons, and holds 2,000 elements with their names', async () => {
    const utc_offset = new Date().getTimezoneOffset();
    const { id } = await buildRoom(suite.app, [], {});
    const commands = Array.from({ length: 2000 }, (_, index) => ({
      type: 'element.add' as const,
      element: {
        id: -1 - index,
        element: 'group',
        name: `Page ${index}`,
        start_time: '06:00',
        end_time: index % 2 ? '18:00' : '12:00',
        utc_offset,
      },
    }));
    for (let mutation = 1; mutation <= 4; mutation++)
      await suite.app.client.rooms.commit({
        params: { id },
        body: { client: 'test', mutation, commands: commands.slice((mutation - 1) * 500, mutation * 500) },
      });
    const { page: tab, close, faults } = await openPreview(id);
    await tab.getByRole('button', { name: 'Pause' }).click();
    const events = tab.getByRole('list', { name: 'Events' });
    await events.getByRole('button', { name: 'Visible: Page 0, 06:00:00 to 12:00:00' }).waitFor();
    expect(await events.getByRole('listitem').count(), 'only those that show').toBeLessThan(60);
    const track = tab.getByRole('slider', { name: 'Moment' });
    const times = () => track.locator('span').allTextContents();
    const width = async () => (await track.boundingBox())!.width;
    const whole = await width();
    // Under the pointer stays what was under it.
    const scale = (await track.boundingBox())!;
    const x = scale.x + scale.width / 2;
    await tab.mouse.move(x, scale.y + 10);
    await tab.keyboard.down('Control');
    await tab.mouse.wheel(0, -600);
    await tab.keyboard.up('Control');
    await expect.poll(width).toBeGreaterThan(whole * 10);
    await tab.mouse.click(x, scale.y + 10);
    const moment = tab.getByLabel('Time', { exact: true });
    expect(await moment.inputValue()).toMatch(/^1[12]:[05]\d:\d\d$/);
    expect((await times()).some((text) => /^1[12]:[1-5]0$/.test(text))).toBe(true);
    await track.press('+');
    await expect.poll(width).toBeGreaterThan(whole * 20);
    await tab.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(width).toBeLessThan(whole * 20);
    // What is gone to comes into sight.
    await moment.fill('20:00');
    await moment.press('Enter');
    await expect.poll(async () => (await times()).includes('20:00')).toBe(true);
    await track.press('0');
    await expect.poll(width).toBe(whole);
    // Rows further down come when they are scrolled to.
    await tab.mouse.move(x, scale.y + 80);
    await tab.mouse.wheel(0, 11_000);
    await events.getByRole('button', { name: /^Visible: Page 1000,/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
