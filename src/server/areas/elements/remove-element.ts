import type { CallContext } from '../../store/call-context.ts';
import { deleteElement, listElements } from '../../store/elements/elements-repository.ts';
import { type RemovedBranch, recordElement } from '../../store/elements/record-element.ts';
import { branchOf } from '../../store/elements/tree.ts';
import { fileNames, findFiles } from '../../store/media/files-repository.ts';
import { withElement } from '../../store/rooms/edit-elements.ts';

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
