import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = { dark: sharedEditor(web), light: sharedEditor(web, { scheme: 'light' }) };

const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements[0]!.config;

/** A room with one light, whose window is open. */
async function openLight(config = {}, scheme: keyof typeof open = 'dark') {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  await web.app.client.rooms.addElement({ params: { id }, body: { element: 'light', name: 'Lamp', config } });
  const editor = await open[scheme](id);
  await editor.page.locator('[aria-label="Room"][data-state="ready"]').waitFor({ timeout: 60_000 });
  await editor.select('Lamp');
  const field = (label: string) => editor.window.getByLabel(label, { exact: true });
  await field('Intensity').waitFor();
  /** How strong the light is in the picture. */
  const seen = () =>
    editor.page.evaluate(() => {
      let intensity = -1;
      window.enfiladeCanvas!.stage!.three.traverse((object) => {
        if ('isPointLight' in object) intensity = (object as unknown as { intensity: number }).intensity;
      });
      return intensity;
    });
  return { id, editor, field, seen };
}

describe('a numeric panel', () => {
  test('is dragged: the room shows it meanwhile, and it stops at the bounds', async () => {
    const { id, editor, field, seen } = await openLight();
    const before = await seen();
    const knob = editor.window
      .locator('.tp-txtv', { has: editor.page.getByLabel('Intensity', { exact: true }) })
      .locator('.tp-txtv_k');
    const { x, y, width, height } = (await knob.boundingBox())!;
    await editor.page.mouse.move(x + width / 2, y + height / 2);
    await editor.page.mouse.down();
    await editor.page.mouse.move(x + width / 2 + 40, y + height / 2, { steps: 8 });
    await expect.poll(() => field('Intensity').inputValue()).toBe('3');
    await expect.poll(seen).toBeGreaterThan(before);
    await editor.page.mouse.move(x - 200, y + height / 2, { steps: 8 });
    await editor.page.mouse.up();
    expect(await field('Intensity').inputValue()).toBe('0');
    await field('Intensity').press('ArrowUp');
    expect(await field('Intensity').inputValue()).toBe('0.1');
    await field('Intensity').press('Shift+ArrowUp');
    expect(await field('Intensity').inputValue()).toBe('1.1');
    await editor.save();
    await editor.saved();
    expect(await stored(id)).toMatchObject({ intensity: 1.1 });
    expect(editor.faults).toEqual([]);
  });

  test("what is typed counts at once; what can't be is refused at its field, and stays", async () => {
    const { id, editor, field } = await openLight({ light_type: 'spot_light' });
    await field('Intensity').fill('7.25');
    await field('Penumbra').fill('3');
    await editor.window.getByRole('button', { name: 'Save', exact: true }).click();
    const message = editor.window.getByText(/1/).filter({ hasText: /small|less|most|big/i });
    await message.first().waitFor();
    expect(await field('Penumbra').getAttribute('aria-invalid')).toBe('true');
    expect(await field('Penumbra').inputValue()).toBe('3');
    expect(await field('Intensity').getAttribute('aria-invalid')).toBe(null);
    await field('Penumbra').fill('0.5');
    await expect.poll(() => field('Penumbra').getAttribute('aria-invalid')).toBe(null);
    await field('Decay').fill('no number');
    await field('Decay').press('Enter');
    expect(await field('Decay').inputValue()).toBe('2');
    await editor.save();
    await editor.saved();
    expect(await stored(id)).toMatchObject({ intensity: 7.25, penumbra: 0.5, decay: 2 });
    await editor.select('Lamp');
    // Calculations, decimal commas and degrees are what they say.
    await field('Intensity').fill('1,5+2*3');
    await field('Intensity').press('Enter');
    expect(await field('Intensity').inputValue()).toBe('7.5');
    await field('Angle (degrees)').fill('45');
    await field('Decay').focus();
    expect(await field('Angle (degrees)').inputValue()).toBe('45');
    await field('Angle (degrees)').fill('300');
    await field('Decay').focus();
    await editor.window.getByText('Must be 90 or less.').waitFor();
    await editor.saved();
    expect(await stored(id)).toMatchObject({ intensity: 7.5, angle: Math.PI / 4 });
  });

  test('near and far of a light stand there with and without its shadow', async () => {
    const { editor, field } = await openLight();
    for (const kind of ['Point', 'Spot', 'Directional']) {
      await editor.choose('Light type', kind);
      await field('Near').waitFor();
      expect(await field('Far').isVisible()).toBe(true);
    }
    await editor.choose('Light type', 'Ambient');
    await field('Near').waitFor({ state: 'detached' });
  });

  test('fog and camera have it, too, and a change of them is seen while it is typed', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    const editor = await open.dark(id);
    await editor.page.locator('[aria-label="Room"][data-state="ready"]').waitFor({ timeout: 60_000 });
    await editor.page.getByRole('button', { name: 'Room settings' }).click();
    const dialog = editor.page.getByRole('region', { name: 'Room settings' });
    await editor.turnOn('Fog', dialog);
    await dialog.getByLabel('Near (units)', { exact: true }).fill('250');
    const fog = () =>
      editor.page.evaluate(() => (window.enfiladeCanvas!.stage!.three.fog as unknown as { near: number } | null)?.near);
    await expect.poll(fog).toBe(250);
    await dialog.getByRole('tab', { name: 'Camera' }).click();
    const position = dialog.getByRole('group', { name: 'Position (units)' });
    await position.getByLabel('Y', { exact: true }).fill('180');
    await dialog.getByLabel('Field of view (degrees)').fill('60');
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await editor.saved();
    const { config } = await web.app.client.rooms.read({ params: { id } });
    expect(config).toMatchObject({ fog: { enabled: true, near: 250 }, camera: { fov: 60, position: { y: 180 } } });
  });

  test.each(['light', 'dark'] as const)('can be read and heard in the %s scheme', async (scheme) => {
    const { editor } = await openLight({ light_type: 'spot_light' }, scheme);
    const row = editor.window.getByRole('group', { name: 'Target position (units)' });
    await row.getByLabel('Z', { exact: true }).waitFor();
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    expect(editor.faults).toEqual([]);
  });
});
