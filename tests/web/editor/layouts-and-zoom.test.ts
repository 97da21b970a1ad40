import type { CDPSession } from 'playwright';
import { describe, expect, test } from 'vitest';
import { openAdmin } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

async function openRoom(viewport = { width: 1280, height: 800 }) {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Hall' } });
  for (const name of ['Door', 'Gate'])
    await client.rooms.addElement({ params: { id }, body: { element: 'button', name } });
  const visitor = await openAdmin(web.app, web.browser, `/admin/editor/${id}`, { viewport });
  const editor = await EditorDriver.of(visitor, id);
  await editor.page.locator('[aria-label="Room"][data-state="ready"]').waitFor();
  return { id, editor, page: editor.page };
}

const CTRL = 2;
const SHIFT = 8;

/** Presses a key as a keyboard of another layout: its character, and the position of the key. */
async function strike(input: CDPSession, key: string, code: string, modifiers = 0): Promise<void> {
  const common = { key, code, modifiers };
  await input.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...common });
  await input.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
}

describe('shortcuts on other keyboard layouts', () => {
  test('go by the printed character: AZERTY, German and Greek', async () => {
    const { editor, page } = await openRoom();
    const input = await page.context().newCDPSession(page);
    const context = () => page.evaluate(() => window.enfiladeCanvas!.machine.getSnapshot().context);
    const isOn = async (mode: string) => expect.poll(async () => (await context()).mode, { message: mode }).toBe(mode);
    await editor.select('Door');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    // AZERTY: W is where Z is on a US keyboard; digits need Shift.
    await strike(input, 'e', 'KeyE');
    await isOn('scale');
    await strike(input, 'w', 'KeyZ');
    await isOn('translate');
    await strike(input, 'h', 'KeyH');
    await editor.answer('Hide');
    await expect.poll(() => editor.row('Door').getAttribute('aria-label')).toBe('Door, hidden');
    await strike(input, 'z', 'KeyW', CTRL);
    await expect.poll(() => editor.row('Door').getAttribute('aria-label')).toBe('Door');
    await strike(input, '1', 'Digit1', SHIFT);
    await page.getByText('There is no bookmark 1 yet').waitFor();
    await strike(input, 'é', 'Digit2');
    await page.getByText('There is no bookmark 2 yet').waitFor();
    await editor.select('Gate');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const size = async () => (await context()).handleSize;
    const before = await size();
    // The minus sign of AZERTY is on the key of the digit 6.
    await strike(input, '-', 'Digit6');
    await expect.poll(size).toBeLessThan(before);
    expect(await page.getByText('There is no bookmark 6 yet').count()).toBe(0);
    await strike(input, '+', 'Equal', SHIFT);
    await expect.poll(size).toBe(before);
    // German: plus and minus have keys of their own, ? is Shift+ß.
    await strike(input, '-', 'Slash');
    await expect.poll(size).toBeLessThan(before);
    await strike(input, '+', 'BracketRight');
    await expect.poll(size).toBe(before);
    await strike(input, '?', 'Minus', SHIFT);
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
    // Greek has no Latin letters: the positions of the US layout count.
    await strike(input, 'ρ', 'KeyR');
    await isOn('rotate');
    await strike(input, 'χ', 'KeyH');
    await editor.answer('Hide');
    await expect.poll(() => editor.row('Gate').getAttribute('aria-label')).toBe('Gate, hidden');
    expect(editor.faults).toEqual([]);
    await editor.close();
  });
});

describe('browser zoom', () => {
  // 1280×800 at 200 % and 1280×1024 at 400 %.
  test.each([
    [640, 400],
    [320, 256],
  ])('at %i×%i pixels, every control of the editor can be brought into view', async (width, height) => {
    const { editor, page } = await openRoom({ width, height });
    const room = page.getByRole('application', { name: 'Room' });
    /** Names of the visible controls that cannot be scrolled into the window or are covered. */
    const unreachable = () =>
      page.evaluate(() => {
        const controls = document.querySelectorAll<HTMLElement>('button, input, a[href], [role="tab"]');
        return [...controls].flatMap((control) => {
          if (
            !control.checkVisibility({ visibilityProperty: true }) ||
            control.closest('[aria-hidden="true"], [inert]')
          )
            return [];
          if (control.closest('[role="application"], [aria-label="Camera"]')) return [];
          control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
          const { left, top, right, bottom } = control.getBoundingClientRect();
          const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
          if (right - left < 2 || bottom - top < 2) return [];
          const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
          return isInside ? [] : [name];
        });
      });
    expect(await unreachable()).toEqual([]);
    const canvas = (await room.boundingBox())!;
    expect(canvas.height).toBeGreaterThan(height * 0.4);
    await page.getByRole('button', { name: 'Show panels' }).click();
    await editor.select('Door');
    await editor.window.waitFor();
    for (const tab of ['Content', 'Settings', 'Navigation']) {
      await editor.tab(tab);
      expect(await unreachable(), tab).toEqual([]);
    }
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    await page.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Publish now' }).click();
    await page
      .getByRole('dialog', { name: 'Publish' })
      .getByText(/^Published .*by Member/)
      .waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(editor.faults).toEqual([]);
    await editor.close();
  });
});
