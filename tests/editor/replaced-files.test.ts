import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { add, endHeadless, openHeadless, saved } from '../harness/headless-editor.ts';
import { otherPicture, PIXEL } from '../harness/media-requests.ts';

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());
afterEach(endHeadless);

test('a file that is replaced meanwhile is shown in an open editor, whose history and document stay as they are', async () => {
  const client = api.client();
  const file = await client.media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
  const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  const editor = await openHeadless(client, room);
  const id = add(editor, 'image', { file_id: file.id, width: 300 });
  await saved(editor);
  await editor.saving.log.follow();
  const shown = () => editor.document.room.elements.find((element) => element.id === id)!;
  await expect.poll(() => shown().file?.url).toBe(file.url);
  const patched: string[] = [];
  editor.document.onCommand((command) => patched.push(JSON.stringify(command)));
  const other = new File([otherPicture().content], 'other.png');
  const { url } = await client.media.replace({ params: { id: file.id }, body: {}, files: { file: other } });
  await editor.saving.readFiles();
  expect(shown()).toMatchObject({ width: 300, file: { url }, config: { file_url: url } });
  // The canvas is patched with the new file only.
  expect(patched).toEqual([expect.stringContaining(url)]);
  expect(editor.document.steps).toHaveLength(1);
  expect(editor.saving.queue.waiting).toBe(0);
  expect(editor.told).toEqual([]);
});
