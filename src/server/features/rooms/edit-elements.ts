import type { z } from 'zod';
import type { ElementFields, OlderCommand } from '../../../../engine/document/commands.ts';
import { updatableFields } from '../../../../engine/document/commands-between.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { changedPaths } from '../../../../engine/document/field-paths.ts';
import { remapElement } from '../../../../engine/document/remap.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { branchOf, childrenOf, findElement as findInTree } from '../../../../engine/document/tree.ts';
import type { calls } from '../../../contract/calls.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import { cleanAhead, cleanNow, type HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findFiles } from '../media/queries.ts';
import { checkElementFile, readElement, refuseOverwriting, refuseUnknownSettings } from './checks.ts';
import { announce, type Committed, commitCommands, commitDocument, editedElement, type Source } from './commit.ts';
import { findElement, findElements as findRows } from './elements-repository.ts';
import { lockRoom, type StoredRoom } from './queries.ts';
import { recordCommitted } from './record-committed.ts';
import { asElementRow, elementFromRow, type StoredElement } from './rows.ts';
import { checkCount, checkParent } from './tree.ts';

const API: Source = { origin: 'api' };

/** A room locked in the transaction of its change. */
interface LockedRoom {
  db: Database;
  row: StoredRoom;
  /** The current document. */
  room: Room;
  /**
   * Applies commands; call it once.
   * @param facts additional facts for the change log
   * @param source origin of the change; the API if omitted
   */
  commit(commands: readonly OlderCommand[], html: HtmlCleaner, facts?: object, source?: Source): Promise<Committed>;
  /**
   * Replaces the document with a validated one; call it once, instead of `commit`.
   * @param about origin of the change, and facts for a change log entry about the whole space
   */
  become(after: Room, about?: Source & { facts?: object }): Promise<Committed>;
}

/**
 * Runs an API call's change of a room, with the room locked.
 * @param first locks what else is changed, before the room
 * @throws ApiError not_found
 */
export async function changeRoom<T>(
  context: CallContext,
  roomId: number,
  change: (locked: LockedRoom) => Promise<T>,
  first?: (db: Database) => Promise<void>,
): Promise<T> {
  let done: (() => void) | undefined;
  const result = await context.db.transaction().execute(async (db) => {
    await first?.(db);
    const row = await lockRoom(db, context.organizationId, roomId);
    if (!row) throw new ApiError('not_found');
    const record = async (committed: Committed, facts?: object) => {
      await recordCommitted(db, context, row, committed, facts);
      done = () => announce(context, row, committed);
      return committed;
    };
    return change({
      db,
      row,
      room: await context.documents.ofLocked(db, row),
      commit: async (commands, html, facts, source = API) =>
        record(await commitCommands(db, context, row, source, { commands, html }), facts),
      become: async (after, { facts, ...source } = API) => {
        const committed = await record(await commitDocument(db, context, row, source, after));
        const about = { entity_id: row.id, room_id: row.id, name: after.title, seq: committed.seq };
        if (facts) await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts });
        return committed;
      },
    });
  });
  done?.();
  return result;
}

/**
 * Runs a change of one element with its room locked.
 * @throws ApiError not_found
 */
async function changeRoomOf<T>(
  context: CallContext,
  id: number,
  change: (locked: LockedRoom, element: StoredElement) => Promise<T>,
): Promise<T> {
  const seen = await findElement(context.db, context.organizationId, id);
  if (!seen) throw new ApiError('not_found');
  return changeRoom(context, seen.room_id, async (locked) => {
    // The element may have been changed or deleted before the room was locked.
    const row = await findElement(locked.db, context.organizationId, id);
    if (!row) throw new ApiError('not_found');
    return change(locked, row);
  });
}

type Input<N extends keyof typeof calls.elements> = (typeof calls.elements)[N] extends {
  body: infer B extends z.ZodType;
}
  ? z.output<B>
  : never;

/** Placeholder id of a new element; no stored element has it. */
const NEW_ID = Number.MAX_SAFE_INTEGER;

