import { afterAll, describe, expect, test } from 'vitest';
import { quiet } from '../../harness/quiet-page.ts';
import { sharedEditor } from '../../harness/shared-window.ts';
import { VIMEO, VimeoStandIn } from '../../harness/stand-ins/vimeo.ts';
import { webSuite } from '../../harness/web-suite.ts';

const vimeo = new VimeoStandIn();
const withVimeo = webSuite({
  environment: async () => {
    await vimeo.start();
    return { ...VIMEO, VIMEO_URL: vimeo.url };
  },
});
const without = webSuite();
const [openWithVimeo, openWithout] = [sharedEditor(withVimeo), sharedEditor(without)];
afterAll(() => vimeo.stop());

describe.each([
  ['with Vimeo', withVimeo, openWithVimeo, ['Youtube', 'Vimeo', 'Uploaded'], ['Vimeo', 'Uploaded videos']],
  ['without Vimeo', without, openWithout, ['Youtube', 'Uploaded'], ['Uploaded videos']],
] as const)('a server %s', (_, web, open, platforms, libraries) => {
  test.each([
    ['Video', 'Platform', platforms],
    ['Native video', 'Library', libraries],
  ] as const)('%s offers the platforms that are there, the usual ones first', async (kind, label, offered) => {
    const { id } = await web.app.client.rooms.create({ body: { title: 'Hall' } });
    const editor = await open(id);
    await editor.add(kind);
    await quiet(editor.page);
    await editor.window.getByRole('combobox', { name: label, exact: true }).click();
    await expect.poll(() => editor.page.getByRole('option').allTextContents()).toEqual(offered);
  });
});
