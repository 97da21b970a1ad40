import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { webSuite } from '../harness/web-suite.ts';
import { idOf, newGuest, send, visitTree, type Written } from './elements/play.ts';

const suite = webSuite();

const LONG = 'A text of fifty characters or more is read below it, not above.';

/** A slider of a picture, a short text and a page, and the controls that `visitTree` hides. */
async function visitSlider() {
  const { app, browser } = suite;
  const { id: file_id } = await app.upload('fixtures/media/pictures/reeds-at-dusk.jpg');
  const guest = await newGuest(app, browser);
  const children: Written[] = [
    {
      element: 'image',
      name: 'Reeds',
      file_id,
      width: 200,
      position_x: -120,
      config: { text: LONG, title: 'Reeds at dusk', author: 'Somebody', date: '2024' },
    },
    { element: 'text', name: 'Words', position_x: 120, config: { text: 'A short text' } },
    { element: 'audio', name: 'No slide' },
    { element: 'html', name: 'Page', position_y: 900, config: { body: '<p>A page <script>alert(1)</script></p>' } },
  ];
  await visitTree(app, guest, [{ element: 'group', name: 'Slider', config: { slider_enabled: true }, children }]);
  await guest.page.addStyleTag({ content: '#overlay { display: block !important }' });
  return guest;
}

const slideOf = async (page: Page) => ({
  at: await page.getByRole('status', { name: /^Slide/ }).getAttribute('aria-label'),
  shown: await page.evaluate(() => window.enfilade!.state.slide?.element.name),
});

describe('a slider', () => {
  test('opens at what was pressed, and keys lead around it both ways', async () => {
    const guest = await visitSlider();
    const { page } = guest;
    const before = await page.evaluate(() => ({ ...window.enfilade!.stage!.pose.position }));
    await page.mouse.click(150, 150);
    const dialog = page.getByRole('dialog', { name: 'Slider' });
    await dialog.waitFor();
    const picture = dialog.getByRole('img', { name: 'Reeds at dusk' });
    await picture.waitFor();
    // A small screen takes a small copy.
    expect(await picture.getAttribute('srcset')).toMatch(/\?width=245 245w, \S+\?width=490 490w, \S+ \d+w$/);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('dialog img')!.naturalWidth > 0);
    expect(await slideOf(page)).toEqual({ at: 'Slide 1 of 3', shown: 'Reeds' });
    await dialog.getByRole('heading', { name: 'Reeds at dusk' }).waitFor();
    await dialog.getByText(LONG).waitFor();
    await dialog.getByText('Somebody, 2024').waitFor();

    const next = dialog.getByRole('button', { name: 'Next slide' });
    const isFocused = () => next.evaluate((button) => document.activeElement === button);
    for (const [key, at, shown] of [
      ['ArrowRight', 2, 'Words'],
      ['ArrowRight', 3, 'Page'],
      ['ArrowRight', 1, 'Reeds'],
      ['ArrowLeft', 3, 'Page'],
      ['ArrowLeft', 2, 'Words'],
      ['ArrowLeft', 1, 'Reeds'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => slideOf(page)).toEqual({ at: `Slide ${at} of 3`, shown });
      expect(await isFocused()).toBe(true);
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => slideOf(page)).toEqual({ at: 'Slide 2 of 3', shown: 'Words' });
    await dialog.getByRole('heading', { name: 'A short text' }).waitFor();
    // The arrows were the slider's, not the room's.
    expect(await page.evaluate(() => ({ ...window.enfilade!.stage!.pose.position }))).toEqual(before);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('closes with Esc, its cross and a press beside it, and gives the focus back', async () => {
    const guest = await visitSlider();
    const { page } = guest;
    const dialog = page.getByRole('dialog', { name: 'Slider' });
    const link = page.getByRole('link', { name: /home/ });
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(4, 150),
    ]) {
      await link.focus();
      await send(page, { type: 'slider.open', element_id: await idOf(page, 'Slider') });
      await dialog.waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
      expect(await link.evaluate((each) => document.activeElement === each)).toBe(true);
      expect(await page.evaluate(() => window.enfilade!.stage!.scene.state().slider)).toBe(undefined);
    }
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.close();
  });

  test('enlarges an image over the room without moving the visitor, and goes on where it was', async () => {
    const guest = await visitSlider();
    const { page } = guest;
    const before = await page.evaluate(() => ({ ...window.enfilade!.stage!.pose.position }));
    await send(page, { type: 'slider.open', element_id: await idOf(page, 'Reeds') });
    const slide = page.getByRole('dialog', { name: 'Slider' });
    await slide.getByRole('button', { name: 'Reeds at dusk' }).click();
    const look = page.getByRole('dialog', { name: 'Reeds at dusk' });
    await look.getByRole('button', { name: 'Zoom in' }).click();
    await look.getByText('150 %').waitFor();
    await page.keyboard.press('Escape');
    await look.waitFor({ state: 'detached' });
    expect(await slideOf(page)).toEqual({ at: 'Slide 1 of 3', shown: 'Reeds' });
    expect(await page.evaluate(() => ({ ...window.enfilade!.stage!.pose.position }))).toEqual(before);
    await guest.close();
  });

  test('stands still for those who asked for less motion, and runs no script of a page', async () => {
    const guest = await visitSlider();
    const { page } = guest;
    const opened = () => page.evaluate(() => document.querySelector('dialog figure')?.getAnimations().length);
    await send(page, { type: 'slider.open', element_id: await idOf(page, 'Page') });
    await expect.poll(opened).toBeGreaterThanOrEqual(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => slideOf(page)).toEqual({ at: 'Slide 3 of 3', shown: 'Page' });
    expect(await opened()).toBe(0);
    await page.getByText('A page').first().waitFor();
    expect(await page.locator('dialog script').count()).toBe(0);
    expect([guest.faults, guest.strays]).toEqual([[], []]);
    await guest.context.close();
  });
});