/** An element as in API responses. */
export async function readElementRow({ db, clock, organizationId }: CallContext, id: number): Promise<ElementRow> {
  const row = await findElement(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return asElementRow(row, await findFiles(db, organizationId, [row.file_id]), clock.now() / 1000);
}

/**
 * Adds an element after its parent's last child.
 * @throws ApiError or ZodError naming the invalid fields
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
    checkCount(room.elements.length + 1);
    checkParent(room.elements, parent);
    const [made] = await reserveIds(db, 'elements', 1);
    await commit([{ type: 'element.add', elements: [{ ...element, id: made! }], parent }], html);
    return made!;
  });
  return readElementRow(context, id);
}

/** An element with the given fields applied. */
function changed(
  before: Element,
  fields: Omit<Input<'update'>, 'updated_at'>,
  cleaning: { html: HtmlCleaner; now: number },
): Element {
  refuseUnknownSettings(before.element, fields.config);
  return editedElement(before, fields, cleaning);
}

/**
 * Changes an element's given fields; with a new parent it becomes the last child.
 * @throws ApiError or ZodError naming the invalid fields
 */
export async function changeElement(
  context: CallContext,
  id: number,
  { updated_at, ...given }: Input<'update'>,
): Promise<ElementRow> {
  const { db: database, organizationId, workers } = context;
  const now = context.clock.now() / 1000;
  const { parent_element_id: parent, ...fields } = given;
  const seen = await findElement(database, organizationId, id);
  if (!seen) throw new ApiError('not_found');
  const seenElement = elementFromRow(seen, new Map());
  const html = await cleanAhead(workers, (html) => changed(seenElement, fields, { html, now }));
  await changeRoomOf(context, id, async ({ db, row: roomRow, room, commit }, row) => {
    const before = findInTree(room.elements, id)!;
    const element = changed(before, fields, { html, now });
    const paths = Object.keys(changedPaths(updatableFields(before), updatableFields(element)));
    if (parent !== undefined && parent !== row.parent_element_id) paths.push('parent_element_id');
    await refuseOverwriting(db, roomRow, { id, current: row.updated_at, seen: updated_at, paths });
    if (element.file_id !== before.file_id) await checkElementFile(db, organizationId, element);
    const commands: OlderCommand[] = [{ type: 'element.update', id, fields: fields as ElementFields }];
    if (parent !== undefined && parent !== row.parent_element_id) {
      checkParent(room.elements, parent, row);
      commands.push({ type: 'element.move', id, parent });
    }
    await commit(commands, html);
  });
  return readElementRow(context, id);
}

/** Copies an element with its descendants, right after the original. Links inside it are mapped to the copies. */
export async function copyElement(context: CallContext, id: number): Promise<ElementRow> {
  const copyId = await changeRoomOf(context, id, async ({ db, room, commit }) => {
    const branch = branchOf(room.elements, id);
    checkCount(room.elements.length + branch.length);
    const reserved = await reserveIds(db, 'elements', branch.length);
    const ids = new Map(branch.map((element, index) => [element.id, reserved[index]!]));
    const parent = branch[0]!.parent_element_id;
    const elements = branch.map((element) => ({
      ...remapElement(element, ids),
      id: ids.get(element.id)!,
      parent_element_id: ids.get(element.parent_element_id ?? 0) ?? parent,
    }));
    const command: OlderCommand = { type: 'element.add', elements, parent, after: id };
    await commit([command], cleanNow, { copied_from: id, elements: branch.length });
    return elements[0]!.id;
  });
  return readElementRow(context, copyId);
}

/** Hides an element from visitors, or shows it again. @throws ApiError not_found */
export async function hideElement(context: CallContext, id: number, hidden: boolean): Promise<void> {
  await changeRoomOf(context, id, ({ commit }) =>
    commit([{ type: 'element.update', id, fields: { hidden } }], cleanNow),
  );
}

/** Deletes an element with its descendants; the bin can restore it for a while. @throws ApiError not_found */
export async function removeElement(context: CallContext, id: number): Promise<void> {
  await changeRoomOf(context, id, ({ commit }) => commit([{ type: 'element.remove', id }], cleanNow));
}

function refuse(text: string): never {
  throw new ApiError('invalid', { sort: [text] });
}

/**
 * Sorts elements of the same parent; its other children follow in their old order.
 * @throws ApiError invalid if they have different parents
 */
export async function sortElements(context: CallContext, sort: readonly number[]): Promise<void> {
  if (new Set(sort).size < sort.length) refuse('An element is listed twice.');
  const [seen] = await findRows(context.db, context.organizationId, sort.slice(0, 1));
  if (!seen) refuse("An element doesn't exist.");
  await changeRoom(context, seen.room_id, async ({ room, become }) => {
    const parent = seen.parent_element_id;
    const siblings = childrenOf(room.elements, parent);
    const known = new Set(siblings.map(({ id }) => id));
    if (!sort.every((id) => known.has(id))) refuse("The elements don't all have the same parent.");
    const places = new Map(sort.map((id, place) => [id, place]));
    const order = siblings.toSorted(
      (one, other) => (places.get(one.id) ?? sort.length) - (places.get(other.id) ?? sort.length),
    );
    const elements = order.flatMap(({ id }) => branchOf(room.elements, id));
    const [first] = siblings;
    await become({
      ...room,
      elements: room.elements.toSpliced(room.elements.indexOf(first!), elements.length, ...elements),
    });
  });
}
