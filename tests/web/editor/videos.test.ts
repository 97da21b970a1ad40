import type { Route } from 'playwright';
import { describe, expect, test } from 'vitest';
import { sharedEditor } from '../../harness/shared-window.ts';
import { webSuite } from '../../harness/web-suite.ts';

const web = webSuite();
const open = sharedEditor(web);

const video = (index: number, playable = true) => ({
  id: `film-${index}`,
  type: 'local',
  name: `Film ${index}`,
  thumb: '',
  thumb_large: '',
  playable,
  source_files: [
    { link: `https://example.com/${index}-360.mp4`, name: '360p' },
    { link: `https://example.com/${index}-1080.mp4`, name: '1080p' },
  ],
  text_tracks: [],
  default_text_track: '',
});

/** A platform with three pages of films, the first of which is still being processed. */
async function openWithFilms() {
  const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
  const editor = await open(id);
  const asked: { query: string; page: number; per_page: number }[] = [];
  let isPlayable = false;
  const answer = (route: Route, data: unknown) => route.fulfill({ json: { data } });
  await editor.page.route('**/api/v1/backend/videos/local/search', (route) => {
    const body = route.request().postDataJSON();
    asked.push(body);
    const all = Array.from({ length: 30 }, (_, index) => video(index, index > 0 || isPlayable));
    const found = all.filter(({ name }) => name.includes(body.query));
    const data = found.slice((body.page - 1) * body.per_page, body.page * body.per_page);
    return answer(route, { data, last_page: Math.ceil(found.length / body.per_page) });
  });
  await editor.page.route('**/api/v1/backend/videos/local/film-0', (route) => answer(route, video(0, isPlayable)));
  await editor.add('Native video');
  await editor.window.getByRole('button', { name: 'Choose: Video', exact: true }).click();
  const dialog = editor.page.getByRole('dialog', { name: 'Videos' });
  await dialog.getByRole('option', { name: 'Film 1', exact: true }).waitFor();
  const finish = () => {
    isPlayable = true;
  };
  return { editor, id, dialog, asked, finish };
}

describe('the video manager', () => {
  test('loads twelve at a time as one scrolls, and searches after a pause', async () => {
    const { dialog, asked } = await openWithFilms();
    expect(asked[0]).toEqual({ query: '', page: 1, per_page: 12 });
    await dialog.getByRole('option').last().scrollIntoViewIfNeeded();
    await expect.poll(() => asked.map(({ page }) => page)).toContain(2);
    const before = asked.length;
    await dialog.getByLabel('Search').pressSequentially('Film 29', { delay: 30 });
    await expect.poll(() => dialog.getByRole('option').allTextContents()).toEqual(['Film 29']);
    // Seven keys, one question.
    expect(asked.slice(before).filter(({ query }) => query !== '')).toEqual([
      { query: 'Film 29', page: 1, per_page: 12 },
    ]);
  });

  test('chooses what is selected and playable, and nothing else', async () => {
    const { editor, id, dialog, finish } = await openWithFilms();
    const choose = dialog.getByRole('button', { name: 'Choose', exact: true });
    expect(await choose.isDisabled()).toBe(true);
    const first = dialog.getByRole('option', { name: /^Film 0/ });
    await first.click();
    await choose.click();
    await editor.page.getByText('This video is still being processed.').waitFor();
    await dialog.getByText('Processing').waitFor();
    finish();
    await dialog.getByText('Processing').waitFor({ state: 'detached', timeout: 30_000 });
    await choose.click();
    await dialog.waitFor({ state: 'hidden' });
    const address = editor.window.getByLabel('Video address', { exact: true });
    expect(await address.inputValue()).toBe('https://example.com/0-1080.mp4');
    expect(await address.getAttribute('readonly')).not.toBeNull();
    await editor.save();
    await editor.saved();
    const room = await web.app.client.rooms.read({ params: { id } });
    expect(room.elements[0]!.config).toMatchObject({
      direct_url: 'https://example.com/0-1080.mp4',
      module_video: { id: 'film-0', name: 'Film 0' },
    });
  });

  test('Cancel, Esc and the backdrop close it and choose nothing', async () => {
    const { editor, dialog } = await openWithFilms();
    const open = () => editor.window.getByRole('button', { name: 'Choose: Video', exact: true }).click();
    await dialog.getByRole('option', { name: 'Film 1', exact: true }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await open();
    await dialog.waitFor();
    await editor.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // Esc closed the manager alone.
    await editor.window.waitFor();
    await open();
    await dialog.waitFor();
    await editor.page.mouse.click(10, 400);
    await dialog.waitFor({ state: 'hidden' });
    expect(await editor.window.getByText('No video').count()).toBe(1);
  });
});
