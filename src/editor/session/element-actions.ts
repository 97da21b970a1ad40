import { type ElementFields, mergeFields, type Place } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import type { Vector } from '../../../engine/document/fields.ts';
import { ancestorsOf, branchOf, findElement, topmost } from '../../../engine/document/tree.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { say } from '../../ui/language/say.ts';
import { asBranch, type Branch, copiesOf } from './copies.ts';
import type { Editor } from './editor-context.ts';
import { titleOf, titlesOf } from './element-names.ts';

/** Maximum characters of an element's name. */
export const MAX_NAME_LENGTH = 255;

/** Units between an element and its copy. */
const GAP = 40;
/** Width in units assumed for elements without one. */
const NO_WIDTH = 200;

/** A unique name: the same with the next free number appended, with as many digits as before. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const [, stem = name, number = '1'] = /^(.*?)(?: (\d{1,6}))?$/s.exec(name) ?? [];
  for (let next = Number(number) + 1; ; next++) {
    const end = ` ${String(next).padStart(number.length, '0')}`;
    const free = stem.slice(0, MAX_NAME_LENGTH - end.length) + end;
    if (!taken.has(free)) return free;
  }
}

/** Gives copies unique names; descendants keep their names, and unnamed elements stay unnamed. */
function named(copies: readonly Element[], room: readonly Element[]): Element[] {
  const taken = new Set(room.map(({ name }) => name));
  return copies.map((copy) => {
    if (copy.name === '') return copy;
    const name = freeName(copy.name, taken);
    taken.add(name);
    return { ...copy, name };
  });
}

/** Moves copies to the right of their originals, by the total width. */
function beside(copies: readonly Element[]): Element[] {
  const widths = copies.map(({ width, scale_x }) => (width ?? NO_WIDTH) * Math.abs(scale_x));
  const first = copies[0];
  if (!first) return [];
  const xs = copies.map(({ position_x }) => position_x);
  const step = Math.max(...xs) - Math.min(...xs) + Math.max(...widths) + GAP;
  const x = Math.round(Math.cos(first.rotation_y) * step);
  const z = Math.round(-Math.sin(first.rotation_y) * step);
  return copies.map((copy) => ({ ...copy, position_x: copy.position_x + x, position_z: copy.position_z + z }));
}

/** Whether an element is hidden, or inside a hidden group. */
export const isLeftOut = ({ document }: Pick<Editor, 'document'>, element: Element): boolean =>
  [element, ...ancestorsOf(document.room.elements, element.id)].some(({ hidden }) => hidden);

/** Removes an element with its descendants after confirmation. */
export async function removeElement(editor: Editor, element: Element): Promise<void> {
  const { document, selection } = editor;
  if (isLeftOut(editor, element) || !element.editable) return;
  const branch = branchOf(document.room.elements, element.id);
  const inside = branch.length > 1 ? ' and everything in it' : '';
  const yes = await confirm({
    title: 'Are you sure you want to remove this element?',
    text: `“${titleOf(element)}”${inside} will be removed from the space.`,
    action: 'Remove',
    destroys: true,
  });
  if (!yes) return;
  // Input in its edit window is committed first, so that undo restores it, too.
  if (branch.some(({ id }) => id === selection.selectedId)) selection.select(null);
  document.run({ type: 'element.remove', id: element.id }, { label: `Remove “${titleOf(element)}”` });
}

/** The selected elements without those inside another selected one, in document order. */
export function selectedElements({ document, selection }: Pick<Editor, 'document' | 'selection'>): readonly Element[] {
  return topmost(document.room.elements, new Set(selection.ids));
}

/** Elements with their descendants, in document order. */
export const branchesOf = ({ document }: Pick<Editor, 'document'>, elements: readonly { id: number }[]): Branch[] =>
  elements.flatMap(({ id }) => asBranch(branchOf(document.room.elements, id)));

/** Target of copies. */
export interface CopyPlace {
  /** In the tree: each after its original, all after one element, or at the end of the room. */
  behind: 'each' | number | null;
  /** In the room: beside the originals, at the same positions, or with the first at a position. */
  at: 'beside' | 'same' | Vector;
}

function placed(copies: readonly Element[], at: CopyPlace['at']): readonly Element[] {
  if (at === 'same') return copies;
  if (at === 'beside') {
    // Groups have different local coordinates.
    const groups = Map.groupBy(copies, ({ parent_element_id }) => parent_element_id);
    const moved = new Map([...groups.values()].flatMap((group) => beside(group).map((copy) => [copy.id, copy])));
    return copies.map(({ id }) => moved.get(id)!);
  }
  const [first] = copies;
  return copies.map((copy) => ({
    ...copy,
    position_x: Math.floor(copy.position_x - first!.position_x + at.x),
    position_y: Math.floor(copy.position_y - first!.position_y + at.y),
    position_z: Math.floor(copy.position_z - first!.position_z + at.z),
  }));
}

