import type { Element } from '../../../../engine/document/element.ts';
import { walk } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import type { HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import { readElement } from '../../store/elements/check-element.ts';
import { withoutFile } from '../../store/elements/element-row.ts';
import { findElementIds } from '../../store/elements/elements-repository.ts';
import type { Files } from '../../store/media/files-repository.ts';

/**
 * An element as a revision has it, with all below it, as rows will have it. HTML is made safe again: what is safe is known
 * better than it was.
 * @param files files that are still there, others are left out; null keeps every file
 */
export function restoredElement(element: Element, files: Files | null, html: HtmlCleaner): Element {
  const { children, ...alone } = element;
  const { file_id } = alone;
  const given = { ...alone, file: null, file_id: files === null || files.has(file_id ?? 0) ? file_id : null };
  return {
    ...withoutFile(readElement(given, html)),
    parent_element_id: element.parent_element_id,
    children: children.map((child) => restoredElement(child, files, html)),
  };
}

/**
 * Refuses elements that stand in another space by now.
 * @param elements those of a revision
 * @param isThere whether an element stands in the space itself
 * @throws ApiError invalid
 */
export async function refuseElsewhere(
  db: Database,
  elements: readonly Element[],
  isThere: (id: number) => boolean,
): Promise<void> {
  const gone = [...walk(elements)].filter(({ id }) => !isThere(id));
  const ids = gone.map(({ id }) => id);
  const taken = new Set(await findElementIds(db, ids));
  const elsewhere = gone.find(({ id }) => taken.has(id));
  if (elsewhere)
    throw new ApiError('invalid', `“${elsewhere.name || elsewhere.element}” belongs to another space by now.`);
}
