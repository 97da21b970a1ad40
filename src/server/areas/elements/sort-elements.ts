import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findElements, listSiblings, rankElements } from '../../store/elements/elements-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { lockRoom } from '../../store/rooms/rooms-repository.ts';

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
async function sortIn(db: Database, context: CallContext, sort: readonly number[]): Promise<void> {
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

/**
 * Puts elements that stand below the same parent into an order.
 * @throws ApiError invalid where they do not
 */
export async function sortElements(context: CallContext, sort: readonly number[]): Promise<void> {
  await context.db.transaction().execute((db) => sortIn(db, context, sort));
}
