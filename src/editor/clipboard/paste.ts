import { DETACHED, isPlace } from '../../../engine/document/blocks.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { FileReference, Vector } from '../../../engine/document/fields.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { isLevel, type Spot } from '../../../engine/tools/camera/picker.ts';
import type { EditTools } from '../../../engine/tools/edit-tools.ts';
import { isFlat } from '../../../engine/tools/marks/bounds.ts';
import type { Client } from '../../contract/client.ts';
import type { Media } from '../../contract/entities.ts';
import { showNotification } from '../../ui/notifications.ts';
import { addAt } from '../canvas/add-at.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { importsOf } from '../canvas/import-store.ts';
import { ROOM_CANVAS } from '../canvas/room-canvas.ts';
import { type Branch, type Clip, mapBranch, readClip } from '../session/copies.ts';
import type { Editor } from '../session/editor-context.ts';
import { putCopies } from '../session/element-actions.ts';
import { titlesOf } from '../session/element-names.ts';
import { type Content, contentOf, type ElementContent, elementOf } from './pasted-content.ts';

/** Branches in which places of blocks that the organization doesn't have are ordinary groups. */
async function withKnownBlocks(client: Client, branches: readonly Branch[], isFromHere: boolean) {
  const ids = new Set(
    branches.flatMap(({ top, inside }) => [top, ...inside].filter(isPlace).map(({ config }) => config.block_id)),
  );
  const known = new Set<number>();
  if (isFromHere)
    for (const id of ids) {
      const found = await client.blocks.read({ params: { id } }).catch(() => null);
      if (found) known.add(id);
    }
  return branches.map((branch) =>
    mapBranch(branch, (element) =>
      isPlace(element) && !known.has(element.config.block_id)
        ? ({ ...element, config: { ...element.config, ...DETACHED } } as Element)
        : element,
    ),
  );
}

/** Maximum number of files per request. */
const MAX_ASKED = 100;

/** URLs of pages and multi-file models point into a folder, so that the file alone is incomplete. */
const SEVERAL_FILES = new Set(['site', 'iframe']);

/** Ids of files that the organization does not have. Ids of other installations are unrelated. */
async function unknownFiles(
  client: Client,
  files: ReadonlyMap<number, FileReference>,
  isFromHere: boolean,
): Promise<ReadonlySet<number>> {
  const ids = [...files.keys()];
  const unknown = new Set(ids);
  for (let start = 0; start < ids.length; start += MAX_ASKED) {
    const asked = ids.slice(start, start + MAX_ASKED).join(',');
    const { data } = await client.media.list({ query: { ids: asked } });
    for (const { id, url } of data) if (isFromHere || files.get(id)?.url === url) unknown.delete(id);
  }
  return unknown;
}

