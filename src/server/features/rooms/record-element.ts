import type { ChangeAction } from '../../../contract/entities.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import type { StoredElement } from './rows.ts';

/** What restores a removed element. */
export interface RemovedBranch {
  /** Rows of the element and of all that stood below it, parents first. */
  elements: StoredElement[];
  /** Names of the files that they used, by id. */
  files: Record<string, string>;
}

/** What an entry about an element needs of its row. */
type Facts = Pick<StoredElement, 'id' | 'room_id' | 'name' | 'element'> & { [name: string]: unknown };

/**
 * Writes an entry of the change log about an element; one without a name goes by its type.
 * @param change its row before and after, and the entry of the space's log that it belongs to
 * @param removed what restores it
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
