import {
  asPlace,
  type BlockVersion,
  blockOf,
  DETACHED,
  hasSameContent,
  matchPlace,
  newPlace,
  type PlaceElement,
  updatedPlace,
  withPlaces,
} from '../../../engine/document/blocks.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import { MAX_BLOCK_ELEMENTS } from '../../../engine/document/constants.ts';
import type { Element } from '../../../engine/document/element.ts';
import { withKeys } from '../../../engine/document/sibling-keys.ts';
import { branchOf, findElement, flatten, nest } from '../../../engine/document/tree.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import type { Client } from '../../contract/client.ts';
import type { Block, BlockContent } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showNotification } from '../../ui/notifications.ts';
import { groupSelected } from '../many/many-actions.ts';
import type { Editor } from '../session/editor-context.ts';
import { selectedElements } from '../session/element-actions.ts';

/** Path of a block's places in the back-office. */
export const placesPath = (id: number): string => `/admin/spaces/blocks/${id}`;

const elementsOf = ({ element }: BlockContent) => withKeys(flatten([element], null));

/** A block at a version. */
async function versionOf(client: Client, id: number, version?: number): Promise<BlockVersion> {
  const block = await client.blocks.read({ params: { id }, query: { ...(version !== undefined && { version }) } });
  return { id, version: version ?? block.version, elements: elementsOf(block) };
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** A place's block, as far as it is stored. */
export interface PlaceState {
  /** Null if the block was removed. */
  block: BlockContent | null;
  newest: BlockVersion | null;
  /** The version that the place contains; null if it is no longer stored. */
  base: BlockVersion | null;
}

export async function readPlace(client: Client, { config }: PlaceElement): Promise<PlaceState> {
  const { block_id: id, block_version: version } = config;
  try {
    const block = await client.blocks.read({ params: { id } });
    const newest = { id, version: block.version, elements: elementsOf(block) };
    if (version === newest.version) return { block, newest, base: newest };
    const base = await versionOf(client, id, version ?? 0).catch((error: unknown) => {
      if (isMissing(error) || version == null) return null;
      throw error;
    });
    return { block, newest, base };
  } catch (error) {
    if (isMissing(error)) return { block: null, newest: null, base: null };
    throw error;
  }
}

/** Warns about links that the block lacks. */
function showDropped(name: string, dropped: readonly string[]): void {
  if (dropped.length === 0) return;
  const named = dropped.slice(0, 5).map((each) => `“${each}”`);
  const more = dropped.length > named.length ? ` and ${dropped.length - named.length} more` : '';
  showNotification(`“${name}” lacks links to elements outside it: those of ${named.join(', ')}${more}.`);
}

/** The selection as one group; null if it can't be a block. */
async function selectedGroup(editor: Editor): Promise<Element | null> {
  const before = selectedElements(editor);
  if (before.length !== 1 || before[0]!.element !== 'group') await groupSelected(editor);
  const [group, other] = selectedElements(editor);
  return group?.element === 'group' && !other ? group : null;
}

/** Saves the selection as a block, and makes it its first place. Several elements are grouped. */
export async function saveAsBlock(editor: Editor, name: string): Promise<void> {
  const { client, document } = editor;
  const group = await selectedGroup(editor);
  if (!group) return;
  const branch = branchOf(document.room.elements, group.id);
  if (branch.length > MAX_BLOCK_ELEMENTS) {
    showNotification(`A block can contain at most ${MAX_BLOCK_ELEMENTS} elements.`);
    return;
  }
  const block = await client.blocks.create({ body: { name, element: { ...nest(branch)[0] } } });
  if (!findElement(document.room.elements, group.id)) return;
  document.run(asPlace(branch, block), { label: `Save “${name}” as a block` });
  showDropped(name, blockOf(branch).dropped);
}

/**
 * Adds a place of a block, and selects it.
 * @param parent parent group, in whose center it is placed; null for the room
 * @param spot position in the room; in front of the camera if missing
 */
export async function placeBlock(
  { client, document, selection, ids, place }: Editor,
  { id, name }: Block,
  { parent, spot }: { parent: number | null; spot?: Spot | undefined },
): Promise<void> {
  const block = await versionOf(client, id);
  const newIds = await ids.taken(block.elements.length);
  if (!newIds) return;
  const [top, ...inside] = newPlace(block, name, newIds);
  const { element, rest } = parent === null ? place(top!, spot) : { element: top!, rest: undefined };
  const step = { label: `Add “${name}”`, merge: `add ${element.id}` };
  document.run({ type: 'element.add', elements: [{ ...element, parent_element_id: parent }, ...inside], parent }, step);
  rest?.(step);
  selection.select(element.id);
}

/** Updates a place to the newest version of its block; asks first if it has changes of its own. */
export async function updatePlace(
  { document, ids }: Editor,
  place: PlaceElement,
  { newest, base, block }: PlaceState,
): Promise<void> {
  if (!newest || !block) return;
  const isChanged = !base || !hasSameContent(branchOf(document.room.elements, place.id), base.elements);
  const question = {
    title: `Overwrite the changes in this place of “${block.name}”?`,
    text: 'The elements of the block replace those of this place. You can undo this.',
    action: 'Overwrite',
  };
  if (isChanged && !(await confirm(question))) return;
  const match = () => matchPlace(branchOf(document.room.elements, place.id), base?.elements, newest);
  const newIds = await ids.taken(match().missing.length);
  const { room } = document;
  if (!newIds || !findElement(room.elements, place.id)) return;
  const branch = branchOf(room.elements, place.id);
  const after = updatedPlace(branch, match(), newest, newIds);
  const elements = withPlaces(room.elements, [{ branch, after }]);
  document.run(commandsBetween(room, { ...room, elements }), { label: `Update “${block.name}”` });
}

/** Saves the elements of a place as the next version of its block. */
export async function saveToBlock({ client, document }: Editor, place: PlaceElement): Promise<void> {
  const { block_id: id, block_version } = place.config;
  const { name, version, updated_at } = await client.blocks.read({ params: { id } });
  const question = {
    title: `Replace version ${version} of “${name}”?`,
    text: `This place contains version ${block_version}. The changes in later versions would be lost in the new one.`,
    action: 'Replace',
  };
  if (block_version !== version && !(await confirm(question))) return;
  const branch = branchOf(document.room.elements, place.id);
  if (branch.length === 0) return;
  const body = { element: { ...nest(branch)[0] }, updated_at };
  const saved = await client.blocks.update({ params: { id }, body });
  if (findElement(document.room.elements, place.id))
    document.run(asPlace(branch, saved), { label: `Save “${name}” to its block` });
  showDropped(name, blockOf(branch).dropped);
  const others = saved.places - 1;
  const text = `“${name}” saved as version ${saved.version}.`;
  if (others <= 0) showNotification(text);
  else
    showNotification(`${text} ${others === 1 ? '1 other place keeps' : `${others} other places keep`} its version.`, {
      label: 'Update places',
      act: () => void open(placesPath(id)),
    });
}

/** Makes a place an ordinary group. */
export function detachPlace({ document }: Editor, place: PlaceElement): void {
  document.run(
    { type: 'element.update', id: place.id, fields: { config: DETACHED } },
    { label: `Detach “${place.name}”` },
  );
}
