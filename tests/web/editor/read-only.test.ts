import { expect, test } from 'vitest';
import { findElement, flatten } from '../../../engine/document/tree.ts';
import { allPolicies } from '../../../src/server/features/organizations/service.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();

/** Controls that change nothing of the space, by their names. */
const VIEWING = [
  // The bar at the top.
  /^(?:Hide panels|Show panels|Space|History|Revisions|Check(?:, .*)?|Preview|Room settings|Keys|Dark mode|Light mode|Logout|More)$/,
  // The tree.
  /^(?:Width of the .*|Search elements|Clear the search|Type of elements.*|Filter.*|All types|Group Works|Work|Door|Works|Fold .*|Unfold .*)$/,
  // The canvas and the bar at the bottom.
  /^(?:Room|Views: .*|Grid|Measure|Select|Turn left|Forward|Turn right|Left|Backward|Right|Up|Down|Look .*|[XYZ]|Axis .*)$/,
  // Windows, panels and dialogs: what closes them, and what leads through them.
  /^(?:Close.*|Deselect all|Dismiss.*|Copy)$/,
];

interface Control {
  name: string;
  isViewing: boolean;
}

/** Names of the controls that are enabled and are not among those for viewing. */
async function enabledControls({ page }: EditorDriver): Promise<string[]> {
  const found: Control[] = await page.evaluate(() => {
    const CONTROLS =
      'button, input, select, textarea, a[href], [contenteditable="true"], [tabindex]:not([tabindex="-1"]), [role="slider"], [role="menuitem"]';
    return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
      .filter((control) => control.checkVisibility() && !control.closest('[inert], [aria-hidden="true"]'))
      .filter((control) => !control.matches(':disabled, [aria-disabled="true"], [data-disabled="true"]'))
      .map((control) => ({
        name: (
          control.getAttribute('aria-label') ??
          (control as HTMLInputElement).labels?.[0]?.textContent ??
          control.textContent ??
          ''
        ).trim(),
        isViewing:
          control.matches('[role="tab"], [role="tree"], [role="separator"]') ||
          control.closest('[role="status"], [role="alert"], [role="tablist"]') !== null ||
          // What scrolls is reached by keys.
          (control.matches('[tabindex]') && !control.matches('button, input, select, textarea, a, [role="slider"]')),
      }));
  });
  return found
    .filter(({ name, isViewing }) => !isViewing && !VIEWING.some((names) => names.test(name)))
    .map(({ name }) => name);
}

/** Lets the last user edit spaces, only view them, or not even that. */
async function allow(update: boolean, view_any = true): Promise<void> {
  const { client } = web.app;
  const user = (await client.users.list()).data.toSorted((one, other) => other.id - one.id)[0]!;
  const all = allPolicies();
  await client.users.update({
    params: { id: user.id },
    body: { policies: { ...all, rooms: { ...all.rooms, update, view_any } } },
  });
}

async function openRoom() {
  const { client } = web.app;
  const { id: room } = await client.rooms.create({ body: { title: 'Hall' } });
  const add = async (element: 'button' | 'rich_text' | 'group' | 'text', name: string) =>
    (
      await client.rooms.addElement({
        params: { id: room },
        body: { element, name, position_z: -1500, ...(element === 'group' ? {} : { width: 300, height: 200 }) },
      })
    ).id;
  const ids = {
    door: await add('button', 'Door'),
    work: await add('rich_text', 'Work'),
    works: await add('group', 'Works'),
  };
  const editor = await EditorDriver.open(web.app, web.browser, room);
  const canvas = editor.page.getByRole('application', { name: 'Room' });
  await canvas.and(editor.page.locator('[data-state="ready"]')).waitFor();
  return { room, ids, editor, canvas };
}

const said = ({ page }: EditorDriver, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });

