import type { Element, FlatElement } from '../../../../engine/document/element.ts';
import { walk } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { readElement } from '../../store/elements/check-element.ts';
import { elementColumnsOf, type StoredElement } from '../../store/elements/element-row.ts';
import {
  deleteElements,
  findElements,
  insertElements,
  listElements,
  rankElements,
  updateElement,
} from '../../store/elements/elements-repository.ts';
import type { Files } from '../../store/media/files-repository.ts';

/** How many elements a restore touched. */
export interface Touched {
  added: number;
  removed: number;
  changed: number;
}

/** An element without a file that is gone; null keeps every file. */
function withoutGone(element: FlatElement, files: Files | null): FlatElement {
  const { file_id } = element;
  return { ...element, file: null, file_id: files === null || files.has(file_id ?? 0) ? file_id : null };
}

/**
 * Columns of an element as a revision has it. HTML is made safe again: what is safe is known better than it was.
 * @param files files that are still there, others are left out; null keeps every file
 * @param html makes HTML safe
 */
export const columnsFrom = (element: FlatElement, files: Files | null, html: HtmlCleaner) =>
  elementColumnsOf(readElement(withoutGone(element, files), html));

const isStored = (row: StoredElement, columns: ReturnType<typeof elementColumnsOf>, parent: number | null) =>
  row.parent_element_id === parent &&
  Object.entries(columns).every(([name, value]) => row[name as keyof StoredElement] === value);

/** Puts siblings into their order, where they stand in another one. */
async function order(db: Database, siblings: readonly Element[], ranks: ReadonlyMap<number, number>): Promise<void> {
  const known = siblings.map(({ id }) => ranks.get(id));
  const isOrdered = known.every((rank, index) => {
    const before = index === 0 ? -1 : known[index - 1];
    return rank !== undefined && before !== undefined && before < rank;
  });
  if (!isOrdered)
    await rankElements(
      db,
      siblings.map(({ id }) => id),
    );
}

/**
 * Makes the elements of a locked room those of a document, under their own ids: what is the same stays untouched.
 * @param files files of the document that are still there
 * @param html makes HTML safe
 * @throws ApiError invalid when an element stands in another space by now
 */
export async function restoreTree(
  db: Database,
  { organizationId, clock }: CallContext,
  roomId: number,
  elements: readonly Element[],
  files: Files,
  html: HtmlCleaner,
): Promise<Touched> {
  const stored = new Map((await listElements(db, roomId)).map((row) => [row.id, row]));
  const wanted = [...walk(elements)];
  const isKept = ({ id, element }: Element) => stored.get(id)?.element === element;
  const kept = new Set(wanted.filter(isKept).map(({ id }) => id));
  const added = wanted.filter((element) => !isKept(element));
  const gone = [...stored.keys()].filter((id) => !kept.has(id));
  const ids = added.map(({ id }) => id);
  const elsewhere = (await findElements(db, organizationId, ids)).find(({ id }) => !stored.has(id));
  if (elsewhere)
    throw new ApiError('invalid', `“${elsewhere.name || elsewhere.element}” belongs to another space by now.`);

  // What stays must not go with a parent that goes.
  const going = new Set(gone);
  for (const { id, parent_element_id: parent } of stored.values())
    if (kept.has(id) && parent !== null && going.has(parent)) await updateElement(db, id, { parent_element_id: null });
  await deleteElements(db, gone);

  const at = nextTimestamp(clock);
  const owned = { organization_id: organizationId, room_id: roomId, created_at: at, updated_at: at };
  await insertElements(
    db,
    added.map((element) => {
      const { id, parent_element_id } = element;
      return { ...columnsFrom(element, files, html), ...owned, id, parent_element_id, order_rank: 0 };
    }),
  );
  let changed = 0;
  const ranks = new Map<number, number>();
  for (const element of wanted) {
    const row = kept.has(element.id) ? stored.get(element.id) : undefined;
    if (!row) continue;
    const { parent_element_id: parent } = element;
    if (row.parent_element_id === parent) ranks.set(row.id, row.order_rank);
    if (isStored(row, elementColumnsOf(withoutGone(element, files)), parent)) continue;
    await updateElement(db, row.id, {
      ...columnsFrom(element, files, html),
      parent_element_id: parent,
      updated_at: nextTimestamp(clock, row.updated_at),
    });
    changed++;
  }
  await order(db, elements, ranks);
  for (const { children } of wanted) await order(db, children, ranks);
  return { added: added.length, removed: gone.length, changed };
}
