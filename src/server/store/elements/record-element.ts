import type { ChangeAction } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import { type Author, recordChange } from '../history/record-change.ts';
import type { StoredElement } from './element-row.ts';

/** What the change log keeps of a removed element, to bring it back. */
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
 * @param content what is needed to bring it back
 */
export async function recordElement(
  db: Database,
  author: Author,
  action: ChangeAction,
  { before, after, seq }: { before?: Facts; after?: Facts; seq: number },
  content?: object,
): Promise<void> {
  const facts = (after ?? before)!;
  await recordChange(db, author, {
    action,
    entity: 'element',
    entity_id: facts.id,
    room_id: facts.room_id,
    name: facts.name || facts.element,
    before,
    after,
    content,
    seq,
  });
}