test('in read-only mode no control is enabled that edits, and no key, press or drag changes anything', async () => {
  const { room, editor, canvas } = await openRoom();
  const { page } = editor;
  // There is something to undo, and something to redo.
  await editor.add('Group');
  await editor.saved();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await editor.saved();
  await editor.select('Door');
  await editor.window.waitFor();
  const before = await web.app.client.rooms.read({ params: { id: room } });
  await allow(false);
  await editor.saveState.getByText('Read only').waitFor();
  expect(await enabledControls(editor), 'an element').toEqual([]);
  for (const tab of await editor.window.getByRole('tab').all()) {
    await tab.click();
    expect(await enabledControls(editor), (await tab.textContent())!).toEqual([]);
  }
  await editor.select('Work');
  await editor.tab('Content');
  await editor.window.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
  expect(await enabledControls(editor), 'a text').toEqual([]);
  await page.mouse.move(0, 0);
  await editor.tree.getByTitle('Door', { exact: true }).click({ modifiers: ['Control'] });
  await page.getByRole('region', { name: 'Selection window' }).waitFor();
  expect(await enabledControls(editor), 'many').toEqual([]);
  await page.getByRole('button', { name: 'Deselect all' }).click();
  expect(await enabledControls(editor), 'nothing').toEqual([]);
  await page.getByRole('button', { name: 'Room settings', exact: true }).click();
  const settings = page.getByRole('region', { name: 'Room settings' });
  for (const tab of await settings.getByRole('tab').all()) {
    await tab.click();
    expect(await enabledControls(editor), (await tab.textContent())!).toEqual([]);
  }
  await settings.getByRole('button', { name: 'Close the room settings' }).click();
  await page.getByRole('button', { name: 'Revisions' }).click();
  const revisions = page.getByRole('dialog', { name: 'Revisions' });
  const first = revisions.getByRole('listitem').first();
  await first.getByRole('button').first().click();
  await revisions.getByRole('button', { name: 'Restore all' }).waitFor();
  for (const name of ['Restore all', /^Rename/, /^Remove/, 'Save a revision'])
    for (const each of await revisions.getByRole('button', { name }).all()) expect(await each.isDisabled()).toBe(true);
  expect(await revisions.getByRole('textbox').isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await revisions.waitFor({ state: 'hidden' });
  // Menus.
  await editor.tree.getByTitle('Door', { exact: true }).click({ button: 'right' });
  const menu = page.getByRole('menu', { name: 'Actions' });
  const items = await menu.getByRole('menuitem').allTextContents();
  expect(items.filter((item) => !/^(?:Copy|Frame|Show|Go to|Measure|Start)/.test(item))).toEqual([]);
  await page.keyboard.press('Escape');

  // Keys: of the table, and of the canvas.
  await editor.select('Door');
  await canvas.focus();
  const keys = [
    'Delete',
    'h',
    'a',
    'F2',
    'Control+d',
    'Control+x',
    'Control+v',
    'Control+g',
    'Control+z',
    'ArrowLeft',
    'e',
    'Space',
  ];
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
    expect(await page.getByRole('dialog').count(), key).toBe(0);
  }
  expect(await page.evaluate(() => window.enfiladeCanvas!.machine.getSnapshot().context.mode)).toBe('translate');
  // A drag of what is selected, on the canvas: there are no handles, and the camera has it.
  const box = (await canvas.boundingBox())!;
  expect(
    await page.evaluate(() => window.enfiladeCanvas!.stage!.three.getObjectByName('handles')?.visible ?? false),
  ).toBe(false);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 120, box.y + box.height / 2, { steps: 6 });
  await page.mouse.up();
  await page.waitForTimeout(500);
  const after = await web.app.client.rooms.read({ params: { id: room } });
  expect(after.elements).toEqual(before.elements);
  expect(await page.evaluate(() => window.enfiladeCanvas!.document.room.elements.length)).toBe(before.elements.length);
  // With the right, everything is back.
  await allow(true);
  await editor.saved();
  await editor.add('Group');
  await editor.saved();
  expect(editor.faults).toEqual([]);
  await editor.close();
});

test('text that is typed while the right goes is kept and offered, and is sent once it is back', async () => {
  const { room, ids, editor } = await openRoom();
  const { page } = editor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await editor.select('Door');
  const title = editor.window.getByLabel('Title', { exact: true });
  await title.focus();
  // The line to the server tells of it late: what is typed meanwhile is refused.
  await page.context().setOffline(true);
  await page.keyboard.type('Way in');
  await allow(false);
  await page.context().setOffline(false);
  for (let times = 0; times < 200 && (await title.isEnabled()); times++) {
    await page.keyboard.type('x');
    await page.waitForTimeout(50);
  }
  expect(await title.isDisabled()).toBe(true);
  // The rest of the word goes nowhere.
  await page.keyboard.type('more');
  expect(await page.getByRole('region', { name: 'Room settings' }).count()).toBe(0);
  const typed = await title.inputValue();
  expect(typed).toMatch(/^Way inx*$/);
  expect(await editor.saveState.textContent()).toMatch(/^Read only/);
  const offer = said(editor, 'You can no longer edit this space. Your unsent text is kept.');
  await offer.getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(typed);
  await allow(true);
  await editor.saved();
  const stored = findElement(flatten((await web.app.client.rooms.read({ params: { id: room } })).elements), ids.door)!;
  expect((stored.config as { title: string }).title).toBe(typed);
  expect(await title.isEnabled()).toBe(true);
  await editor.close();
});

test('a right that comes back at once, before the server has looked, is noticed without a reload', async () => {
  const { room, ids, editor } = await openRoom();
  const { page } = editor;
  const stored = async () => {
    const { elements } = await web.app.client.rooms.read({ params: { id: room } });
    return findElement(flatten(elements), ids.door)!.name;
  };
  // The server looks once a second, so that most rounds fall between two looks.
  for (let round = 1; round <= 4; round++) {
    await allow(false);
    const name = `Door ${round}`;
    await page.evaluate(
      ([id, name]) =>
        window.enfiladeCanvas!.document.run({ type: 'element.update', id, fields: { name } }, { label: 'Rename' }),
      [ids.door, name] as const,
    );
    await editor.saveState.getByText('Read only').waitFor();
    await allow(true);
    await expect.poll(stored, { timeout: 30_000 }).toBe(name);
    await editor.saved();
  }
  // The same for the right to see the space, without which the server ends the line.
  await allow(false, false);
  await editor.saveState.getByText('Read only').waitFor();
  await allow(true);
  await editor.saved();
  expect(editor.faults.filter((fault) => !fault.includes('403'))).toEqual([]);
  await editor.close();
});
