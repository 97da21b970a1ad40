import type { Element } from '../../../../engine/document/element.ts';
import { childrenOf, findElement, replaceElement } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../store/call-context.ts';
import { findElements as findRows } from '../../store/elements/elements-repository.ts';
import { changeRoom } from '../../store/rooms/change-room.ts';

function refuse(text: string): never {
  throw new ApiError('invalid', { sort: [text] });
}

/** A tree in which what stands below a parent stands in an order. */
function sortBelow(elements: Element[], parent: number | null, order: readonly number[]): Element[] {
  const children = new Map(childrenOf(elements, parent)!.map((element) => [element.id, element]));
  const sorted = order.map((id) => children.get(id)!);
  return parent === null ? sorted : replaceElement(elements, { ...findElement(elements, parent)!, children: sorted });
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
    const siblings = (childrenOf(room.elements, parent) ?? []).map(({ id }) => id);
    const known = new Set(siblings);
    if (!sort.every((id) => known.has(id))) refuse('The elements do not all stand below the same parent.');
    const named = new Set(sort);
    const order = [...sort, ...siblings.filter((id) => !named.has(id))];
    await become({ ...room, elements: sortBelow(room.elements, parent, order) });
  });
}
