import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

type Input = Parameters<typeof web.app.client.rooms.addElement>[0]['body'];

async function openRoom(count = 0) {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Hall' } });
  const add = async (body: Input) => (await client.rooms.addElement({ params: { id }, body })).id;
  const wall = await add({ element: 'group', name: 'Wall' });
  await add({ element: 'button', name: 'Picture', parent_element_id: wall });
  await add({ element: 'button', name: 'Portrait', parent_element_id: wall });
  await add({ element: 'button', name: 'Door', hidden: true });
  const text = { body: '<p>Opening hours: 10 to 6</p>' };
  await add({ element: 'rich_text', name: 'Sign', config: text });
  for (let nth = 1; nth <= count; nth++) await add({ element: 'button', name: `Work ${nth}` });
  const editor = await EditorDriver.open(web.app, web.browser, id);
  const { page } = editor;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return { id, editor, page, focused, press };
}

describe('the tree by keyboard', () => {
  test('has one tab stop, levels and states, and moves with the keys of the WAI-ARIA pattern', async () => {
    const { editor, focused, page, press } = await openRoom(60);
    const facts = await editor.tree
      .getByRole('treeitem')
      .evaluateAll((rows) =>
        rows
          .slice(0, 4)
          .map((row) =>
            ['label', 'level', 'expanded', 'selected', 'posinset', 'setsize'].map((name) =>
              row.getAttribute(`aria-${name}`),
            ),
          ),
      );
    expect(facts).toEqual([
      ['Wall', '1', 'true', 'false', '1', '63'],
      ['Picture', '2', null, 'false', '1', '2'],
      ['Portrait', '2', null, 'false', '2', '2'],
      ['Door, hidden', '1', null, 'false', '2', '63'],
    ]);
    expect(await editor.tree.locator('[role="treeitem"][tabindex="0"]').count()).toBe(1);
    await page.getByRole('button', { name: 'Filter by type' }).focus();
    await press('Tab');
    expect(await focused()).toBe('Wall');
    const steps: [string, string][] = [
      ['ArrowDown', 'Picture'],
      ['ArrowLeft', 'Wall'],
      ['ArrowLeft', 'Wall'],
      ['ArrowDown', 'Door, hidden'],
      ['ArrowUp', 'Wall'],
      ['ArrowRight', 'Wall'],
      ['ArrowRight', 'Picture'],
      ['End', 'Work 60'],
      ['Home', 'Wall'],
      ['s', 'Sign'],
    ];
    for (const [key, wanted] of steps) {
      await press(key);
      await expect.poll(focused, { message: key }).toBe(wanted);
    }
    // A pause begins another name.
    await page.waitForTimeout(800);
    await page.keyboard.type('work 5');
    await expect.poll(focused).toBe('Work 5');
    // Selecting: Enter one, Space one more; the focus stays.
    await press('Home', 'ArrowDown', 'Enter');
    await editor.window.getByRole('heading', { name: 'Button' }).waitFor();
    expect(await focused()).toBe('Picture');
    await press('ArrowDown', 'Space');
    await page.getByRole('region', { name: 'Selection window' }).waitFor();
    expect(await editor.tree.locator('[aria-selected="true"]').count()).toBe(2);
    expect(await accessibilityFaults(page)).toEqual([]);
    // The controls of the row are next in the tab order, and those of other rows are not in it.
    await press('Tab');
    expect(await focused()).toMatch(/^Reorder: Portrait/);
    await press('Shift+Tab');
    expect(await focused()).toBe('Portrait');
    await press('F2');
    await page.keyboard.type('Self-portrait');
    await press('Enter');
    await expect.poll(focused).toBe('Self-portrait');
    expect(editor.faults).toEqual([]);
    await editor.close();
  });

  test('a search finds texts of elements, not only names', async () => {
    const { editor, page } = await openRoom();
    await page.getByRole('searchbox', { name: 'Search elements' }).fill('opening HOURS');
    await expect.poll(() => editor.names()).toEqual(['Sign']);
    await page.getByRole('searchbox', { name: 'Search elements' }).fill('rich text');
    await page.getByText('No elements match.').waitFor();
    await editor.close();
  });

  test('a name that is too long is refused with an error, and nothing of it is cut', async () => {
    const { id, editor, page } = await openRoom();
    await editor.tree.getByTitle('Sign', { exact: true }).dblclick();
    const field = editor.tree.getByRole('textbox');
    const long = 'x'.repeat(256);
    await field.fill(long);
    await field.press('Enter');
    await page.getByText('Use at most 255 characters.').waitFor();
    expect(await field.inputValue()).toBe(long);
    await field.fill('Board');
    await field.press('Enter');
    await editor.select('Board');
    await editor.tab('Settings');
    await editor.fill('Name', long);
    await editor.window.getByLabel('Name', { exact: true }).blur();
    await editor.window.getByText(/at most 255/).waitFor();
    await editor.saved();
    expect((await web.app.client.rooms.read({ params: { id } })).elements.map(({ name }) => name)).toContain('Board');
    await editor.close();
  });
});

test('a complete job by keyboard alone: an element is added, named, placed, undone and published', async () => {
  const { client } = web.app;
  const { id } = await client.rooms.create({ body: { title: 'Hall' } });
  const editor = await EditorDriver.open(web.app, web.browser, id);
  const { page } = editor;
  const focus = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );
  /** Presses Tab until something has the focus. */
  const tabTo = async (name: RegExp, key = 'Tab') => {
    for (let turn = 0; turn < 80; turn++) {
      if (name.test(await focus())) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${name} is not reached by ${key}; at last ${await focus()} had the focus.`);
  };
  await page.locator('[aria-label="Room"][data-state="ready"]').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Add an item' }).waitFor();
  await page.keyboard.type('button');
  await page.keyboard.press('Enter');
  await editor.window.waitFor();
  await expect.poll(() => editor.names()).toEqual(['Button']);
  await tabTo(/^Button$/);
  await page.keyboard.press('F2');
  await page.keyboard.type('Way out');
  await page.keyboard.press('Enter');
  await expect.poll(() => editor.names()).toEqual(['Way out']);
  await tabTo(/^Position X$/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('120');
  await page.keyboard.press('Enter');
  await editor.saved();
  const [placed] = (await client.rooms.read({ params: { id } })).elements;
  expect(placed).toMatchObject({ name: 'Way out', position_x: 120 });
  await page.keyboard.press('Control+z');
  await editor.saved();
  expect((await client.rooms.read({ params: { id } })).elements[0]!.position_x).not.toBe(120);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Shift+P');
  const dialog = page.getByRole('dialog', { name: 'Publish' });
  await dialog.getByRole('button', { name: 'Publish now' }).waitFor();
  await tabTo(/^Publish now$/);
  await page.keyboard.press('Enter');
  await dialog.getByText(/^Published .*by Member/).waitFor();
  const { published } = await client.publications.read({ params: { id } });
  const { room } = await client.revisions.read({ params: { id: published!.revision_id } });
  expect(room.elements).toMatchObject([{ name: 'Way out', position_x: 120 }]);
  expect(editor.faults).toEqual([]);
  await editor.close();
});
