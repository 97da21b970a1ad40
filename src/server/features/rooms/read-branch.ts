import { descriptors, type ElementType, type NestedElement } from '../../../../engine/document/element.ts';
import { nest } from '../../../../engine/document/tree.ts';
import { withOffset } from '../../../../engine/document/window.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { findFiles } from '../media/queries.ts';
import { asElementRow, elementFromRow } from './element-row.ts';
import { findElement, listElements } from './elements-repository.ts';
import { fillLiveStreams } from './fill-live-streams.ts';
import { branchOf } from './tree.ts';

/**
 * An element with everything below it, each as a room has it.
 * @throws ApiError not_found
 */
export async function readBranch(
  { db, clock, organizationId }: CallContext,
  id: number,
): Promise<ElementRow & { children: NestedElement[] }> {
  const now = clock.now() / 1000;
  const row = await findElement(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  const branch = descriptors[row.element as ElementType].container
    ? branchOf(await listElements(db, row.room_id), row)
    : [row];
  const files = await findFiles(
    db,
    organizationId,
    branch.map(({ file_id }) => file_id),
  );
  const filled = await fillLiveStreams(
    db,
    organizationId,
    branch.map((element) => withOffset(elementFromRow(element, files), now)),
  );
  const [top] = nest(filled);
  const { config, children } = top!;
  return { ...asElementRow(row, files, now), config, children } as ElementRow & { children: NestedElement[] };
}
