import type { Element } from '../../../../engine/document/element.ts';
import { isSame } from '../../../../engine/document/field-paths.ts';
import { remapElement } from '../../../../engine/document/remap.ts';
import type { Database } from '../../core/db/database.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import { ElementsText, flatten } from '../../core/files/inspect/items/read-elements.ts';
import type { Workers } from '../../core/files/workers/workers.ts';
import { elementColumnsOf, type StoredElement, withoutFile } from '../rooms/element-row.ts';

/** How the elements of a document become those of a room. */
export interface ElementPlan {
  /** Ids in the room by ids in the document; ids below 0 stand for elements that are still to be added. */
  ids: Map<number, number>;
  elements: readonly Element[];
  /** Whether anything differs. */
  changes: boolean;
}

/** Ids that elements of a document have in a room: their own, where the document came from there; else by place. */
function matchIds(stored: readonly StoredElement[], elements: readonly Element[]): Map<number, number> {
  const known = new Map(stored.map((row) => [row.id, row]));
  const ids = new Map<number, number>();
  for (const { id, element } of elements) if (known.get(id)?.element === element) ids.set(id, id);
  // A document from elsewhere: whoever stands at the same place and is of the same type is the same.
  if (ids.size === 0)
    for (const [place, row] of stored.entries()) {
      const twin = elements[place];
      if (twin?.element === row.element) ids.set(twin.id, row.id);
    }
  for (const [place, { id }] of elements.entries()) if (!ids.has(id)) ids.set(id, -1 - place);
  return ids;
}

/** Rank of every element among its siblings. */
function ranksOf(list: readonly { id: number; parent_element_id: number | null }[]): Map<number, number> {
  const counts = new Map<number | null, number>();
  return new Map(
    list.map(({ id, parent_element_id }) => {
      const rank = counts.get(parent_element_id) ?? 0;
      counts.set(parent_element_id, rank + 1);
      return [id, rank];
    }),
  );
}

/** What a stored element and a new one are compared by. */
const contentOf = ({ body, hidden, ...columns }: ReturnType<typeof elementColumnsOf>) => ({
  element: columns.element,
  name: columns.name ?? '',
  file_id: columns.file_id ?? null,
  hidden,
  body: JSON.parse(body),
});

/**
 * Plans what becomes of a room's elements.
 * @param stored its elements now, in the order of their tree
 * @param elements checked elements of the document: parents before their children, siblings in order
 */
export function planElements(stored: readonly StoredElement[], elements: readonly Element[]): ElementPlan {
  const ids = matchIds(stored, elements);
  const [had, have] = [ranksOf(stored), ranksOf(elements)];
  const byId = new Map(stored.map((row) => [row.id, row]));
  const isKept = (element: Element) => {
    const row = byId.get(ids.get(element.id)!);
    if (!row) return false;
    const parent = element.parent_element_id === null ? null : ids.get(element.parent_element_id);
    const current = contentOf(elementColumnsOf(remapElement(element, ids)));
    const before = contentOf({ ...row, element: row.element as Element['element'] });
    return row.parent_element_id === parent && had.get(row.id) === have.get(element.id) && isSame(before, current);
  };
  return { ids, elements, changes: stored.length !== elements.length || !elements.every(isKept) };
}

/**
 * The elements of a plan as a room has them, under the ids that they have from now on.
 * @returns those elements, and their ids by the ids in the document
 */
export async function plannedElements(
  db: Database,
  { ids: planned, elements }: ElementPlan,
): Promise<{ elements: Element[]; ids: ReadonlyMap<number, number> }> {
  const fresh = elements.filter(({ id }) => planned.get(id)! < 0);
  const reserved = await reserveIds(db, 'elements', fresh.length);
  const ids = new Map(planned);
  for (const [index, { id }] of fresh.entries()) ids.set(id, reserved[index]!);
  const flat = elements.map((element) => ({
    ...withoutFile(remapElement(element, ids)),
    id: ids.get(element.id)!,
    parent_element_id: element.parent_element_id === null ? null : ids.get(element.parent_element_id)!,
    // The order of a document is that of its lists.
    index: '',
  }));
  return { elements: flat, ids };
}

/** Maximum JSON length in characters that is parsed on the main thread. */
const MAX_INLINE_JSON = 32 * 1024;

/**
 * The validated elements of a document in parts, parents before their children. Long documents are parsed in a worker.
 * @param elements the tree of elements, or its text
 * @throws ApiError invalid or DocumentError, naming what is wrong by its path
 */
export async function* elementParts(workers: Workers, elements: unknown): AsyncGenerator<Element[]> {
  const text = elements instanceof ElementsText ? elements.json : JSON.stringify(elements);
  if (text.length <= MAX_INLINE_JSON) {
    yield flatten(JSON.parse(text));
    return;
  }
  for (const part of await workers.run('readElements', text)) yield JSON.parse(part);
}
