import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = sharedEditor(web);

type Input = Parameters<typeof web.app.client.rooms.addElement>[0]['body'];

/** Opens a room with elements, whose canvas is drawn, in a window that may read the clipboard. */
async function openRoom(...elements: readonly Input[]) {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  const ids: number[] = [];
  for (const body of elements) ids.push((await web.app.client.rooms.addElement({ params: { id }, body })).id);
  const editor = await open(id);
  await editor.visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await canvasOf(editor).and(editor.page.locator('[data-state="ready"]')).waitFor();
  return { editor, id, ids };
}

const canvasOf = ({ page }: EditorDriver) => page.getByRole('application', { name: 'Room' });
const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements;
const namesOf = async (id: number) => (await stored(id)).map(({ name }) => name);
const clip = ({ page }: EditorDriver, text: string) =>
  page.evaluate((words) => navigator.clipboard.writeText(words), text);

describe('the clipboard', () => {
  test('duplicates, cuts and pastes beside, in place and in groups, each as one step', async () => {
    const { editor, id, ids } = await openRoom(
      { element: 'button', name: 'Door', width: 100, position_x: 10 },
      { element: 'group', name: 'Wall', position_x: 50 },
    );
    const inWall: Input = { element: 'image', name: 'Picture', parent_element_id: ids[1]! };
    await web.app.client.rooms.addElement({ params: { id }, body: inWall });
    await editor.tree.getByTitle('Picture', { exact: true }).waitFor();
    await editor.select('Door');
    await editor.press('Control+d');
    await expect.poll(() => editor.names()).toEqual(['Door', 'Door 2', 'Wall', 'Picture']);
    await editor.press('Control+x');
    await expect.poll(() => editor.names()).toEqual(['Door', 'Wall', 'Picture']);
    await editor.press('Control+Shift+v');
    await expect.poll(() => editor.names()).toContain('Door 2');
    await editor.saved();
    const [door, copy] = (await stored(id)).filter(({ element }) => element === 'button');
    expect(copy).toMatchObject({ position_x: 10 + 100 + 40, position_z: door!.position_z });
    // Of several parents, each copy stands behind what it is a copy of; all of it is one step.
    await editor.tree.getByTitle('Picture', { exact: true }).click();
    await editor.tree.getByTitle('Door', { exact: true }).click({ modifiers: ['Control'] });
    await editor.press('Control+d');
    const several = ['Door', 'Door 3', 'Wall', 'Picture', 'Picture 2'];
    await expect.poll(async () => (await editor.names()).filter((name) => name !== 'Door 2')).toEqual(several);
    await editor.page.getByRole('region', { name: 'Selection window' }).getByText('Button: 1, Image: 1').waitFor();
    await editor.saved();
    const group = (await stored(id)).find(({ name }) => name === 'Wall')!;
    expect(group.children.map(({ name }) => name)).toEqual(['Picture', 'Picture 2']);
    await editor.press('Control+z');
    await expect.poll(async () => (await editor.names()).filter((name) => /3$|e 2$/.test(name))).toEqual([]);
    await editor.select('Wall');
    await editor.press('Control+c');
    await editor.press('Control+v');
    await expect.poll(() => editor.names()).toContain('Wall 2');
    await editor.saved();
    const wall = (await stored(id)).find(({ name }) => name === 'Wall 2')!;
    expect(wall.children.map(({ name }) => name)).toEqual(['Picture']);
    for (let step = 0; step < 4; step++) await editor.press('Control+z');
    await editor.saved();
    expect(await namesOf(id)).toEqual(['Door', 'Wall']);
    expect(editor.faults).toEqual([]);
  });

  test('puts copies where the pointer is over the canvas, turned to the wall; with Shift where they were', async () => {
    const note: Input = { element: 'html', name: 'Note', width: 60, height: 40, position_x: 20 };
    const { editor, id } = await openRoom({ ...note, config: { body: '<p>Note</p>' } });
    await editor.select('Note');
    await editor.press('Control+c');
    const box = (await canvasOf(editor).boundingBox())!;
    await editor.page.mouse.move(box.x + box.width * 0.1, box.y + box.height * 0.45);
    await editor.press('Control+v');
    await expect.poll(() => editor.names()).toContain('Note 2');
    await editor.press('Control+Shift+v');
    await expect.poll(() => editor.names()).toContain('Note 3');
    await editor.saved();
    const found = async (name: string) => (await stored(id)).find((element) => element.name === name)!;
    const [there, same] = [await found('Note 2'), await found('Note 3')];
    expect(same).toMatchObject({ position_x: 20, position_y: 0, position_z: 0 });
    const { width, depth } = await web.app.client.rooms.read({ params: { id } });
    const off = [width / 2 - Math.abs(there.position_x), depth / 2 - Math.abs(there.position_z)];
    expect(Math.min(...off), 'before a wall').toBeLessThan(40);
    expect(there.position_y, 'above the middle, as the pointer').toBeGreaterThan(0);
  });

  test('makes elements of addresses, words and images that come from elsewhere', async () => {
    const { editor, id } = await openRoom();
    await canvasOf(editor).hover();
    await clip(editor, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    await editor.press('Control+v');
    await expect.poll(() => editor.names()).toEqual(['YouTube video']);
    await clip(editor, 'Welcome\n\nto the hall');
    await editor.press('Control+v');
    await expect.poll(() => editor.names()).toContain('Welcome');
    await clip(editor, 'http://example.com');
    await editor.press('Control+v');
    await editor.page.getByText('Use a URL that starts with https://.').waitFor();
    const bytes = [...(await readFile('fixtures/media/pictures/currents.webp'))];
    await editor.press('Escape');
    await editor.page.evaluate((data) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(data)], 'currents.webp', { type: 'image/webp' }));
      const paste = { clipboardData: files, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new ClipboardEvent('paste', paste));
    }, bytes);
    await expect.poll(() => editor.names(), { timeout: 90_000 }).toContain('currents');
    await editor.saved();
    expect(await stored(id)).toMatchObject([
      { element: 'video', config: { type: 'youtube', id: 'dQw4w9WgXcQ' } },
      { element: 'rich_text', config: { body: '<p>Welcome</p><p>to the hall</p>' } },
      { element: 'image', name: 'currents' },
    ]);
    // What is refused is listed by name, and taken off together.
    await editor.page.evaluate(() => {
      const files = new DataTransfer();
      for (const name of ['one.webp', 'two.webp']) files.items.add(new File(['nothing'], name, { type: 'image/webp' }));
      const paste = { clipboardData: files, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new ClipboardEvent('paste', paste));
    });
    await editor.page.getByText('2 files were not uploaded.').waitFor({ timeout: 20_000 });
    await editor.page.getByTitle('two.webp').waitFor();
    await editor.page.getByRole('button', { name: 'Dismiss all' }).click();
    await editor.page.getByTitle('two.webp').waitFor({ state: 'detached' });
    // A page that is dragged here from another window.
    const dropped = await editor.page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'https://example.com/about');
      return data;
    });
    const { x, y, width, height } = (await canvasOf(editor).boundingBox())!;
    const at = { dataTransfer: dropped, clientX: x + width / 3, clientY: y + height / 2 };
    for (const type of ['dragover', 'drop']) await canvasOf(editor).dispatchEvent(type, at);
    await expect.poll(() => editor.names()).toContain('example.com');
  });
});

