import { applyCommand } from '../../../../engine/document/commands.ts';
import type { Element } from '../../../../engine/document/element.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { branchOf, byId, findElement as findInTree } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { cleanAhead, type HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { type Files, findFiles } from '../media/queries.ts';
import { announce, type Committed, commitDocument, type Source } from '../rooms/commit.ts';
import { lockRoom, type StoredRoom } from '../rooms/queries.ts';
import { recordElement } from '../rooms/record-element.ts';
import { restoreBranchIn } from '../rooms/remove-room.ts';
import {
  cleanElement,
  columnsOfRoom,
  configWithoutFile,
  elementColumnsOf,
  type RoomFields,
  readRoomFields,
  type StoredElement,
} from '../rooms/rows.ts';
import { checkParent } from '../rooms/tree.ts';
import { findTemplate } from '../templates/queries.ts';
import { makeRevision } from './make-revision.ts';
import { findRevision, type ListedRevision, type RevisionContent, readContent, unpackRoom } from './queries.ts';
import { refuseElsewhere, restoredElement } from './service.ts';

const RESTORE: Source = { origin: 'restore' };

/** The restored space, and the missing files and references. */
export interface RestoredRevision {
  room_id: number;
  element_id: number | null;
  before_id: number;
  missing: string[];
}

/** New content of a room, within the transaction that has locked it. */
export interface Replacing {
  db: Database;
  context: CallContext;
  row: StoredRoom;
  /** The current space. */
  room: Room;
  content: RevisionContent;
  /** Receives the names of what no longer exists. */
  missing: Set<string>;
  html: HtmlCleaner;
}

/** Context of a restore. */
interface Restoring extends Replacing {
  revision: ListedRevision;
}

/** Files of the elements that still exist; missing files are recorded by name. */
async function filesOf({ db, context, content, missing }: Replacing, elements: readonly Element[]): Promise<Files> {
  const ids = elements.map(({ file_id }) => file_id);
  const files = await findFiles(db, context.organizationId, ids);
  for (const id of ids) if (id !== null && !files.has(id)) missing.add(`File ${content.files[id] ?? id}`);
  return files;
}

/** The fields of the room itself; a missing template or marker is omitted and recorded. */
async function restoredFields({ db, context, content, missing, html }: Replacing): Promise<RoomFields> {
  const { organizationId } = context;
  const { id: _id, version: _version, elements: _elements, template: _template, ...fields }: Room = content.room;
  let { template_id, config } = fields;
  if (template_id !== null && !(await findTemplate(db, organizationId, template_id))) {
    missing.add(`Template ${content.template ?? template_id}`);
    template_id = null;
  }
  const marker = config.realtime_file_id;
  if (marker !== null && !(await findFiles(db, organizationId, [marker])).has(marker)) {
    missing.add(`File ${content.files[marker] ?? marker}`);
    config = { ...config, realtime_file_id: null };
  }
  return readRoomFields({ ...fields, template_id, config: configWithoutFile(config) }, html);
}

/**
 * Replaces the content of a room as one change. Files, the template and the marker that no longer exist are omitted and
 * recorded as missing.
 * @param facts what the change log says besides
 * @throws ApiError invalid if an element has since been moved to another space
 */
export async function replaceContent(
  replacing: Replacing,
  source: Source,
  change: { action: 'restore' | 'update'; facts: object },
): Promise<Committed> {
  const { db, context, row, room, content, missing, html } = replacing;
  const fields = await restoredFields(replacing);
  const files = await filesOf(replacing, content.room.elements);
  const known = byId(room.elements);
  await refuseElsewhere(db, content.room.elements, (id) => known.has(id));
  const elements = content.room.elements.map((element) => restoredElement(element, files, html));
  const committed = await commitDocument(db, context, row, source, { ...room, ...fields, elements });
  const { added, removed, changed } = committed.written;
  await recordChange(db, context, {
    action: change.action,
    entity: 'room',
    entity_id: row.id,
    room_id: row.id,
    name: fields.title,
    seq: committed.seq,
    before: row,
    after: { ...row, ...columnsOfRoom(fields) },
    facts: {
      ...change.facts,
      elements: { added: added.length, removed: removed.length, changed: changed.length },
      ...(missing.size > 0 && { missing: [...missing] }),
    },
  });
  return committed;
}

