import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../../harness/admin-page.ts';
import { quiet } from '../../harness/quiet-page.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';
import { nextFrames } from '../elements/play.ts';

const web = webSuite();
const open = sharedEditor(web);

const stored = async (id: number) => (await web.app.client.rooms.read({ params: { id } })).elements;
const handle = (list: Locator, name: string) => list.getByRole('button', { name: `Move: ${name}`, exact: true });
const handlesOf = (list: Locator) =>
  list
    .getByRole('button', { name: /^Move: / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')!.slice('Move: '.length)));

const middleOf = async (item: Locator) => {
  const { x, y, width, height } = (await item.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};

/** Drags one item onto the place of another, as a hand does. */
async function drag(page: Page, from: Locator, onto: Locator): Promise<void> {
  const [start, end] = [await middleOf(from), await middleOf(onto)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y + Math.sign(end.y - start.y) * 4, { steps: 12 });
  await nextFrames(page);
  await page.mouse.up();
}

describe('what stands in a short list is put in order', () => {
  test('slides: with the mouse, with the keyboard, and back', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    const group = await web.app.client.rooms.addElement({
      params: { id },
      body: { element: 'group', name: 'Slides', config: { slider_enabled: true } },
    });
    for (const name of ['One', 'Two', 'Three'])
      await web.app.client.rooms.addElement({
        params: { id },
        body: { element: 'image', name, parent_element_id: group.id },
      });
    const order = async () => (await stored(id))[0]!.children.map(({ name }) => name);
    const editor = await open(id);
    await editor.select('Slides');
    const list = editor.window.getByRole('list', { name: 'Elements of the group' });
    await quiet(editor.page);
    await drag(editor.page, handle(list, 'Three'), handle(list, 'One'));
    await expect.poll(() => handlesOf(list)).toEqual(['Three', 'One', 'Two']);
    await editor.saved();
    expect(await order()).toEqual(['Three', 'One', 'Two']);
    await handle(list, 'Three').focus();
    await editor.page.keyboard.press('ArrowDown');
    await editor.window.getByText('Three: place 2 of 3').waitFor({ state: 'attached' });
    await editor.page.keyboard.press('ArrowDown');
    await expect.poll(() => handlesOf(list)).toEqual(['One', 'Two', 'Three']);
    expect(await handle(list, 'Three').evaluate((button) => button === document.activeElement)).toBe(true);
    await editor.saved();
    expect(await order()).toEqual(['One', 'Two', 'Three']);
    await editor.press('Control+z');
    await expect.poll(() => handlesOf(list)).toEqual(['One', 'Three', 'Two']);
    expect(await accessibilityFaults(editor.page)).toEqual([]);
    expect(editor.faults).toEqual([]);
  });

  test('view points: the menu of the room, whichever of them is open', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    for (const name of ['Door', 'Stage', 'Bar'])
      await web.app.client.rooms.addElement({
        params: { id },
        body: { element: 'view_point', name, config: { name } },
      });
    const editor = await open(id);
    await editor.select('Stage');
    const list = editor.window.getByRole('list', { name: 'View points' });
    await quiet(editor.page);
    await drag(editor.page, handle(list, 'Door'), handle(list, 'Bar'));
    await expect.poll(() => handlesOf(list)).toEqual(['Stage', 'Bar', 'Door']);
    await editor.saved();
    const ranks = (await stored(id)).map(({ name, config }) => [name, (config as { order_rank: number }).order_rank]);
    expect(Object.fromEntries(ranks)).toEqual({ Stage: 0, Bar: 1, Door: 2 });
  });

  test('subtitles, each with its type', async () => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    await web.app.client.rooms.addElement({ params: { id }, body: { element: 'native_video', name: 'Film' } });
    const editor = await open(id);
    await editor.select('Film');
    const list = editor.window.getByRole('list', { name: 'Subtitles' });
    for (const language of ['en', 'nl']) {
      await editor.window.getByRole('button', { name: 'Add subtitles' }).click();
      const track = list.getByRole('listitem').last();
      await track.getByLabel('Language').fill(language);
      await track.getByLabel('Address of the WebVTT file').fill(`https://example.com/${language}.vtt`);
    }
    await editor.choose('Type', 'Captions', list.getByRole('listitem').last());
    await list.getByRole('listitem').last().getByLabel('Language').press('Alt+ArrowUp');
    await editor.save();
    await editor.saved();
    expect((await stored(id))[0]!.config).toMatchObject({
      text_tracks: [
        { language: 'nl', link: 'https://example.com/nl.vtt', type: 'captions' },
        { language: 'en', link: 'https://example.com/en.vtt', type: 'subtitles' },
      ],
    });
  });
});
