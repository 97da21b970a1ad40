import type { Locator } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults, colorFaults, onlyPolicies, openAdmin } from '../../harness/admin-page.ts';
import { newVisitor } from '../../harness/browser.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const openIn = { dark: sharedEditor(web), light: sharedEditor(web, { scheme: 'light' }) };
const open = openIn.dark;

async function newRoom(...elements: string[]): Promise<number> {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  for (const name of elements)
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'button', name } });
  return id;
}
const stored = async (id: number) => web.app.client.rooms.read({ params: { id } });

describe('the way in', () => {
  test('without a session one signs in first, and robots stay out', async () => {
    const id = await newRoom();
    const { page, close } = await newVisitor(web.browser);
    await page.goto(`${web.app.origin}/admin/editor/${id}`);
    await page.getByLabel('E-mail').waitFor();
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(`/admin/editor/${id}`);
    const html = await (await fetch(`${web.app.origin}/admin/editor/${id}`)).text();
    expect(html).toContain('<meta name="robots" content="noindex,nofollow"');
    await close();
  });

  test('from the list of spaces, and back', async () => {
    const id = await newRoom();
    const { page, close } = await openAdmin(web.app, web.browser, '/admin/spaces');
    await page.getByRole('link', { name: 'Hall' }).first().click();
    await page.getByRole('heading', { level: 1, name: /^Room #\d+$/ }).waitFor();
    await page.getByRole('link', { name: 'Space', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor();
    expect(id).toBeGreaterThan(0);
    await close();
  });

  test('whoever may not change spaces, and a space that is not there, are told', async () => {
    const id = await newRoom();
    const rights = onlyPolicies({ rooms: { view_any: true, create: false, update: false, delete: false } });
    const { page, close } = await openAdmin(web.app, web.browser, '/admin', { policies: rights });
    await page.goto(`${web.app.origin}/admin/editor/${id}`);
    await page.getByText("You don't have permission to change this space.").waitFor();
    await close();
    const other = await openAdmin(web.app, web.browser, '/admin');
    await other.page.goto(`${web.app.origin}/admin/editor/999999`);
    await other.page.getByText('This space was not found').waitFor();
    await other.close();
  });
});

describe('the screen', () => {
  test.each(['dark', 'light'] as const)('has nothing that keeps anybody out, in %s colors', async (scheme) => {
    const id = await newRoom('Door', 'Window');
    const faultsOf = scheme === 'dark' ? accessibilityFaults : colorFaults;
    const editor = await openIn[scheme](id);
    await editor.select('Door');
    await editor.window.waitFor();
    expect(await faultsOf(editor.page)).toEqual([]);
    for (const tab of ['Settings', 'Navigation']) {
      await editor.tab(tab);
      expect(await faultsOf(editor.page)).toEqual([]);
    }
    await editor.cancel();
    await editor.page.getByRole('button', { name: 'Room settings' }).click();
    const dialog = editor.page.getByRole('region', { name: 'Room settings' });
    await dialog.getByRole('tab').first().waitFor();
    for (const tab of await dialog.getByRole('tab').all()) {
      await tab.click();
      expect(await faultsOf(editor.page)).toEqual([]);
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await editor.page.getByRole('button', { name: 'Add an item' }).click();
    const adding = editor.page.getByRole('dialog', { name: 'Add an item' });
    await adding.getByText('View point').waitFor();
    expect(await faultsOf(editor.page)).toEqual([]);
    await editor.page.keyboard.press('Escape');
    await adding.waitFor({ state: 'detached' });
    // What opens by keys, and what many that are selected have.
    const { page } = editor;
    const canvas = page.getByRole('application', { name: 'Room' });
    const modes: readonly [key: string, shown: Locator][] = [
      ['Control+k', page.getByRole('dialog', { name: 'Do anything' })],
      ['?', page.getByRole('dialog', { name: 'Keys' })],
      ['Shift+F10', page.getByRole('menu', { name: 'Actions' })],
      ['m', page.getByText('Press the first point')],
      ['Control+a', page.getByRole('region', { name: 'Selection window' })],
    ];
    for (const [key, shown] of modes) {
      await canvas.focus();
      await page.keyboard.press(key);
      await shown.waitFor();
      // A menu is no part of the page that one goes through.
      const found = (await faultsOf(page)).filter((fault) => !(key === 'Shift+F10' && fault.startsWith('region')));
      expect(found, key).toEqual([]);
      await page.keyboard.press('Escape');
      await shown.waitFor({ state: 'hidden' });
    }
    for (const [name, shown] of [
      [/^Check/, page.getByLabel('Check', { exact: true }).first()],
      [/^Revisions/, page.getByRole('dialog', { name: 'Revisions' })],
    ] as const) {
      await page.getByRole('button', { name }).first().click();
      await shown.waitFor();
      expect(await faultsOf(page), String(name)).toEqual([]);
    }
    expect(editor.faults).toEqual([]);
  });

  test('colors are switched and stay so, apart from those of the back-office', async () => {
    const id = await newRoom();
    const { page, close } = await openAdmin(web.app, web.browser, '/admin');
    await page.goto(`${web.app.origin}/admin/editor/${id}`);
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
    await page.getByRole('button', { name: 'Light mode' }).click();
    expect(await scheme()).toBe('light');
    await page.reload();
    await page.getByRole('button', { name: 'Dark mode' }).click();
    expect(await scheme()).toBe('dark');
    await page.goto(`${web.app.origin}/admin`);
    await page.locator('h1').waitFor();
    expect(await scheme()).toBe('light');
    await close();
  });

  test('the canvas keeps its size when an element is selected, and N folds the panels', async () => {
    const id = await newRoom('Door');
    const editor = await open(id);
    const canvas = editor.page.getByRole('application', { name: 'Room' });
    const size = async () => (await canvas.boundingBox())!;
    const before = await size();
    await editor.select('Door');
    await editor.window.waitFor();
    expect(await size()).toEqual(before);
    await canvas.focus();
    await editor.page.keyboard.press('n');
    await editor.tree.waitFor({ state: 'hidden' });
    expect((await size()).width).toBe(1280);
    await canvas.focus();
    await editor.page.keyboard.press('n');
    await editor.tree.waitFor();
    await editor.press('?');
    await editor.page.getByRole('dialog', { name: 'Keys' }).getByText('Undo').waitFor();
  });

  test('its panels are as wide as one makes them, and its tree shows the types that one asks for', async () => {
    const id = await newRoom('Door');
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'group', name: 'Wall' } });
    const editor = await open(id);
    const { page } = editor;
    const edge = (name: string) => page.getByRole('separator', { name });
    const { x, y, height } = (await edge('Width of the tree').boundingBox())!;
    await page.mouse.move(x + 4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 104, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await editor.select('Door');
    await edge('Width of the edit window').press('ArrowLeft');
    expect((await editor.window.boundingBox())!.width).toBe(360);
    await editor.reload();
    expect((await page.getByRole('complementary', { name: 'Elements' }).boundingBox())!.width).toBe(380);
    await edge('Width of the tree').dblclick();
    expect((await page.getByRole('complementary', { name: 'Elements' }).boundingBox())!.width).toBe(280);
    await page.getByRole('button', { name: 'Filter by type' }).click();
    await page.getByRole('menuitem', { name: 'Group' }).click();
    await expect.poll(() => editor.names()).toEqual(['Wall']);
    await page.getByRole('button', { name: 'Filter by type' }).click();
    await page.getByRole('menuitem', { name: 'All types' }).click();
    await expect.poll(() => editor.names()).toEqual(['Door', 'Wall']);
    expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Hall').count()).toBe(1);
  });

  test('works on a narrow screen', async () => {
    const id = await newRoom('Door');
    const editor = await EditorDriver.open(web.app, web.browser, id, { viewport: { width: 360, height: 640 } });
    await editor.page.getByRole('button', { name: 'Show panels' }).click();
    await editor.select('Door');
    await editor.window.waitFor();
    const overflow = await editor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await editor.close();
  });
});

describe('the room settings', () => {
  test('stand beside the room, which shows them while one types, and are canceled together', async () => {
    const id = await newRoom();
    const editor = await open(id);
    const settings = editor.page.getByRole('button', { name: 'Room settings' });
    const dialog = editor.page.getByRole('region', { name: 'Room settings' });
    await settings.click();
    await dialog.getByRole('tab').first().waitFor();
    expect(await dialog.getByRole('tab').allTextContents()).toEqual([
      'General',
      'Camera',
      'User interface',
      'Start popup',
      'Timed',
      'Realtime',
    ]);
    await dialog.getByLabel('Title', { exact: true }).fill('Great hall');
    await dialog.getByLabel('Width (units)').fill('900');
    await dialog.getByRole('tab', { name: 'Camera' }).click();
    await dialog.getByRole('group', { name: 'Position (units)' }).getByLabel('Z').fill('700');
    await dialog.getByRole('tab', { name: 'User interface' }).click();
    await editor.turnOn('Top left link', dialog);
    await dialog.getByLabel('Name', { exact: true }).fill('Help');
    await editor.choose('Navigation type', 'Built-in pop-up', dialog);
    await dialog.getByRole('tab', { name: 'Timed' }).click();
    await dialog.getByLabel('Duration (seconds)').fill('90');
    await editor.choose('Countdown', 'Top right', dialog);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await editor.saved();
    expect(await stored(id)).toMatchObject({
      title: 'Great hall',
      width: 900,
      config: {
        camera: { position: { z: 700 } },
        top_left_link: { name: 'Help', navigation: { type: 'modal_static', type_config: { name: 'about' } } },
        duration: 90,
        show_timed_timer: 'top_right',
      },
    });
    // Canceling undoes what was set since they were opened, and is undone itself.
    await settings.click();
    await dialog.getByLabel('Width (units)').fill('700');
    await dialog.getByLabel('Title', { exact: true }).fill('Small hall');
    await editor.saved();
    expect(await stored(id)).toMatchObject({ title: 'Small hall', width: 700 });
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await editor.saved();
    expect(await stored(id)).toMatchObject({ title: 'Great hall', width: 900, config: { duration: 90 } });
    await editor.press('Control+z');
    await editor.saved();
    expect(await stored(id)).toMatchObject({ title: 'Small hall', width: 700 });
    expect(editor.faults).toEqual([]);
  });

  test('turn rotation on with a 360° photo as their shell, as its template has it', async () => {
    const { id: file_id } = await web.app.upload('fixtures/media/panorama-poster.jpg');
    await web.app.client.templates.create({ body: { name: 'Lake shell', model_type: 'pano', file_id } });
    const id = await newRoom();
    const editor = await open(id);
    await editor.page.getByRole('button', { name: 'Room settings' }).click();
    const dialog = editor.page.getByRole('region', { name: 'Room settings' });
    await dialog.getByRole('combobox', { name: 'Template' }).fill('Lake');
    await editor.page.getByRole('option', { name: 'Lake shell' }).click();
    await editor.page.getByText('Rotation is turned on in the tab Camera, as in the template.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await editor.saved();
    expect((await stored(id)).config.camera).toMatchObject({ rotate: true, rotate_left_button: true });
  });

  test('say on their tab what is wrong', async () => {
    const id = await newRoom();
    const editor = await open(id);
    await editor.page.getByRole('button', { name: 'Room settings' }).click();
    const dialog = editor.page.getByRole('region', { name: 'Room settings' });
    await dialog.getByLabel('Title', { exact: true }).fill('');
    await dialog.getByRole('tab', { name: 'Timed' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Give the space a title.').waitFor();
  });
});

describe('5,000 elements', () => {
  test('are scrolled, searched and renamed while only what is seen is drawn', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Store' } });
    const { db, clock } = web.app.services;
    const first = await web.app.client.rooms.addElement({
      params: { id },
      body: { element: 'group', name: 'Element 0' },
    });
    const row = await db.selectFrom('elements').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow();
    const { id: _, ...columns } = row;
    const rows = Array.from({ length: 4999 }, (__, index) => ({
      ...columns,
      name: `Element ${index + 1}`,
      index: `b${String(index).padStart(5, '0')}`,
      updated_at: new Date(clock.now()).toISOString(),
    }));
    for (let start = 0; start < rows.length; start += 500)
      await db
        .insertInto('elements')
        .values(rows.slice(start, start + 500))
        .execute();
    const editor = await open(id);
    await editor.tree.getByTitle('Element 5', { exact: true }).waitFor();
    const { page } = editor;
    // Most rows that stand in the document at once, and the rows that change.
    const seen = await editor.tree.evaluateHandle((list) => {
      const watched = { most: 0, touched: new Set<Node>() };
      new MutationObserver((changes) => {
        watched.most = Math.max(watched.most, list.querySelectorAll('li').length);
        for (const { target } of changes)
          watched.touched.add((target instanceof Element ? target : target.parentElement!).closest('li') ?? list);
      }).observe(list, { attributes: true, characterData: true, childList: true, subtree: true });
      return watched;
    });
    await editor.row('Element 5').hover();
    for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 300);
    await editor.tree.getByTitle('Element 360', { exact: true }).waitFor();
    expect(await seen.evaluate(({ most }) => most)).toBeGreaterThan(10);
    await editor.tree.getByTitle('Element 360', { exact: true }).dblclick();
    await editor.tree.getByRole('textbox').fill('Renamed');
    await seen.evaluate(({ touched }) => touched.clear());
    await editor.tree.getByRole('textbox').press('Enter');
    await editor.saved();
    expect(await seen.evaluate(({ touched }) => touched.size), 'the others stay as they are').toBe(1);
    await page.getByRole('searchbox', { name: 'Search elements' }).fill('element 4998');
    await expect.poll(() => editor.names()).toEqual(['Element 4998']);
    expect(await seen.evaluate(({ most }) => most)).toBeLessThan(100);
    // What was found and selected is in sight when all show again.
    await editor.select('Element 4998');
    await page.getByRole('searchbox', { name: 'Search elements' }).fill('');
    await editor.tree.getByTitle('Element 4997', { exact: true }).waitFor();
    await expect.poll(() => editor.tree.locator('[aria-selected="true"]').allTextContents()).toEqual(['Element 4998']);
  });
});
