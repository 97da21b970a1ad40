import type { Element } from '../../../engine/document/element.ts';
import type { Vector } from '../../../engine/document/fields.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { isLevel, type Spot } from '../../../engine/tools/camera/picker.ts';
import { isFlat } from '../../../engine/tools/gestures/placing.ts';
import { showNotification } from '../../ui/notifications.ts';
import { addAt } from '../canvas/add-at.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { importsOf } from '../canvas/import-store.ts';
import { type Branch, readClip } from '../session/copies.ts';
import type { Editor } from '../session/editor-context.ts';
import { putCopies } from '../session/element-actions.ts';
import { titlesOf } from '../session/element-names.ts';
import { contentOf, elementOf } from './pasted-content.ts';
import { takeMedia } from './take-media.ts';

/** Where what is pasted goes. */
export interface PastePlace {
  /** Whether elements go where they were copied from. */
  isSame?: boolean;
  /** Place that was pointed at for it. */
  spot?: Spot;
  /** Place of what comes from elsewhere. */
  otherwise: Spot;
}

/** Where the first of several goes at a spot: on the surface, beside what is there. */
function placeOf({ document }: Editor, [first]: readonly Element[], spot: Spot): Vector | undefined {
  const { tools } = canvasOf(document);
  return first && (tools?.placing.positionOf(first, spot) ?? spot.position);
}

/** What is flat, and alone, turns to the wall that it is pasted on. */
const turned = (branches: readonly Branch[], spot: Spot | undefined): readonly Branch[] => {
  const [first, second] = branches;
  if (!first || second || !spot || isLevel(spot.normal) || !isFlat(first.top)) return branches;
  return [{ ...first, top: { ...first.top, rotation_x: 0, rotation_y: spot.turn } }];
};

async function pasteElements(editor: Editor, text: string, { isSame, spot }: PastePlace): Promise<boolean> {
  const { document, selection, client } = editor;
  const isKnown = (id: number) => findElement(document.room.elements, id) !== undefined;
  const clip = readClip(text, isKnown);
  if (!clip?.branches.length) return false;
  const taken = await takeMedia(client, clip);
  if (taken.lost.length > 0)
    showNotification(`Not copied from the other organization: ${taken.lost.join(', ')}. Upload it here.`);
  // What comes from another room stands there as it stood in its own.
  const isFromHere = clip.branches.some(({ top }) => isKnown(top.id));
  const tops = taken.branches.map(({ top }) => top);
  const at = (spot && placeOf(editor, tops, spot)) ?? (isSame || !isFromHere ? 'same' : 'beside');
  const behind = spot ? null : selection.selectedId;
  await putCopies(editor, turned(taken.branches, spot), { behind, at, label: `Paste ${titlesOf(tops)}` });
  return true;
}

async function pasteImage(editor: Editor, url: string, spot: Spot): Promise<void> {
  const answer = await fetch(url).catch(() => null);
  const blob = answer?.ok ? await answer.blob() : null;
  if (!blob?.type.startsWith('image/')) {
    showNotification("The image can't be read from its site. Save it, and drop the file here.");
    return;
  }
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1)!);
  importsOf(editor).add([new File([blob], name, { type: blob.type })], spot);
}

/**
 * Puts a text into the room that was copied or dragged: elements, an address, or words.
 * @returns false where there is nothing in it
 */
export async function pasteText(editor: Editor, text: string, place: PastePlace): Promise<boolean> {
  if (await pasteElements(editor, text, place)) return true;
  const content = contentOf(text);
  if (!content) return false;
  const spot = place.spot ?? place.otherwise;
  if (content.kind === 'refused') showNotification(content.why);
  else if (content.kind === 'image') await pasteImage(editor, content.url, spot);
  else {
    const [id] = editor.ids.take() ?? [];
    if (id === undefined) return true;
    const element = elementOf(content, id, spot);
    addAt(editor, { top: element, inside: [] }, spot, `Paste “${element.name}”`);
  }
  return true;
}
