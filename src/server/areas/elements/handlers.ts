import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../../store/call-context.ts';
import { asElementRow } from '../../store/elements/element-row.ts';
import {
  findElements,
  listAllElements,
  listElements,
  listSiblings,
  rankElements,
  updateElement,
} from '../../store/elements/elements-repository.ts';
import { recordElement } from '../../store/elements/record-element.ts';
import { inTreeOrder } from '../../store/elements/tree.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { findFiles, findRoomFiles } from '../../store/media/files-repository.ts';
import { changeElement, copyElement, readElementRow, withElement } from '../../store/rooms/edit-elements.ts';
import { findRoom, lockRoom } from '../../store/rooms/rooms-repository.ts';
import type { Handlers } from '../handler.ts';
import { readBranch } from './read-branch.ts';
import { removeElement } from './remove-element.ts';

const POSITIONS = ['position_x', 'position_y', 'position_z'] as const;

/** Most ids that an entry about an order names. */
const NAMED = 200;

/** Two orders of the same ids from the first place in which they differ to the last one. */
function movedPart(was: readonly number[], is: readonly number[]) {
  const from = was.findIndex((id, place) => id !== is[place]);
  const till = was.findLastIndex((id, place) => id !== is[place]);
  const part = (list: readonly number[]) => ({ order: list.slice(from, Math.min(till + 1, from + NAMED)) });
  return from === -1 ? { before: {}, after: {} } : { before: part(was), after: part(is) };
}

/** Puts the named elements into their order, the others of the same parent behind them as they were. */
async function reorder(db: Database, context: CallContext, sort: readonly number[]): Promise<void> {
  const { organizationId } = context;
  const refuse = (text: string): never => {
    throw new ApiError('invalid', { sort: [text] });
  };
  if (new Set(sort).size < sort.length) refuse('An element is named twice.');
  const [seen] = await findElements(db, organizationId, sort.slice(0, 1));
  const room = seen && (await lockRoom(db, organizationId, seen.room_id));
  if (!room) return refuse('An element does not exist.');
  const siblings = (await listSiblings(db, seen.room_id, seen.parent_element_id)).map(({ id }) => id);
  const known = new Set(siblings);
  if (!sort.every((id) => known.has(id))) refuse('The elements do not all stand below the same parent.');
  const named = new Set(sort);
  const order = [...sort, ...siblings.filter((id) => !named.has(id))];
  await rankElements(db, order);
  await recordChange(db, context, {
    action: 'update',
    entity: 'room',
    entity_id: room.id,
    room_id: room.id,
    name: room.title,
    ...movedPart(siblings, order),
  });
}

export const elements: Handlers<'elements'> = {
  list: async ({ db, organizationId }, { query }) => {
    const { room_id, page, per_page } = query;
    if (room_id === undefined) {
      const rows = await listAllElements(db, organizationId, { page, per_page });
      const files = await findFiles(
        db,
        organizationId,
        rows.map(({ file_id }) => file_id),
      );
      return rows.map((row) => asElementRow(row, files));
    }
    if (!(await findRoom(db, organizationId, room_id))) throw new ApiError('not_found');
    const files = await findRoomFiles(db, organizationId, room_id, []);
    return inTreeOrder(await listElements(db, room_id)).map((row) => asElementRow(row, files));
  },

  read: async (context, { params }) => readBranch(context, params.id),

  update: async (context, { params, body }) => changeElement(context, params.id, body),

  remove: async (context, { params }) => {
    await removeElement(context, params.id);
    return null;
  },

  copy: async (context, { params }) => copyElement(context, params.id),

  hide: async (context, { params }) => {
    await withElement(context, params.id, async (db, row) => {
      const hidden = Number(params.hidden);
      await updateElement(db, row.id, { hidden, updated_at: nextTimestamp(context.clock, row.updated_at) });
      await recordElement(db, context, 'update', { before: row, after: { ...row, hidden } });
    });
    return readElementRow(context, params.id);
  },

  reorder: async (context, { body }) => {
    await context.db.transaction().execute((db) => reorder(db, context, body.sort));
    return null;
  },

  position: async (context, { params, body }) => {
    const whole = { ...body };
    for (const name of POSITIONS) if (whole[name] !== undefined) whole[name] = Math.floor(whole[name]);
    return changeElement(context, params.id, whole);
  },
};
