import type { Element } from '../../../../engine/document/element.ts';
import { AUTOMATIC_REVISION_INTERVAL } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Files } from '../media/queries.ts';
import { readElement } from '../rooms/checks.ts';
import { findElementIds } from '../rooms/elements-repository.ts';
import { lockRoom } from '../rooms/queries.ts';
import { withoutFile } from '../rooms/rows.ts';
import { checkNamed, makeRevision } from './make-revision.ts';
import {
  deleteRevision,
  findRevision as findStored,
  isPublication,
  type ListedRevision,
  listRevisions,
  updateRevision as storeRevision,
} from './queries.ts';

/** @throws ApiError not_found */
export async function findRevision({ db, organizationId }: CallContext, id: number): Promise<ListedRevision> {
  const row = await findStored(db, organizationId, id);
  if (!row) throw new ApiError('not_found');
  return row;
}

/**
 * Saves a named revision, or an automatic one if it is due.
 * @returns its id; that of the newest revision if none was created
 * @throws ApiError not_found, invalid, too_large
 */
export async function createRevision(context: CallContext, roomId: number, name: string | undefined): Promise<number> {
  const { organizationId, clock } = context;
  return context.db.transaction().execute(async (db) => {
    const row = await lockRoom(db, organizationId, roomId);
    if (!row) throw new ApiError('not_found');
    if (name !== undefined) {
      const id = await makeRevision(db, context, row, 'named', name);
      const about = { entity_id: row.id, room_id: row.id, name: row.title };
      await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts: { revision: name } });
      return id;
    }
    const known = await listRevisions(db, organizationId, roomId);
    const last = known.find(({ kind }) => kind === 'automatic');
    if (last && last.created_at > timestampOf(clock.now() - AUTOMATIC_REVISION_INTERVAL)) return known[0]!.id;
    return makeRevision(db, context, row, 'automatic');
  });
}

/**
 * Converts an element of a revision for the database. Its HTML is sanitized again, because the rules may be stricter
 * today.
 * @param files existing files, others are dropped; null keeps every file
 */
export function restoredElement(element: Element, files: Files | null, html: HtmlCleaner): Element {
  const { file_id } = element;
  const given = { ...element, file: null, file_id: files === null || files.has(file_id ?? 0) ? file_id : null };
  return withoutFile(readElement(given, html));
}

/**
 * Rejects elements that have since been moved to another space.
 * @param elements elements of a revision
 * @param isThere whether an element exists in the space itself
 * @throws ApiError invalid
 */
export async function refuseElsewhere(
  db: Database,
  elements: readonly Element[],
  isThere: (id: number) => boolean,
): Promise<void> {
  const gone = elements.filter(({ id }) => !isThere(id));
  const ids = gone.map(({ id }) => id);
  const taken = new Set(await findElementIds(db, ids));
  const elsewhere = gone.find(({ id }) => taken.has(id));
  if (elsewhere)
    throw new ApiError('invalid', `“${elsewhere.name || elsewhere.element}” now belongs to another space.`);
}

/**
 * Changes a revision while its space is locked, and records it in the change log.
 * @param facts fields of the entry
 */
async function change(
  context: CallContext,
  id: number,
  facts: (row: ListedRevision) => object,
  work: (db: Database, row: ListedRevision) => Promise<void>,
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const seen = await findRevision({ ...context, db }, id);
    const room = await lockRoom(db, context.organizationId, seen.room_id);
    if (!room) throw new ApiError('not_found');
    // It may have been changed or removed before the room was locked.
    const row = await findRevision({ ...context, db }, id);
    await work(db, row);
    const about = { entity_id: room.id, room_id: room.id, name: room.title };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts: facts(row) });
  });
}

const calledIn = ({ name, created_at }: ListedRevision) => name || created_at;

/** Names a revision, which protects it from expiry. @throws ApiError not_found */
export async function updateRevision(context: CallContext, id: number, name: string): Promise<void> {
  const seen = await findRevision(context, id);
  if (seen.kind === 'named' && seen.name === name) return;
  const facts = (row: ListedRevision) => ({ revision: name, revision_before: calledIn(row) });
  await change(context, id, facts, async (db, row) => {
    if (row.kind !== 'named') await checkNamed(db, row.room_id);
    const updated_at = nextTimestamp(context.clock, row.updated_at);
    await storeRevision(db, row.id, { name, kind: 'named', updated_at });
  });
}

/** @throws ApiError not_found, or in_use while it is published, scheduled, or among the stored publications */
export async function removeRevision(context: CallContext, id: number): Promise<void> {
  const facts = (row: ListedRevision) => ({ revision_removed: calledIn(row) });
  await change(context, id, facts, async (db, row) => {
    if (await isPublication(db, row.id))
      throw new ApiError('in_use', 'This revision is published, scheduled, or among the last 20 publications.');
    await deleteRevision(db, row.id);
  });
}