/** Adds copies of branches under unique names, and selects them. */
export async function putCopies(
  { document, selection, ids }: Editor,
  originals: readonly Branch[],
  { behind, at, label }: CopyPlace & { label: string },
): Promise<void> {
  const newIds = await ids.taken(originals.reduce((sum, { inside }) => sum + 1 + inside.length, 0));
  if (!newIds) return;
  const { elements } = document.room;
  const copies = copiesOf(originals, newIds);
  const tops = placed(
    named(
      copies.map(({ top }) => top),
      elements,
    ),
    at,
  );
  document.run(
    copies.map(({ inside }, nth) => {
      const place = placeBehind(elements, behind === 'each' ? originals[nth]!.top.id : behind);
      // Copies after one element stay in order.
      const after = behind !== 'each' && nth > 0 ? tops[nth - 1]!.id : place.after;
      return {
        type: 'element.add',
        elements: [tops[nth]!, ...inside],
        ...place,
        ...(after !== undefined && { after }),
      };
    }),
    { label },
  );
  selection.selectMany(tops.map(({ id }) => id));
}

/** The place after an element, or the end of the room if the element is null or was removed. */
function placeBehind(elements: readonly Element[], id: number | null): Place {
  const element = id === null ? undefined : findElement(elements, id);
  return element ? { parent: element.parent_element_id, after: element.id } : { parent: null };
}

/** Adds a copy beside each element. */
export async function duplicate(editor: Editor, elements: readonly Element[]): Promise<void> {
  if (elements.length === 0) return;
  await putCopies(editor, branchesOf(editor, elements), {
    behind: 'each',
    at: 'beside',
    label: `Duplicate ${titlesOf(elements)}`,
  });
}

/** Adds copies of elements with the changes of a drag. */
export async function putMovedCopies(
  editor: Editor,
  changes: readonly { id: number; fields: ElementFields }[],
): Promise<void> {
  const fields = new Map(changes.map((change) => [change.id, change.fields]));
  const elements = topmost(editor.document.room.elements, new Set(fields.keys()));
  const moved = branchesOf(editor, elements).map(
    ({ top, inside }): Branch => ({ top: mergeFields(top, fields.get(top.id)!), inside }),
  );
  await putCopies(editor, moved, { behind: 'each', at: 'same', label: `Duplicate ${titlesOf(elements)}` });
}

/** Removes elements that were copied, without confirmation because undo restores them. */
export function cutElements(editor: Editor, elements: readonly Element[]): void {
  const { document, selection } = editor;
  const cut = elements.filter((element) => element.editable && !isLeftOut(editor, element));
  if (cut.length === 0) return;
  selection.select(null);
  document.run(
    cut.map(({ id }) => ({ type: 'element.remove', id })),
    { label: `Cut ${titlesOf(cut)}` },
  );
}

/** Copies an element beside itself after confirmation. */
export async function copyElement(editor: Editor, element: Element): Promise<void> {
  const yes = await confirm({
    title: 'Are you sure you want to copy this element?',
    text: `A copy of “${titleOf(element)}” will stand beside it.`,
    action: 'Copy',
    isOptional: true,
  });
  if (yes)
    await putCopies(editor, branchesOf(editor, [element]), {
      behind: element.id,
      at: 'beside',
      label: `Copy “${titleOf(element)}”`,
    });
}

/** Hides or shows an element after confirmation, and selects it when it is shown again. */
export async function hideElement({ document, selection }: Editor, element: Element): Promise<void> {
  const verb = element.hidden ? say('show') : say('hide');
  const yes = await confirm({
    title: `Are you sure you want to ${verb} this element?`,
    text: element.hidden
      ? `“${titleOf(element)}” will be in the space again.`
      : `“${titleOf(element)}” will be left out of the space until it is shown again.`,
    action: element.hidden ? 'Show' : 'Hide',
    isOptional: true,
  });
  if (!yes) return;
  const label = `${element.hidden ? 'Show' : 'Hide'} “${titleOf(element)}”`;
  document.run({ type: 'element.update', id: element.id, fields: { hidden: !element.hidden } }, { label });
  if (element.hidden) selection.select(element.id);
}

export function renameElement({ document }: Editor, element: Element, name: string): void {
  if (name === element.name) return;
  document.run({ type: 'element.update', id: element.id, fields: { name } }, { label: `Rename “${titleOf(element)}”` });
}

/** Unlocks an element, so that it can be selected and edited. */
export function unlockElement({ document, selection }: Editor, element: Element): void {
  document.run(
    { type: 'element.update', id: element.id, fields: { editable: true } },
    { label: `Unlock “${titleOf(element)}”` },
  );
  selection.select(element.id);
}
