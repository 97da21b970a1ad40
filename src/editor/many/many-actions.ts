import { Box3, Vector3 } from 'three';
import { wallsOf } from '../../../engine/document/arrangements/walls.ts';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { MAX_DEPTH, UNITS_PER_METER } from '../../../engine/document/constants.ts';
import type { Element } from '../../../engine/document/element.ts';
import { byPath, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import { ancestorsOf, branchOf, childrenOf, findElement } from '../../../engine/document/tree.ts';
import type { Axis } from '../../../engine/machines/transform.ts';
import {
  alignShifts,
  type Boxed,
  centerShifts,
  distributeShifts,
  type Edge,
  heightShifts,
  type Shifts,
  wallShifts,
} from '../../../engine/tools/gestures/arrange.ts';
import { boxesOf, changesOf, sameSize } from '../../../engine/tools/gestures/moved.ts';
import { groupCommands, ungroupCommands } from '../../../engine/tools/gestures/regroup.ts';
import type { ElementChange } from '../../../engine/tools/marks/shown-fields.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showNotification } from '../../ui/notifications.ts';
import { newElement } from '../canvas/add-at.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { selectedElements } from '../session/element-actions.ts';

/** Actions on the selection; each is one history step. */

const countOf = (count: number) => `${count} ${count === 1 ? 'element' : 'elements'}`;

function run({ document }: Editor, changes: readonly ElementChange[], verb: string): void {
  document.run(
    changes.map(({ id, fields }): RoomCommand => ({ type: 'element.update', id, fields })),
    { label: `${verb} ${countOf(changes.length)}` },
  );
}

function shift(editor: Editor, verb: string, shiftsOf: (boxes: readonly Boxed[], active: Boxed) => Shifts): void {
  const { stage } = canvasOf(editor.document);
  if (!stage) return;
  const boxes = boxesOf(
    stage,
    selectedElements(editor).map(({ id }) => id),
  );
  const active = boxes.find(({ id }) => id === editor.selection.activeId) ?? boxes.at(-1);
  if (active) run(editor, changesOf(stage, shiftsOf(boxes, active)), verb);
}

/** Aligns one edge of the selection's bounding boxes to the active element. */
export const alignSelected = (editor: Editor, axis: Axis, edge: Edge): void =>
  shift(editor, 'Align', (boxes, active) => alignShifts(boxes, active, axis, edge));

/** Distributes the selection along an axis with equal gaps. @param gap in units; undefined to keep the ends in place */
export const distributeSelected = (editor: Editor, axis: Axis, gap?: number): void =>
  shift(editor, 'Distribute', (boxes) => distributeShifts(boxes, axis, gap));

/** Centers each element of the selection at eye level above the floor. */
export const liftSelected = (editor: Editor): void =>
  shift(editor, 'Center at eye level', (boxes) => {
    const { room } = editor.document;
    const y = -room.height / 2 + (canvasOf(editor.document).eyeLevel / 100) * UNITS_PER_METER;
    return heightShifts(boxes, y);
  });

/** Gives the selection the active element's distance to the wall. */
export const levelSelected = (editor: Editor): void =>
  shift(editor, 'Move to the wall', (boxes, active) => wallShifts(boxes, active, editor.document.room));

/** Centers the selection, as a block, on the nearest wall. */
export const centerSelected = (editor: Editor): void =>
  shift(editor, 'Center on the wall', (boxes, active) => centerShifts(boxes, active, wallsOf(editor.document.room)));

/** Resizes the selection to the size of the active element. */
export function sizeSelected(editor: Editor, side: 'width' | 'height' | 'both'): void {
  const { stage } = canvasOf(editor.document);
  const { activeId } = editor.selection;
  if (!stage || activeId === null) return;
  run(
    editor,
    sameSize(
      stage,
      selectedElements(editor).map(({ id }) => id),
      activeId,
      side,
    ),
    'Scale',
  );
}

/** Fields that the selection can take over from the active element together. */
const TAKEN_OVER = {
  link: ['config.navigation'],
  times: ['start_time', 'end_time', 'time_zone', 'utc_offset', 'visible_between'],
  places: ['visible_at'],
} as const;

/** Gives the selection the link, the daily times or the view points of the active element, where elements have them. */
export function takeOver(editor: Editor, what: keyof typeof TAKEN_OVER): void {
  const { selection, document } = editor;
  const active = selection.activeId === null ? undefined : findElement(document.room.elements, selection.activeId);
  if (!active) return;
  const given = byPath(active);
  const changes = selectedElements(editor).flatMap((element): ElementChange[] => {
    const own = byPath(element);
    const paths = TAKEN_OVER[what].filter((path) => path in given && path in own && !isSame(given[path], own[path]));
    // A view point can't be limited to itself.
    if (paths.length === 0 || (what === 'places' && active.visible_at.includes(element.id))) return [];
    return [{ id: element.id, fields: fieldsByPath(Object.fromEntries(paths.map((path) => [path, given[path]]))) }];
  });
  run(editor, changes, { link: 'Same link for', times: 'Same times for', places: 'Same places for' }[what]);
}

/** Groups the selection and selects the group; elements keep their positions in the room. */
export async function groupSelected(editor: Editor): Promise<void> {
  const { document, selection, ids } = editor;
  const { stage } = canvasOf(document);
  const members = selectedElements(editor);
  if (!stage || members.length === 0) return;
  const { elements } = document.room;
  const inside = members.flatMap((member) => branchOf(elements, member.id));
  if (inside.some(({ id }) => ancestorsOf(elements, id).length + 1 > MAX_DEPTH)) {
    showNotification(`Not grouped: groups stand in one another at most ${MAX_DEPTH} deep. Take some apart first.`);
    return;
  }
  const [id] = (await ids.taken(1)) ?? [];
  if (id === undefined) return;
  const box = new Box3();
  for (const { min, max } of boxesOf(
    stage,
    members.map((member) => member.id),
  ))
    box.expandByPoint(new Vector3(min.x, min.y, min.z)).expandByPoint(new Vector3(max.x, max.y, max.z));
  const group = { ...newElement('group', id), name: 'Group' };
  document.run(groupCommands(document.room.elements, new Set(selection.ids), group, box.getCenter(new Vector3())), {
    label: `Group ${countOf(members.length)}`,
  });
  selection.select(id);
}

/** Ungroups the selected groups and selects their children, which keep their positions in the room. */
export function ungroupSelected(editor: Editor): void {
  const { document, selection } = editor;
  const groups = selectedElements(editor).filter(({ element }) => element === 'group');
  if (groups.length === 0) return;
  const others = selection.ids.filter((id) => !groups.some((group) => group.id === id));
  const children = groups.flatMap((group) => childrenOf(document.room.elements, group.id).map(({ id }) => id));
  document.run(
    groups.flatMap((group) => ungroupCommands(document.room.elements, group.id)),
    { label: groups.length === 1 ? `Ungroup “${groups[0]!.name}”` : `Ungroup ${groups.length} groups` },
  );
  selection.selectMany([...others, ...children]);
}

/** Hides or locks the selection. */
export function setSelected(editor: Editor, fields: { hidden: true } | { editable: false }): void {
  const changes = selectedElements(editor).map(({ id }) => ({ id, fields }));
  run(editor, changes, 'hidden' in fields ? 'Hide' : 'Lock');
}

/** Removes the selection after confirmation. */
export async function removeSelected(editor: Editor): Promise<void> {
  const { document, selection } = editor;
  const elements = selectedElements(editor);
  const yes = await confirm({
    title: `Are you sure you want to remove ${countOf(elements.length)}?`,
    text: 'They and everything in them will be removed from the space.',
    action: 'Remove',
    destroys: true,
  });
  if (!yes) return;
  selection.select(null);
  document.run(
    elements.map(({ id }): RoomCommand => ({ type: 'element.remove', id })),
    { label: `Remove ${countOf(elements.length)}` },
  );
}

/** Siblings of the active element, or top-level elements without a selection. */
function besideActive({ document, selection }: Editor): readonly Element[] {
  const { elements } = document.room;
  const active = selection.activeId === null ? undefined : findElement(elements, selection.activeId);
  return childrenOf(elements, active?.parent_element_id ?? null);
}

/** Selects all siblings of the selection: the whole room, or a whole group. */
export const selectAll = (editor: Editor): void =>
  editor.selection.selectMany(besideActive(editor).map(({ id }) => id));

/** Selects the siblings that are not selected, and deselects the others. */
export const invertSelection = (editor: Editor): void =>
  editor.selection.selectMany(
    besideActive(editor)
      .map(({ id }) => id)
      .filter((id) => !editor.selection.has(id)),
  );

/** Selects all elements of the room with a type in the selection. */
export function selectSameType({ document, selection }: Editor): void {
  const types = new Set(selection.elements.map(({ element }) => element));
  const found = document.room.elements.filter(({ element }) => types.has(element)).map(({ id }) => id);
  const { activeId } = selection;
  selection.selectMany([...found.filter((id) => id !== activeId), ...(activeId === null ? [] : [activeId])]);
}