async function copyOf(client: Client, { url, name, type }: FileReference, origin: string): Promise<Media | null> {
  if (SEVERAL_FILES.has(type) || /\.gltf(?:[?#]|$)/i.test(url)) return null;
  const answer = await fetch(new URL(url, origin)).catch(() => null);
  if (!answer?.ok) return null;
  const file = new File([await answer.blob()], name);
  return client.media.upload({ body: {}, files: { file } }).catch(() => null);
}

function withFile(element: Element, copies: ReadonlyMap<number, Media | null>): Element {
  const copy = element.file_id === null ? undefined : copies.get(element.file_id);
  if (copy === undefined) return element;
  const file = copy && { ...element.file, id: copy.id, name: copy.name, type: copy.type, url: copy.url };
  return {
    ...element,
    file,
    file_id: copy?.id ?? null,
    config: { ...element.config, file_url: copy?.url ?? '' },
  } as Element;
}

/**
 * Copies files of other organizations into the library.
 * @returns the elements, and the names of files that could not be copied and are left out
 */
async function takeMedia(
  client: Client,
  { branches, origin }: Clip,
): Promise<{ branches: readonly Branch[]; lost: string[] }> {
  const files = new Map(
    branches
      .flatMap(({ top, inside }) => [top, ...inside])
      .flatMap(({ file_id, file }) => (file_id && file ? [[file_id, file]] : [])),
  );
  if (files.size === 0) return { branches, lost: [] };
  const from = origin ?? location.origin;
  const unknown = await unknownFiles(client, files, from === location.origin);
  const copies = new Map<number, Media | null>();
  for (const id of unknown) copies.set(id, await copyOf(client, files.get(id)!, from));
  const lost = [...unknown].filter((id) => !copies.get(id)).map((id) => files.get(id)!.name);
  const taken = branches.map((branch) => mapBranch(branch, (element) => withFile(element, copies)));
  return { branches: taken, lost };
}

/** Selector of the canvas. */

/** The position in the room at the center of the canvas. */
export function middleOfCanvas(tools: EditTools): Spot {
  const { left, top, width, height } = document.querySelector(ROOM_CANVAS)!.getBoundingClientRect();
  return tools.spotAt(left + width / 2, top + height / 2);
}

/** The position in the room under the pointer; undefined if the pointer is not over the canvas. */
export const spotAtPointer = (tools: EditTools, { x, y }: { x: number; y: number }): Spot | undefined =>
  document.elementFromPoint(x, y)?.closest(ROOM_CANVAS) ? tools.spotAt(x, y) : undefined;

/** The position in the room under the pointer, or at the center of the canvas if the pointer is elsewhere. */
export const spotUnder = (tools: EditTools, pointer: { x: number; y: number }): Spot =>
  spotAtPointer(tools, pointer) ?? middleOfCanvas(tools);

export interface PastePlace {
  /** Whether elements are pasted at their original positions. */
  isSame?: boolean;
  /** Position chosen with the pointer. */
  spot?: Spot;
  /** Position for content from elsewhere. */
  otherwise: Spot;
}

/** Position of the first pasted element at a spot: on the surface, beside existing elements. */
function placeOf({ document }: Editor, [first]: readonly Element[], spot: Spot): Vector | undefined {
  const { tools } = canvasOf(document);
  return first && (tools?.placing.positionOf(first, spot) ?? spot.position);
}

/** A single flat element is turned to face away from the wall that it is pasted on. */
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
  const isSameSite = (clip.origin ?? location.origin) === location.origin;
  const branches = await withKnownBlocks(client, clip.branches, isSameSite);
  const taken = await takeMedia(client, { ...clip, branches });
  if (taken.lost.length > 0)
    showNotification(`Not copied from the other organization: ${taken.lost.join(', ')}. Upload it here.`);
  // Elements of another room are pasted at their original positions.
  const isFromHere = clip.branches.some(({ top }) => isKnown(top.id));
  const tops = taken.branches.map(({ top }) => top);
  const at = (spot && placeOf(editor, tops, spot)) ?? (isSame || !isFromHere ? 'same' : 'beside');
  const behind = spot ? null : selection.selectedId;
  await putCopies(editor, turned(taken.branches, spot), { behind, at, label: `Paste ${titlesOf(tops)}` });
  return true;
}

/** Adds a linked file: a copy of it, or if its site does not allow that, an element that plays it from there. */
async function pasteFile(editor: Editor, { url, name, linked }: Content & { kind: 'file' }, spot: Spot): Promise<void> {
  const answer = await fetch(url).catch(() => null);
  const blob = answer?.ok ? await answer.blob().catch(() => null) : null;
  // Sites answer with a page where a file is missing.
  if (blob && !blob.type.startsWith('text/html')) {
    importsOf(editor).add([new File([blob], name, { type: blob.type })], spot);
    return;
  }
  if (linked) return pasteElement(editor, linked, spot);
  showNotification(`“${name}” can't be read from its site. Save it, and drop the file here.`);
}

function pasteElement(editor: Editor, content: ElementContent, spot: Spot): void {
  const [id] = editor.ids.take() ?? [];
  if (id === undefined) return;
  const element = elementOf(content, id, spot);
  addAt(editor, { top: element, inside: [] }, spot, `Paste “${element.name}”`);
}

/**
 * Adds copied or dragged text to the room: elements, a URL, or plain text.
 * @returns false if there is nothing to add
 */
export async function pasteText(editor: Editor, text: string, place: PastePlace): Promise<boolean> {
  if (await pasteElements(editor, text, place)) return true;
  const content = contentOf(text);
  if (!content) return false;
  const spot = place.spot ?? place.otherwise;
  if (content.kind === 'refused') showNotification(content.why);
  else if (content.kind === 'file') await pasteFile(editor, content, spot);
  else pasteElement(editor, content, spot);
  return true;
}
