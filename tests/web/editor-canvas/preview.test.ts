import { describe, expect, test } from 'vitest';
import { accessibilityFaults, openAdmin } from '../../harness/admin-page.ts';
import { buildRoom, type Written } from '../../harness/canvas-page.ts';
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
  const visitor = await openAdmin(suite.app, suite.browser, `/admin/editor/preview/${roomId}`);
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
    await expect.poll(() => moment.textContent(), { timeout: 30_000 }).toMatch(/^00:0\d:(?!00)\d\d \/ 00:02:00$/);
    await tab.getByRole('button', { name: 'Pause' }).click();
    const still = await moment.textContent();
    await tab.evaluate(async () => {
      for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);
    });
    expect(await moment.textContent()).toBe(still);
    await expect.poll(() => tab.getByLabel('Time left').textContent()).toMatch(/^0[01]:\d\d$/);
    // At half of the track, by pointer.
    const track = tab.getByRole('slider', { name: 'Moment' });
    const box = (await track.boundingBox())!;
    await tab.mouse.click(box.x + box.width * 0.25, box.y + box.height / 2);
    await expect.poll(() => moment.textContent()).toBe('00:00:30 / 00:02:00');
    expect(await tab.getByText('Half time').isVisible()).toBe(false);
    await tab.getByRole('button', { name: 'Pop-up: 00:01:00' }).click();
    await tab.getByText('Half time').waitFor();
    await tab.getByRole('button', { name: 'OK' }).click();
    await tab.getByText('Half time').waitFor({ state: 'detached' });
    await track.focus();
    await tab.keyboard.press('End');
    await expect.poll(() => moment.textContent()).toBe('00:02:00 / 00:02:00');
    await tab.keyboard.press('Home');
    await tab.keyboard.press('ArrowRight');
    await expect.poll(() => moment.textContent()).toBe('00:00:10 / 00:02:00');
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
});
