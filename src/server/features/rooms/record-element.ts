import type { ChangeAction } from '../../../contract/entities.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import type { StoredElement } from './rows.ts';

/** Data that restores a deleted element. */
export interface RemovedBranch {
  /** Rows of the element and its descendants, parents first. */
  elements: StoredElement[];
  /** Names of the files they used, by id. */
  files: Record<string, string>;
}

/** Fields of an element's row in its change log entry. */
type Facts = Pick<StoredElement, 'id' | 'room_id' | 'name' | 'element'> & { [name: string]: unknown };

/**
 * Writes a change log entry about an element; its type stands in for a missing name.
 * @param change its row before and after, and the space's log entry it belongs to
 * @param removed data that restores it
 */
export async function recordElement(
  db: Database,
  author: Author,
  action: ChangeAction,
  { before, after, seq }: { before?: Facts; after?: Facts; seq: number },
  removed?: RemovedBranch,
): Promise<void> {
  const facts = (after ?? before)!;
  const about = { entity_id: facts.id, name: facts.name || facts.element };
  await recordChange(db, author, {
    action,
    entity: 'element',
    ...about,
    room_id: facts.room_id,
    before,
    after,
    ...(removed && {
      records: [{ ...about, kind: 'elements', action: 'delete', content: removed }],
      isRestorable: true,
    }),
    seq,
  });
}
