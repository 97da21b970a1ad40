import { type Author, recordChange } from '../../core/changes/record-change.ts';
import type { Database } from '../../core/db/database.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { fileNames, findFiles } from '../media/queries.ts';
import type { Committed } from './commit.ts';
import type { StoredRoom } from './queries.ts';
import { type RemovedBranch, recordElement } from './record-element.ts';
import { columnsOfRoom, type StoredElement } from './rows.ts';
import { branchOf } from './tree.ts';

/** Maximum number of ids in an entry about a new order. */
const NAMED = 200;

/** The range of two orders in which they differ. */
function movedPart(was: readonly number[], is: readonly number[]) {
  const from = was.findIndex((id, place) => id !== is[place]);
  const till = was.findLastIndex((id, place) => id !== is[place]);
  const part = (list: readonly number[]) => ({ order: list.slice(from, Math.min(till + 1, from + NAMED)) });
  return { before: part(was), after: part(is) };
}

/** Groups rows into branches, by the topmost rows in the list. */
function branchesOf(rows: readonly StoredElement[]): StoredElement[][] {
  const ids = new Set(rows.map(({ id }) => id));
  const tops = rows.filter(({ parent_element_id }) => !ids.has(parent_element_id ?? 0));
  return tops.map((top) => branchOf(rows, top));
}

async function recordRemoved(db: Database, author: Author, elements: StoredElement[], seq: number): Promise<void> {
  const files = await findFiles(
    db,
    author.organizationId,
    elements.map(({ file_id }) => file_id),
  );
  const content: RemovedBranch = { elements, files: fileNames(files) };
  await recordElement(db, author, 'delete', { before: { ...elements[0]!, elements: elements.length }, seq }, content);
}

/**
 * Records a commit in the change log: an entry for each added or removed branch, changed element and order, and for the
 * room itself.
 * @param row the room before the commit
 * @param facts additional facts about added elements
 */
export async function recordCommitted(
  db: Database,
  author: Author,
  row: StoredRoom,
  { seq, before, after, written }: Committed,
  facts?: object,
): Promise<void> {
  for (const branch of branchesOf(written.removed)) await recordRemoved(db, author, branch, seq);
  for (const [top, ...below] of branchesOf(written.added)) {
    const { index: _index, created_at: _made, updated_at: _at, organization_id: _of, ...fields } = top!;
    const count = below.length > 0 && { elements: below.length + 1 };
    await recordElement(db, author, 'create', { after: { ...fields, ...count, ...facts }, seq });
  }
  const work = new WorkInPieces();
  for (const changed of written.changed) {
    await work.pause();
    await recordElement(db, author, 'update', { ...changed, seq });
  }
  const { id: _id, version: _version, elements: _elements, template: _template, ...fields } = after;
  const about = { entity_id: row.id, room_id: row.id, name: after.title, seq };
  for (const { was, is } of written.reordered)
    await recordChange(db, author, { action: 'update', entity: 'room', ...about, ...movedPart(was, is) });
  // Commands share untouched parts, so equal references mean no change.
  if (Object.entries(fields).every(([name, value]) => before[name as keyof typeof fields] === value)) return;
  const columns = columnsOfRoom(fields);
  await recordChange(db, author, {
    action: 'update',
    entity: 'room',
    ...about,
    before: row,
    after: { ...row, ...columns },
  });
}