describe('links to files', () => {
  test('that are pasted or dropped become what they link to, copied if their site allows it', async () => {
    const { editor, id } = await openRoom();
    const { page } = editor;
    const files = {
      'tone.wav': 'fixtures/media/chime.wav',
      'chair.glb': 'fixtures/media/orrery.glb',
      'hall.webp': 'fixtures/media/pictures/currents.webp',
    };
    await page.route('https://files.example.com/**', async (route) => {
      const path = files[route.request().url().split('/').at(-1) as keyof typeof files];
      if (!path) return route.abort();
      const headers = { 'access-control-allow-origin': '*', 'content-type': 'application/octet-stream' };
      return route.fulfill({ body: await readFile(path), headers });
    });
    await canvasOf(editor).hover();
    for (const [name, title] of [
      ['tone.wav', 'tone'],
      ['chair.glb', 'chair'],
      ['hall.webp', 'hall'],
      ['closed.mp3', 'closed'],
      ['film.mp4', 'film'],
    ] as const) {
      await clip(editor, `https://files.example.com/${name}`);
      await editor.press('Control+v');
      await expect.poll(() => editor.names(), { timeout: 20_000 }).toContain(title);
    }
    await clip(editor, 'https://files.example.com/closed.glb');
    await editor.press('Control+v');
    await page.getByText("“closed.glb” can't be read from its site.").waitFor();
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.setData(
        'text/uri-list',
        '# Two links\r\nhttps://files.example.com/master.m3u8\r\nhttps://example.com/about',
      );
      return data;
    });
    const { x, y, width, height } = (await canvasOf(editor).boundingBox())!;
    const at = { dataTransfer: dropped, clientX: x + width / 3, clientY: y + height / 2 };
    for (const type of ['dragover', 'drop']) await canvasOf(editor).dispatchEvent(type, at);
    await expect.poll(() => editor.names()).toContain('example.com');
    await editor.saved();
    expect(await stored(id)).toMatchObject([
      { element: 'audio', config: { file_url: expect.stringMatching(/^\/media\//) } },
      { element: 'model', file: { type: 'object' } },
      { element: 'image', file: { type: 'image' } },
      { element: 'audio', config: { file_url: 'https://files.example.com/closed.mp3' } },
      { element: 'native_video', config: { direct_url: 'https://files.example.com/film.mp4' } },
      { element: 'native_video', config: { direct_url: 'https://files.example.com/master.m3u8' } },
      { element: 'iframe', config: { src: 'https://example.com/about' } },
    ]);
  });
});

describe('elements of another organization', () => {
  test('bring their files with them, and say which of them stay behind', async () => {
    const picture = await web.app.upload('fixtures/media/pictures/currents.webp');
    const { editor, id } = await openRoom();
    const image = (name: string, url: string) => ({
      id: 900_000,
      element: 'image',
      name,
      file_id: 900_001,
      file: { id: 900_001, name: 'currents.webp', type: 'image', url },
      config: { file_url: url, title: name },
      children: [],
    });
    const text = (element: object) =>
      JSON.stringify({ kind: 'enfilade.elements', version: 1, origin: web.app.origin, elements: [element] });
    await clip(editor, text(image('Currents', picture.url)));
    await editor.press('Control+v');
    await expect.poll(() => editor.names()).toEqual(['Currents']);
    await clip(editor, text(image('Gone', '/media/of/nobody.webp')));
    await editor.press('Control+v');
    await editor.page.getByText('Not copied from the other organization: currents.webp.').waitFor();
    await editor.saved();
    const [currents, gone] = await stored(id);
    expect(currents).toMatchObject({ name: 'Currents', config: { title: 'Currents' } });
    expect(currents!.file_id).not.toBe(null);
    expect(currents!.file_id).not.toBe(900_001);
    expect(gone).toMatchObject({ name: 'Gone', file_id: null });
  });
});

describe('keys, palette and menus', () => {
  test('go by one table: presets change it, the sheet is searched, the palette does what it lists', async () => {
    const { editor, id } = await openRoom({ element: 'button', name: 'Door' }, { element: 'image', name: 'Picture' });
    const { page } = editor;
    const mode = (name: string) => page.getByRole('button', { name, exact: true, pressed: true });
    await editor.select('Door');
    await editor.press('e');
    await mode('Scale').waitFor();
    await editor.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.getByText('Blender', { exact: true }).click();
    await sheet.getByRole('searchbox').fill('duplic');
    await sheet.getByRole('row').filter({ hasText: 'Duplicate' }).getByText('Shift D').waitFor();
    expect(await sheet.getByRole('row').count()).toBe(2);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await editor.press('g');
    await mode('Move').waitFor();
    await editor.press('Shift+d');
    await expect.poll(() => editor.names()).toEqual(['Door', 'Door 2', 'Picture']);
    await editor.press('Control+k');
    const words = page.getByPlaceholder('Do anything, or select an element');
    await words.fill('pict');
    await page
      .getByRole('option', { name: 'Picture' })
      .or(page.getByRole('button', { name: 'Picture' }))
      .last()
      .waitFor();
    await words.press('Enter');
    await editor.window.getByRole('heading', { name: 'Image' }).waitFor();
    await editor.press('Control+k');
    await words.fill('room sett');
    await words.press('Enter');
    await page.getByRole('region', { name: 'Room settings' }).waitFor();
    await page.keyboard.press('Escape');
    await editor.press('Control+f');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Search elements');
    await editor.saved();
    expect(await namesOf(id)).toEqual(['Door', 'Door 2', 'Picture']);
  });

  test('what is typed before the field has come is searched for, and is no key of the canvas', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'button', name: 'Door' } });
    const editor = await EditorDriver.open(web.app, web.browser, id);
    const { page } = editor;
    let letCome = () => {};
    const isTyped = new Promise<void>((resolve) => (letCome = resolve));
    await page.route('**/ActionPalette-*.js', async (route) => {
      await isTyped;
      await route.continue();
    });
    await editor.select('Door');
    await editor.window.waitFor();
    await editor.press('Control+k');
    await page.keyboard.type('x');
    // Whoever presses something meanwhile has let go of it: a field that never comes keeps no keys.
    await canvasOf(editor).click({ position: { x: 300, y: 500 } });
    await page.keyboard.press('m');
    await page.getByText('Press the first point').waitFor();
    await page.keyboard.press('m');
    await editor.select('Door');
    await editor.press('Control+k');
    await page.keyboard.type('hidee');
    await page.keyboard.press('Backspace');
    letCome();
    const words = page.getByPlaceholder('Do anything, or select an element');
    await expect.poll(() => words.inputValue()).toBe('hide');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await words.waitFor({ state: 'detached' });
    // The same of whatever begins with a field.
    for (const [key, dialog, field] of [
      ['a', 'Add an item', 'Search kinds of element'],
      ['?', 'Keys', 'Search keys'],
    ] as const) {
      await editor.press(key);
      await page.keyboard.type('hidden');
      await expect.poll(() => page.getByLabel(field).inputValue(), { message: key }).toBe('hidden');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'detached' });
    }
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await stored(id))[0]).toMatchObject({ name: 'Door', hidden: false });
    expect(editor.faults).toEqual([]);
    await editor.visitor.context.close();
  });

  test('a press with the right button opens a menu on the canvas and in the tree', async () => {
    const { editor, id } = await openRoom({ element: 'button', name: 'Door', width: 100 });
    const { page } = editor;
    const menu = page.getByRole('menu', { name: 'Actions' });
    await editor.tree.getByTitle('Door', { exact: true }).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Copy' }).click();
    await menu.waitFor({ state: 'hidden' });
    await canvasOf(editor).click({ button: 'right', position: { x: 300, y: 300 } });
    await menu.getByRole('menuitem', { name: 'Paste here' }).click();
    await expect.poll(() => editor.names()).toEqual(['Door', 'Door 2']);
    await editor.tree.getByTitle('Door 2', { exact: true }).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect.poll(() => editor.names()).toEqual(['Door', 'Door 2', 'Door 3']);
    await editor.saved();
    expect(await namesOf(id)).toEqual(['Door', 'Door 2', 'Door 3']);
    expect(editor.faults).toEqual([]);
  });
});
