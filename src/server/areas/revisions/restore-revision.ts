import type { Element, FlatElement } from '../../../../engine/document/element.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { findElement as findInTree, walk } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { cleanAhead, type HtmlCleaner } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { cleanElement } from '../../store/elements/element-html.ts';
import type { StoredElement } from '../../store/elements/element-row.ts';
import {
  findElement,
  listPlaces,
  listSiblings,
  rankElements,
  updateElement,
} from '../../store/elements/elements-repository.ts';
import { recordElement } from '../../store/elements/record-element.ts';
import { checkParent } from '../../store/elements/tree.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { type Files, findFiles } from '../../store/media/files-repository.ts';
import { makeRevision } from '../../store/revisions/make-revision.ts';
import { type RevisionContent, unpackRoom } from '../../store/revisions/pack-room.ts';
import { findRevision, type ListedRevision, readContent } from '../../store/revisions/revisions-repository.ts';
import { restoreBranch } from '../../store/rooms/restore-elements.ts';
import { columnsOfRoom, readRoomFields } from '../../store/rooms/room-row.ts';
import { lockRoom, type StoredRoom, updateRoom } from '../../store/rooms/rooms-repository.ts';
import { findTemplate } from '../../store/templates/templates-repository.ts';
import { columnsFrom, restoreTree } from './restore-tree.ts';

/** What was restored, and what it used and is gone. */
export interface RestoredRevision {
  room_id: number;
  element_id: number | null;
  before_id: number;
  missing: string[];
}

/** A restore under way: in the transaction of a locked room. */
interface Restoring {
  db: Database;
  context: CallContext;
  row: StoredRoom;
  content: RevisionContent;
  revision: ListedRevision;
  missing: Set<string>;
  html: HtmlCleaner;
}

/** Files of elements that are still there; those that are gone are noted by their names. */
async function filesOf({ db, context, content, missing }: Restoring, elements: readonly FlatElement[]): Promise<Files> {
  const ids = elements.map(({ file_id }) => file_id);
  const files = await findFiles(db, context.organizationId, ids);
  for (const id of ids) if (id !== null && !files.has(id)) missing.add(`File ${content.files[id] ?? id}`);
  return files;
}

/** The columns of the room itself; a template or marker that is gone is left out, and noted. */
async function roomColumns({ db, context, content, missing, html }: Restoring) {
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
  return columnsOfRoom(readRoomFields({ ...fields, template_id, config }, html));
}

async function restoreWhole(restoring: Restoring): Promise<void> {
  const { db, context, row, content, revision, missing, html } = restoring;
  const columns = await roomColumns(restoring);
  const files = await filesOf(restoring, [...walk(content.room.elements)]);
  const touched = await restoreTree(db, context, row.id, content.room.elements, files, html);
  await updateRoom(db, row.id, { ...columns, updated_at: nextTimestamp(context.clock, row.updated_at) });
  await recordChange(db, context, {
    action: 'restore',
    entity: 'room',
    entity_id: row.id,
    room_id: row.id,
    name: columns.title,
    before: row,
    after: { ...row, ...columns },
    facts: {
      revision: revision.name || revision.created_at,
      elements: touched,
      ...(missing.size > 0 && { missing: [...missing] }),
    },
  });
}

/** The rows that an element of a document had, with all that stood below it and is not there now: parents first. */
function branchRows(
  { context, row, content, html }: Restoring,
  top: Element,
  isThere: (id: number) => boolean,
): StoredElement[] {
  const ranks = new Map<number, number>();
  const rank = (list: readonly Element[]): void => {
    for (const [index, { id, children }] of list.entries()) {
      ranks.set(id, index);
      rank(children);
    }
  };
  rank(content.room.elements);
  const missing = [...walk([top])].filter(({ id }) => !isThere(id));
  const at = nextTimestamp(context.clock);
  return missing.map((element) => ({
    ...columnsFrom(element, null, html),
    file_id: element.file_id,
    id: element.id,
    organization_id: row.organization_id,
    room_id: row.id,
    parent_element_id: element.parent_element_id,
    order_rank: ranks.get(element.id)!,
    created_at: at,
    updated_at: at,
  }));
}

/** Gives an element that is there its fields and, if it can, its parent of then. */
async function restoreThere(restoring: Restoring, element: Element, row: StoredElement): Promise<void> {
  const { db, context, html } = restoring;
  const columns = columnsFrom(element, await filesOf(restoring, [element]), html);
  const places = await listPlaces(db, row.room_id);
  const parent = element.parent_element_id;
  const isBack = parent === null || places.some(({ id }) => id === parent);
  const moves = isBack && parent !== row.parent_element_id;
  if (moves) checkParent(places, parent, row);
  const after = { ...row, ...columns, ...(moves && { parent_element_id: parent }) };
  const { id: _id, ...values } = after;
  await updateElement(db, row.id, { ...values, updated_at: nextTimestamp(context.clock, row.updated_at) });
  if (moves) {
    const siblings = (await listSiblings(db, row.room_id, parent)).filter(({ id }) => id !== row.id);
    await rankElements(db, [...siblings.map(({ id }) => id), row.id]);
  }
  await recordElement(db, context, 'restore', { before: row, after });
}

/** @returns id of the element; another one than it had where that is taken */
async function restoreElement(restoring: Restoring, id: number): Promise<number> {
  const { db, context, row, content, missing } = restoring;
  const element = findInTree(content.room.elements, id);
  if (!element) throw new ApiError('invalid', { element_id: ['This element is not in the revision.'] });
  const there = await findElement(db, context.organizationId, id);
  if (there && there.room_id === row.id) {
    await restoreThere(restoring, element, there);
    return id;
  }
  const known = new Set((await listPlaces(db, row.id)).map((place) => place.id));
  const elements = branchRows(restoring, element, (other) => known.has(other));
  const restored = await restoreBranch(db, context, { elements, files: content.files });
  for (const name of restored.missing) missing.add(name);
  return restored.id;
}

/**
 * Makes a space what it was at a revision, or one element of it; what it was before is kept as a revision first. It
 * is one change, done as a whole or not at all.
 * @param elementId the element; undefined for the whole space
 * @throws ApiError not_found; invalid when the element is not in the revision
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
  const html = await cleanAhead(context.workers, (html) => {
    for (const element of walk(content.room.elements)) cleanElement(element, html);
    if (elementId === undefined) readRoomFields(content.room, html);
  });
  return context.db.transaction().execute(async (db) => {
    const row = await lockRoom(db, organizationId, revision.room_id);
    if (!row) throw new ApiError('not_found');
    const before_id = await makeRevision(db, context, row, 'before_restore');
    const restoring: Restoring = { db, context, row, content, revision, missing: new Set(), html };
    let element_id: number | null = null;
    if (elementId === undefined) await restoreWhole(restoring);
    else element_id = await restoreElement(restoring, elementId);
    return { room_id: row.id, element_id, before_id, missing: [...restoring.missing] };
  });
}
