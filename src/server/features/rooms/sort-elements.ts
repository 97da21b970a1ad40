import { branchOf, childrenOf } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { changeRoom } from './change-room.ts';
import { findElements as findRows } from './elements-repository.ts';

function refuse(text: string): never {
  throw new ApiError('invalid', { sort: [text] });
}

/**
 * Puts elements that stand below the same parent into an order, the others of that parent behind them as they were.
 * @throws ApiError invalid where they do not
 */
export async function sortElements(context: CallContext, sort: readonly number[]): Promise<void> {
  if (new Set(sort).size < sort.length) refuse('An element is named twice.');
  const [seen] = await findRows(context.db, context.organizationId, sort.slice(0, 1));
  if (!seen) refuse('An element does not exist.');
  await changeRoom(context, seen.room_id, async ({ room, become }) => {
    const parent = seen.parent_element_id;
    const siblings = childrenOf(room.elements, parent);
    const known = new Set(siblings.map(({ id }) => id));
    if (!sort.every((id) => known.has(id))) refuse('The elements do not all stand below the same parent.');
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
