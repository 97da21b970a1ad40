import type { z } from 'zod';
import type { ElementFields, RoomCommand } from '../../../../engine/document/commands.ts';
import { fieldsAlone } from '../../../../engine/document/commands-between.ts';
import { MAX_ELEMENTS } from '../../../../engine/document/constants.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { changedPaths } from '../../../../engine/document/field-paths.ts';
import { type IdMap, remapElement } from '../../../../engine/document/remap.ts';
import { findElement as findInTree, placeInTree, walk } from '../../../../engine/document/tree.ts';
import type { calls } from '../../../contract/calls.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { reserveIds } from '../../base/db/reserve-ids.ts';
import { cleanAhead, cleanNow, type HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../call-context.ts';
import { checkElementFile, readElement, refuseUnknownSettings } from '../elements/check-element.ts';
import { asElementRow, elementFromRow } from '../elements/element-row.ts';
import { findElement } from '../elements/elements-repository.ts';
import { checkCount, checkParent } from '../elements/tree.ts';
import { findFiles } from '../media/files-repository.ts';
import { changeRoom, changeRoomOf } from './change-room.ts';
import { refuseOverwriting } from './refuse-overwriting.ts';
import { editedElement } from './settle-command.ts';

type Input<N extends keyof typeof calls.elements> = (typeof calls.elements)[N] extends {
  body: infer B extends z.ZodType;
}
  ? z.output<B>
  : never;

/** Stands for the id of an element that has none yet: one that no stored element has. */
const NEW_ID = Number.MAX_SAFE_INTEGER;

/** An element as the calls give it. */
export async function readElementRow({ db, organizationId }: CallContext, id: number): Promise<ElementRow> {
  const row = await findElement(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return asElementRow(row, await findFiles(db, organizationId, [row.file_id]));
}

/** The place behind the last child of a parent: what stands behind all others. */
const LAST = MAX_ELEMENTS;

/**
 * Adds an element behind the last one of its parent.
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function addElement(
  context: CallContext,
  roomId: number,
  input: z.output<typeof calls.rooms.addElement.body>,
): Promise<ElementRow> {
  const { workers } = context;
  refuseUnknownSettings(input.element, input.config);
  const given = { ...input, id: NEW_ID };
  const html = await cleanAhead(workers, (html) => readElement(given, html));
  const element = readElement(given, html);
  const parent = element.parent_element_id;
  const id = await changeRoom(context, roomId, async ({ db, room, commit }) => {
    await checkElementFile(db, context.organizationId, element);
    const places = [...walk(room.elements)];
    checkCount(places.length + 1);
    checkParent(places, parent);
    const [made] = await reserveIds(db, 'elements', 1);
    const added = { ...element, id: made!, children: [] } as Element;
    await commit([{ type: 'element.add', element: added, parent, index: LAST }], html);
    return made!;
  });
  return readElementRow(context, id);
}

/** An element with the given fields changed, as it will be. */
function changed(before: Element, fields: Omit<Input<'update'>, 'updated_at'>, html: HtmlCleaner): Element {
  refuseUnknownSettings(before.element, fields.config);
  return editedElement(before, fields, html);
}

/**
 * Changes the given fields of an element; a new parent gets it behind its last child.
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function changeElement(
  context: CallContext,
  id: number,
  { updated_at, ...given }: Input<'update'>,
): Promise<ElementRow> {
  const { db: database, organizationId, workers } = context;
  const { parent_element_id: parent, ...fields } = given;
  const seen = await findElement(database, organizationId, id);
  if (!seen) throw new ApiError('not_found');
  const seenElement = { ...elementFromRow(seen, new Map()), children: [] };
  const html = await cleanAhead(workers, (html) => changed(seenElement, fields, html));
  await changeRoomOf(context, id, async ({ db, row: roomRow, room, commit }, row) => {
    const before = findInTree(room.elements, id)!;
    const element = changed(before, fields, html);
    const paths = Object.keys(changedPaths(fieldsAlone(before), fieldsAlone(element)));
    if (parent !== undefined && parent !== row.parent_element_id) paths.push('parent_element_id');
    await refuseOverwriting(db, roomRow, { id, current: row.updated_at, seen: updated_at, paths });
    if (element.file_id !== before.file_id) await checkElementFile(db, organizationId, element);
    const commands: RoomCommand[] = [{ type: 'element.update', id, fields: fields as ElementFields }];
    if (parent !== undefined && parent !== row.parent_element_id) {
      checkParent([...walk(room.elements)], parent, row);
      commands.push({ type: 'element.move', id, parent, index: LAST });
    }
    await commit(commands, html);
  });
  return readElementRow(context, id);
}

/** Copies an element with everything below it, right behind the original. Links inside it point into the copy. */
export async function copyElement(context: CallContext, id: number): Promise<ElementRow> {
  const copyId = await changeRoomOf(context, id, async ({ db, room, commit }) => {
    const original = findInTree(room.elements, id)!;
    const branch = [...walk([original])];
    checkCount([...walk(room.elements)].length + branch.length);
    const reserved = await reserveIds(db, 'elements', branch.length);
    const ids = new Map(branch.map((element, index) => [element.id, reserved[index]!]));
    const place = placeInTree(room.elements, id)!;
    const element = copyBranch(original, ids);
    const command: RoomCommand = { type: 'element.add', element, parent: place.parent, index: place.index + 1 };
    await commit([command], cleanNow, { copied_from: id, elements: branch.length });
    return element.id;
  });
  return readElementRow(context, copyId);
}

/** An element with all below it under other ids; what they say of each other points to these. */
const copyBranch = (element: Element, ids: IdMap): Element => ({
  ...remapElement(element, ids),
  id: ids.get(element.id)!,
  children: element.children.map((child) => copyBranch(child, ids)),
});
