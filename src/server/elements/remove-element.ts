import type { CallContext } from '../api/handler.ts';
import { fileNames, findFiles } from '../files/files-repository.ts';
import { withElement } from './edit-elements.ts';
import type { StoredElement } from './element-row.ts';
import { deleteElement, listElements } from './elements-repository.ts';
import { recordElement } from './record-element.ts';
import { branchOf } from './tree.ts';

/** What the change log keeps of a removed element, to bring it back. */
export interface RemovedBranch {
  /** Rows of the element and of all that stood below it, parents first. */
  elements: StoredElement[];
  /** Names of the files that they used, by id. */
  files: Record<string, string>;
}

/** Removes an element with everything below it; the change log keeps it for a while. */
export async function removeElement(context: CallContext, id: number): Promise<void> {
  const { organizationId } = context;
  await withElement(context, id, async (db, row) => {
    const elements = branchOf(await listElements(db, row.room_id), row);
    const ids = elements.map(({ file_id }) => file_id);
    const content: RemovedBranch = { elements, files: fileNames(await findFiles(db, organizationId, ids)) };
    await deleteElement(db, row.id);
    await recordElement(db, context, 'delete', { before: { ...row, elements: elements.length } }, content);
  });
}
