import { describe, expect, test } from 'vitest';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = sharedEditor(web);

const newRoom = async () => (await web.app.client.rooms.create({ body: { title: 'Hall' } })).id;
const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements;

describe('the edit window', () => {
  test('shows at once what is typed, and Cancel puts it back', async () => {
    const id = await newRoom();
    await web.app.client.rooms.addElement({
      params: { id },
      body: { element: 'button', name: 'Door', config: { title: 'Old' } },
    });
    const editor = await open(id);
    await editor.select('Door');
    await editor.fill('Title', 'New words');
    await editor.page.getByRole('application').getByText('New words').first().waitFor();
    await editor.cancel();
    await editor.page.getByRole('application').getByText('Old').first().waitFor();
    await expect.poll(async () => (await stored(id))[0]!.config).toMatchObject({ title: 'Old' });
    await editor.select('Door');
    expect(await editor.window.getByLabel('Title', { exact: true }).inputValue()).toBe('Old');
    await editor.fill('Title', 'Typed');
    // Esc closes a list that is open, and only then the window.
    await editor.tab('Navigation');
    await editor.window.getByRole('combobox', { name: 'Navigation type' }).click();
    await editor.page.getByRole('option', { name: 'URL' }).waitFor();
    await editor.page.keyboard.press('Escape');
    await editor.page.getByRole('option', { name: 'URL' }).waitFor({ state: 'hidden' });
    expect(await editor.window.count()).toBe(1);
    await editor.page.keyboard.press('Escape');
    await editor.window.waitFor({ state: 'detached' });
    await editor.saved();
    expect((await stored(id))[0]!.config).toMatchObject({ title: 'Typed' });
  });

  test('covers no name of what is pointed at in the tree, where that is out of sight', async () => {
    const id = await newRoom();
    for (const [name, position_x] of [
      ['Door', 0],
      ['Far to the right', 6000],
    ] as const) {
      const body = { element: 'button' as const, name, position_x, position_z: -1000 };
      await web.app.client.rooms.addElement({ params: { id }, body });
    }
    const editor = await open(id);
    await editor.select('Door');
    await editor.row('Far to the right').hover();
    const name = editor.page.getByRole('application').locator('.tools-label').getByText('Far to the right');
    await name.waitFor();
    const [{ x, width }, { x: from }] = [(await name.boundingBox())!, (await editor.window.boundingBox())!];
    expect(x + width).toBeLessThan(from);
    expect(x + width).toBeGreaterThan(from - 20);
  });

  test('says at the field what is wrong, and keeps what was typed', async () => {
    const id = await newRoom();
    const editor = await open(id);
    await editor.add('Iframe');
    await editor.fill('Source url', 'http://example.com');
    await editor.window.getByRole('button', { name: 'Save' }).click();
    await editor.window.getByText('Use a URL that starts with https://.').waitFor();
    expect(await editor.window.getByLabel('Source url').inputValue()).toBe('http://example.com');
  });

  test('says what is wrong with a link, and with the place that a light points at', async () => {
    const id = await newRoom();
    const editor = await open(id);
    await editor.add('Button');
    await editor.tab('Navigation');
    await editor.choose('Navigation type', 'URL');
    await editor.fill('URL', 'http://example.com');
    await editor.window.getByRole('button', { name: 'Save' }).click();
    await editor.window.getByText('Use a URL that starts with https://.').waitFor();
    await editor.fill('URL', 'https://example.com');
    await editor.window.getByText('Use a URL that starts with https://.').waitFor({ state: 'detached' });
    await editor.save();
    await editor.add('Light');
    await editor.choose('Light type', 'Spot');
    const place = editor.window.getByRole('group', { name: 'Target position (units)' }).getByLabel('Y');
    await place.fill('99999999999');
    await editor.window.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => place.getAttribute('aria-invalid')).toBe('true');
  });

  test('Ctrl+S saves it wherever the focus is, and the room settings in its place', async () => {
    const id = await newRoom();
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'button', name: 'Door' } });
    const editor = await open(id);
    const { page } = editor;
    // What the browser would do with the key, had the editor not taken it.
    await page.evaluate(() => {
      addEventListener('keydown', ({ key, defaultPrevented }) => {
        if (key === 's') document.body.dataset.taken = String(defaultPrevented);
      });
    });
    const isTaken = () => page.evaluate(() => document.body.dataset.taken);
    await page.keyboard.press('Control+s');
    expect(await isTaken()).toBe('true');
    await editor.select('Door');
    await editor.fill('Title', 'Enter');
    await page.getByRole('searchbox', { name: 'Search elements' }).focus();
    await page.keyboard.press('Control+s');
    await editor.window.waitFor({ state: 'detached' });
    await editor.saved();
    expect((await stored(id))[0]!.config).toMatchObject({ title: 'Enter' });
    await page.getByRole('button', { name: 'Room settings' }).click();
    const dialog = page.getByRole('region', { name: 'Room settings' });
    await dialog.getByLabel('Title', { exact: true }).fill('Great hall');
    await page.keyboard.press('Control+s');
    await dialog.waitFor({ state: 'detached' });
    await editor.saved();
    expect((await web.app.client.rooms.read({ params: { id } })).title).toBe('Great hall');
  });

  test('the preview and back leaves the camera, what is selected and the history as they were', async () => {
    const id = await newRoom();
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'button', name: 'Door' } });
    const editor = await open(id);
    const { page } = editor;
    const drawn = () => page.locator('[aria-label="Room"][data-state="ready"]').waitFor();
    const camera = () =>
      page.evaluate(() => {
        const { position, quaternion } = window.enfiladeCanvas!.stage!.camera;
        return [...position.toArray(), ...quaternion.toArray()].map((part) => Math.round(part * 100) / 100);
      });
    await drawn();
    await editor.select('Door');
    await editor.fill('Title', 'Enter');
    await editor.press('Alt+3');
    await expect.poll(async () => (await camera())[0]).toBeGreaterThan(50);
    let stood: readonly number[] = [];
    await expect
      .poll(async () => {
        const before = stood;
        stood = await camera();
        return stood.join() === before.join();
      })
      .toBe(true);
    await page.getByRole('link', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Enter' }).waitFor();
    await page.getByRole('link', { name: 'Back to the editor' }).click();
    await drawn();
    // It glided until then, and may have been a hair from its end.
    const isThere = async () => (await camera()).every((part, at) => Math.abs(part - stood[at]!) < 0.5);
    await expect.poll(isThere).toBe(true);
    expect(await editor.window.getByLabel('Title', { exact: true }).inputValue()).toBe('Enter');
    await editor.press('Control+z');
    await expect.poll(() => editor.window.getByLabel('Title', { exact: true }).inputValue()).not.toBe('Enter');
  });

  test('numbers are calculated and dragged by their labels, and the address of a video becomes its id', async () => {
    const id = await newRoom();
    const editor = await open(id);
    await editor.add('Video');
    await editor.fill('Video id', 'https://youtu.be/dQw4w9WgXcQ?t=4');
    await editor.tab('Settings');
    await editor.fill('Width', '300+2*50');
    const label = editor.window.locator('label').filter({ hasText: /^Height$/ });
    const { x, y } = (await label.boundingBox())!;
    await editor.page.mouse.move(x + 4, y + 4);
    await editor.page.mouse.down();
    await editor.page.mouse.move(x + 44, y + 4, { steps: 6 });
    await editor.page.mouse.up();
    const field = (name: string) => editor.window.getByLabel(name, { exact: true });
    await expect.poll(() => field('Height').inputValue()).toBe('20');
    expect(await field('Width').inputValue()).toBe('400');
    // Each key by itself, as a person types: nothing is put in between, and nothing is lost.
    await editor.page.locator('[aria-label="Room"][data-state="ready"]').waitFor();
    const place = editor.page.getByLabel('Position X');
    for (const [text, shown] of [
      ['-300+50', '-250'],
      ['1e3', '1000'],
      ['-20,5', '-21'],
    ] as const) {
      await place.click();
      await editor.page.keyboard.press('Control+a');
      await editor.page.keyboard.type(text);
      expect(await place.inputValue()).toBe(text);
      await editor.page.keyboard.press('Enter');
      await expect.poll(() => place.inputValue()).toBe(shown);
    }
    await field('Depth').fill('wide');
    await field('Name').focus();
    await editor.window.getByText('Enter a number, such as 20 or 300+50.').waitFor();
    expect(await field('Depth').inputValue()).toBe('wide');
    await editor.saved();
    expect((await stored(id))[0]).toMatchObject({
      width: 400,
      height: 20,
      depth: null,
      config: { type: 'youtube', id: 'dQw4w9WgXcQ' },
    });
  });

  test('times come with the offset of this clock, and go with it', async () => {
    const id = await newRoom();
    const editor = await open(id);
    await editor.add('Image');
    await editor.tab('Settings');
    // 24 hours, whatever the visitor's language makes of a native field.
    await editor.window.getByLabel('Start time: hours').fill('19');
    await editor.window.getByLabel('Start time: minutes').fill('30');
    expect(await editor.window.getByRole('spinbutton', { name: /am|pm/i }).count()).toBe(0);
    await editor.window.getByText(/^Visible each day from 19:30 to 24:00 .+ time\.$/).waitFor();
    await editor.save();
    await editor.saved();
    const offset = await editor.page.evaluate(() => new Date().getTimezoneOffset());
    expect((await stored(id))[0]).toMatchObject({ start_time: '19:30', end_time: null, utc_offset: offset });
    await editor.select('Image');
    await editor.tab('Settings');
    // In another zone, the form says what that is for the reader.
    const zone = editor.window.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('Tokyo');
    await editor.page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    const yours = await editor.page.evaluate(() =>
      ['19:30', '00:00'].map((time) => new Date(`2026-07-01T${time}+09:00`).toTimeString().slice(0, 5)).join(' to '),
    );
    await editor.window.getByText(`19:30 to 24:00 Tokyo time (${yours} your time).`).waitFor();
    await editor.window.getByRole('button', { name: 'Clear: Start time' }).click();
    await editor.save();
    await editor.saved();
    expect((await stored(id))[0]).toMatchObject({ start_time: null, utc_offset: null, visible_between: null });
  });

  test('a picture is chosen from the library, and shown with its file', async () => {
    const id = await newRoom();
    const picture = await web.app.upload('fixtures/media/pictures/currents.webp');
    const editor = await open(id);
    await editor.add('Image');
    await editor.window.getByRole('button', { name: 'Choose: Image' }).click();
    const media = editor.page.getByRole('dialog', { name: 'Media' });
    await media.getByRole('option').filter({ hasText: picture.name }).click();
    await media.getByRole('button', { name: 'Choose', exact: true }).click();
    await editor.save();
    await editor.saved();
    const [image] = await stored(id);
    expect(image).toMatchObject({ file_id: picture.id, config: { file_url: picture.url } });
    const isDrawn = () =>
      editor.page.evaluate((element) => Boolean(window.enfiladeCanvas!.stage!.viewOf(element)), image!.id);
    await expect.poll(isDrawn).toBe(true);
    await editor.select('Image');
    await editor.window.getByRole('button', { name: 'Remove: Image' }).click();
    await expect.poll(isDrawn).toBe(false);
    await editor.saved();
    expect((await stored(id))[0]).toMatchObject({ file_id: null, config: { file_url: '' } });
    // Added as people are used to it, with its file; without one, nothing is added.
    const adding = editor.page.getByRole('dialog', { name: 'Add an item' });
    const begin = async () => {
      await editor.page.getByRole('button', { name: 'Add an item' }).click();
      await adding.getByLabel('Choose the file first').check();
      await adding.getByLabel('Search kinds of element').fill('image');
      await editor.page.keyboard.press('Enter');
      await media.getByRole('option').filter({ hasText: picture.name }).waitFor();
    };
    await begin();
    await editor.page.keyboard.press('Escape');
    await media.waitFor({ state: 'detached' });
    expect(await editor.names()).toEqual(['Image']);
    await begin();
    await media.getByRole('option').filter({ hasText: picture.name }).dblclick();
    await expect.poll(() => editor.names()).toEqual(['Image', 'currents']);
    await editor.window.getByText(picture.name).first().waitFor();
    await editor.saved();
    expect((await stored(id))[1]).toMatchObject({ file_id: picture.id, config: { file_url: picture.url } });
    await editor.press('Control+z');
    await expect.poll(() => editor.names()).toEqual(['Image']);
    await editor.saved();
  });

  test("links to the room itself can't be chosen, and a new kind of link begins empty", async () => {
    const id = await newRoom();
    const other = await newRoom();
    const client = web.app.client;
    await client.endpoints.create({ body: { name: 'This hall', room_id: id } });
    const there = await client.endpoints.create({ body: { name: 'Other hall', room_id: other } });
    const editor = await open(id);
    await editor.add('Button');
    await editor.tab('Navigation');
    await editor.choose('Navigation type', 'Space');
    await editor.window.getByRole('combobox', { name: 'Space' }).click();
    const option = (name: string) => editor.page.getByRole('option', { name: new RegExp(name) });
    await option('Other hall').waitFor();
    expect(await option('This hall').getAttribute('data-combobox-disabled')).toBe('true');
    await option('Other hall').click();
    await expect
      .poll(() => editor.window.getByRole('combobox', { name: 'Space' }).inputValue())
      .toContain('Other hall');
    await editor.save();
    await editor.saved();
    const link = async () => ((await stored(id))[0]!.config as { navigation: unknown }).navigation;
    expect(await link()).toEqual({
      type: 'space',
      type_config: { endpoint: there.id, endpoint_url: `/${there.slug}` },
    });
    await editor.select('Button');
    await editor.tab('Navigation');
    await editor.choose('Navigation type', 'Built-in pop-up');
    await editor.save();
    await editor.saved();
    expect(await link()).toEqual({ type: 'modal_static', type_config: { name: 'about' } });
  });
});
