import type { ChangeAction, ChangedEntity } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { changedFields, fieldsOfRow } from './changed-fields.ts';

/** In whose name something is changed; no user for the server itself. Every call's context is one. */
export interface Author {
  clock: Clock;
  organizationId: number;
  user: { userId: number } | null;
}

/** What was done, to what. */
export interface NewChange {
  action: ChangeAction;
  entity: ChangedEntity;
  entity_id: number;
  room_id?: number | null;
  name: string;
  /** The row as it was; where there is one after as well, the fields that changed are picked out of both. */
  before?: object | null;
  /** The row as it is. */
  after?: object | null;
  /** What is to be said besides the fields, such as counts. */
  facts?: object;
  /** What is needed to bring back what was removed. */
  content?: object;
  /** Place of the entry of the space's log that it belongs to; 0 for the space as it was added. */
  seq?: number;
}

/** Fields before and after; undefined where nothing changed and nothing else is to be said. */
function changedFieldsOf({
  before,
  after,
  facts,
}: NewChange): { before: object | null; after: object | null } | undefined {
  const was = before ? fieldsOfRow(before) : null;
  const is = after ? fieldsOfRow(after) : null;
  const changed = was && is ? changedFields(was, is) : { before: was, after: is };
  return facts ? { before: changed?.before ?? null, after: { ...changed?.after, ...facts } } : changed;
}

const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);

/**
 * Writes an entry of the change log, in the transaction of the change itself: both are there, or neither. An update in
 * which no field differs leaves none. Hashes, keys and codes are left out, whatever the rows hold.
 */
export async function recordChange(db: Database, author: Author, change: NewChange): Promise<void> {
  const fields = changedFieldsOf(change);
  if (!fields) return;
  await db
    .insertInto('changes')
    .values({
      organization_id: author.organizationId,
      user_id: author.user?.userId ?? null,
      at: timestampOf(author.clock.now()),
      action: change.action,
      entity: change.entity,
      entity_id: change.entity_id,
      room_id: change.room_id ?? null,
      name: change.name,
      before: json(fields.before),
      after: json(fields.after),
      content: json(change.content),
      is_restorable: Number(change.content !== undefined),
      seq: change.seq ?? null,
    })
    .execute();
}
