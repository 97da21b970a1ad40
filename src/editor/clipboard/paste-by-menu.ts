import type { Spot } from '../../../engine/tools/camera/picker.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { importsOf } from '../canvas/import-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { middleOfCanvas } from './canvas-spot.ts';
import { pasteText } from './paste.ts';

/** Pastes without a key, as far as the browser lets pages read the clipboard. */
export async function pasteByMenu(editor: Editor, { isSame, spot }: { isSame?: boolean; spot?: Spot }): Promise<void> {
  const { tools } = canvasOf(editor.document);
  if (!tools) return;
  const otherwise = spot ?? middleOfCanvas(tools);
  let items: readonly ClipboardItem[];
  try {
    items = await navigator.clipboard.read();
  } catch {
    showNotification('The browser keeps the clipboard from menus. Press Ctrl+V to paste.');
    return;
  }
  const blobs = items.flatMap((item) =>
    item.types.filter((type) => type.startsWith('image/')).map((type) => item.getType(type)),
  );
  const images = (await Promise.all(blobs)).map(
    (blob) => new File([blob], `Pasted.${blob.type.split('/')[1]}`, { type: blob.type }),
  );
  if (images.length > 0) return importsOf(editor).add(images, otherwise);
  const text = items.find(({ types }) => types.includes('text/plain'));
  if (!text) return;
  const words = await (await text.getType('text/plain')).text();
  await pasteText(editor, words, { isSame, spot, otherwise }).catch(showProblem);
}