/** Sanitizes the HTML of a room's content ahead of its transaction. @param isWhole with the fields of the room itself */
export const cleanContent = (
  { workers }: Pick<CallContext, 'workers'>,
  room: Room,
  isWhole = true,
): Promise<HtmlCleaner> =>
  cleanAhead(workers, (html) => {
    for (const element of room.elements) cleanElement(element, html);
    if (isWhole) readRoomFields(room, html);
  });

/** Former rows of an element and its missing descendants, parents first. */
function branchRows(
  { context, row, content, html }: Restoring,
  top: Element,
  isThere: (id: number) => boolean,
): StoredElement[] {
  const branch = branchOf(content.room.elements, top.id).map((element) => restoredElement(element, null, html));
  const missing = branch.filter(({ id }) => !isThere(id));
  const at = nextTimestamp(context.clock);
  return missing.map((element) => {
    const { name = '', file_id = null, ...columns } = elementColumnsOf(element);
    return {
      ...columns,
      name,
      file_id,
      id: element.id,
      organization_id: row.organization_id,
      room_id: row.id,
      parent_element_id: element.parent_element_id,
      index: element.index,
      created_at: at,
      updated_at: at,
    };
  });
}

/** Restores the fields of an existing element and, if possible, its parent. */
async function restoreThere(restoring: Restoring, element: Element, there: Element): Promise<Committed> {
  const { db, context, row, room, html } = restoring;
  const wanted = restoredElement(element, await filesOf(restoring, [element]), html);
  const { parent_element_id, index } = there;
  const elements = room.elements.with(room.elements.indexOf(there), { ...wanted, parent_element_id, index });
  let after = { ...room, elements };
  const parent = element.parent_element_id;
  const isBack = parent === null || findInTree(elements, parent) !== undefined;
  if (isBack && parent !== parent_element_id) {
    checkParent(elements, parent, there);
    after = applyCommand(after, { type: 'element.move', id: element.id, parent }).room;
  }
  const committed = await commitDocument(db, context, row, RESTORE, after);
  const [changed] = committed.written.changed;
  if (changed) await recordElement(db, context, 'restore', { ...changed, seq: committed.seq });
  return committed;
}

/** @returns id of the element, which is new if its own is taken; and the committed changes */
async function restoreElement(restoring: Restoring, id: number): Promise<{ id: number; committed: Committed }> {
  const { db, context, row, room, content, missing } = restoring;
  const element = findInTree(content.room.elements, id);
  if (!element) throw new ApiError('invalid', { element_id: ['This element is not in the revision.'] });
  const there = findInTree(room.elements, id);
  if (there) return { id, committed: await restoreThere(restoring, element, there) };
  const known = byId(room.elements);
  const elements = branchRows(restoring, element, (other) => known.has(other));
  const restored = await restoreBranchIn(db, context, row, { elements, files: content.files });
  for (const name of restored.missing) missing.add(name);
  return restored;
}

/**
 * Restores a space, or one of its elements, to a revision; the current state is saved as a revision first. The
 * restore is one change, all or nothing.
 * @param elementId the element; undefined for the whole space
 * @throws ApiError not_found; invalid if the element is not in the revision
 */
export async function restoreRevision(
  context: CallContext,
  id: number,
  elementId: number | undefined,
): Promise<RestoredRevision> {
  const { organizationId } = context;
  const revision = await findRevision(context.db, organizationId, id);
  const packed = revision && (await readContent(context.db, organizationId, id));
  if (!revision || packed === undefined) throw new ApiError('not_found');
  const content = await unpackRoom(packed);
  const html = await cleanContent(context, content.room, elementId === undefined);
  const { restored, done } = await context.db.transaction().execute(async (db) => {
    const row = await lockRoom(db, organizationId, revision.room_id);
    if (!row) throw new ApiError('not_found');
    const before_id = await makeRevision(db, context, row, 'before_restore');
    const room = await context.documents.ofLocked(db, row);
    const facts = { revision: revision.name || revision.created_at };
    const restoring: Restoring = { db, context, row, room, content, revision, missing: new Set(), html };
    const { id: element_id, committed } =
      elementId === undefined
        ? { id: null, committed: await replaceContent(restoring, RESTORE, { action: 'restore', facts }) }
        : await restoreElement(restoring, elementId);
    const restored = { room_id: row.id, element_id, before_id, missing: [...restoring.missing] };
    return { restored, done: () => announce(context, row, committed) };
  });
  done();
  return restored;
}
