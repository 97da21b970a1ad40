import { mergeFields } from '../../../../engine/document/commands.ts';
import { differingElements } from '../../../../engine/document/differing-elements.ts';
import { descriptors, type Element } from '../../../../engine/document/element.ts';
import { isRecord, isSame } from '../../../../engine/document/field-paths.ts';
import { newerVersion } from '../../../../engine/document/migrations.ts';
import { remapElement, remapRoomConfig } from '../../../../engine/document/remap.ts';
import { roomFieldsSchema, roomSchema } from '../../../../engine/document/room.ts';
import { withKeys } from '../../../../engine/document/sibling-keys.ts';
import type { EndpointItem } from '../../../contract/calls/imports.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import type { NewRecord } from '../../core/changes/records.ts';
import type { Database } from '../../core/db/database.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import { ElementsText, flatten } from '../../core/files/inspect/items/read-elements.ts';
import { cleanAhead, type HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { Workers } from '../../core/files/workers/workers.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { withKnownPlaces } from '../blocks/known-places.ts';
import { folderAtPath, folderForNew } from '../folders/service.ts';
import { checkFiles } from '../media/service.ts';
import { markOfRoom } from '../reverting/revert-rooms.ts';
import { readElement } from '../rooms/checks.ts';
import { commitDocument } from '../rooms/commit.ts';
import { checkRoomReferences, defaultTemplate, fromTemplate } from '../rooms/create-room.ts';
import { listElements } from '../rooms/elements-repository.ts';
import { insertRoom, listRoomNames, lockRoom, lockRoomsNamed, type StoredRoom, updateRoom } from '../rooms/queries.ts';
import { removeRoomIn } from '../rooms/remove-room.ts';
import {
  cleanElement,
  columnsOfRoom,
  configWithoutFile,
  elementColumnsOf,
  type RoomFields,
  readRoomFields,
  roomFromRow,
  type StoredElement,
  withoutFile,
} from '../rooms/rows.ts';
import { writeElements } from '../rooms/write-document.ts';
import { requireRight } from '../users/rights.ts';
import type { EndpointImport } from './import-endpoints.ts';
import { importTemplate, templateNameOf } from './import-templates.ts';
import {
  type About,
  attempt,
  fieldsBetween,
  type Importing,
  type Items,
  note,
  once,
  refuseExisting,
} from './importing.ts';
import type { References } from './references.ts';

/** How a document's elements map to those of a room. */
interface ElementPlan {
  /** Room ids by document ids; ids below 0 stand for elements that are still to be added. */
  ids: Map<number, number>;
  elements: readonly Element[];
  /** Whether the document differs from the room. */
  changes: boolean;
}

/** Matches elements of a document with those of a room: by id if it was exported from the room, otherwise by position. */
function matchIds(stored: readonly StoredElement[], elements: readonly Element[]): Map<number, number> {
  const known = new Map(stored.map((row) => [row.id, row]));
  const ids = new Map<number, number>();
  for (const { id, element } of elements) if (known.get(id)?.element === element) ids.set(id, id);
  // A document from another server: match elements of the same type at the same position.
  if (ids.size === 0)
    for (const [place, row] of stored.entries()) {
      const twin = elements[place];
      if (twin?.element === row.element) ids.set(twin.id, row.id);
    }
  for (const [place, { id }] of elements.entries()) if (!ids.has(id)) ids.set(id, -1 - place);
  return ids;
}

/** Position of every element among its siblings. */
function ranksOf(list: readonly { id: number; parent_element_id: number | null }[]): Map<number, number> {
  const counts = new Map<number | null, number>();
  return new Map(
    list.map(({ id, parent_element_id }) => {
      const rank = counts.get(parent_element_id) ?? 0;
      counts.set(parent_element_id, rank + 1);
      return [id, rank];
    }),
  );
}

/** The part of an element that is compared. */
const contentOf = ({ body, hidden, ...columns }: ReturnType<typeof elementColumnsOf>) => ({
  element: columns.element,
  name: columns.name ?? '',
  file_id: columns.file_id ?? null,
  hidden,
  body: JSON.parse(body),
});

/**
 * Plans the changes to a room's elements.
 * @param stored its current elements in tree order
 * @param elements validated elements of the document: parents before their children, siblings in order
 */
function planElements(stored: readonly StoredElement[], elements: readonly Element[]): ElementPlan {
  const ids = matchIds(stored, elements);
  const [had, have] = [ranksOf(stored), ranksOf(elements)];
  const byId = new Map(stored.map((row) => [row.id, row]));
  const isKept = (element: Element) => {
    const row = byId.get(ids.get(element.id)!);
    if (!row) return false;
    const parent = element.parent_element_id === null ? null : ids.get(element.parent_element_id);
    const current = contentOf(elementColumnsOf(remapElement(element, ids)));
    const before = contentOf({ ...row, element: row.element as Element['element'] });
    return row.parent_element_id === parent && had.get(row.id) === have.get(element.id) && isSame(before, current);
  };
  return { ids, elements, changes: stored.length !== elements.length || !elements.every(isKept) };
}

/**
 * The planned elements of a room with their final ids.
 * @returns the elements, and their ids by document id
 */
async function plannedElements(
  db: Database,
  { ids: planned, elements }: ElementPlan,
): Promise<{ elements: Element[]; ids: ReadonlyMap<number, number> }> {
  const fresh = elements.filter(({ id }) => planned.get(id)! < 0);
  const reserved = await reserveIds(db, 'elements', fresh.length);
  const ids = new Map(planned);
  for (const [index, { id }] of fresh.entries()) ids.set(id, reserved[index]!);
  const flat = elements.map((element) => ({
    ...withoutFile(remapElement(element, ids)),
    id: ids.get(element.id)!,
    parent_element_id: element.parent_element_id === null ? null : ids.get(element.parent_element_id)!,
    // In a document, the lists define the order.
    index: '',
  }));
  return { elements: flat, ids };
}

/** Maximum JSON length in characters that is parsed on the main thread. */
const MAX_INLINE_JSON = 32 * 1024;

/**
 * The validated elements of a document in batches, parents before their children. Long documents are parsed in a worker.
 * @param elements the element tree, or its JSON text
 * @throws ApiError invalid or DocumentError, with the paths of the problems
 */
async function* elementParts(workers: Workers, elements: unknown): AsyncGenerator<Element[]> {
  const text = elements instanceof ElementsText ? elements.json : JSON.stringify(elements);
  if (text.length <= MAX_INLINE_JSON) {
    yield flatten(JSON.parse(text));
    return;
  }
  for (const part of await workers.run('readElements', text)) yield JSON.parse(part);
}

type Json = Record<string, unknown>;

/**
 * Document fields that are not part of the room: template name, structure, path of the folder, and whether the ids of
 * blocks are those of this organization.
 */
const BESIDES = ['template_name', 'endpoint', 'folder', 'has_own_blocks'];
const KNOWN = new Set([...Object.keys(roomSchema.shape), ...BESIDES]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const roomNameOf = (item: Json): string => textOf(item.name) || textOf(item.title);

/** The fields of a document, with local ids. */
async function givenFields(item: Json, references: References): Promise<Json> {
  const names = Object.keys(roomFieldsSchema.shape).filter((name) => item[name] !== undefined);
  const given: Json = Object.fromEntries(names.map((name) => [name, item[name]]));
  if (['template', 'template_name', 'template_id'].some((name) => name in item))
    given.template_id = await references.template(item);
  if (item.config !== undefined) given.config = await references.roomConfig(item.config as Json);
  return given;
}

/** The validated elements of a document, with local ids. */
async function readElements(importing: Importing, item: Json, references: References): Promise<Element[]> {
  const { workers } = importing.context;
  const read: Element[] = [];
  const work = new WorkInPieces();
  for await (const part of elementParts(workers, item.elements)) {
    const html = await cleanAhead(workers, (html) => {
      for (const element of part) cleanElement(element, html);
    });
    for (const element of part) {
      const { parent_element_id } = element;
      read.push({ ...readElement(await references.element(element), html), parent_element_id });
      await work.pause();
    }
  }
  const uses = read.map(({ id, element, file_id }) => ({
    field: `element ${id}, file`,
    id: file_id,
    kinds: descriptors[element].files ?? [],
  }));
  await checkFiles(importing.db, importing.context.organizationId, uses);
  return read;
}

/** Context of a room import. */
interface Work {
  references: References;
  endpoints: EndpointImport;
  /** Names of all rooms so far. */
  seen: Set<string>;
  /** Their names with their folders, if given. */
  places: Set<string>;
}

/** The undo record of a room: its position in the log, and a hash of the room at that position. */
async function roomRecord(
  { db, context }: Importing,
  action: 'create' | 'update',
  { id, name, seq }: { id: number; name: string; seq: number },
): Promise<NewRecord> {
  const mark = await markOfRoom(db, context.organizationId, id);
  return { kind: 'rooms', action, entity_id: id, name, mark, content: { seq } };
}

async function addRoom(
  importing: Importing,
  about: About,
  given: Json,
  { elements, folder }: { elements: Element[]; folder: number | null },
): Promise<number> {
  const { db, context, at, job } = importing;
  const { organizationId } = context;
  const template_id =
    given.template_id === undefined ? await defaultTemplate(db, organizationId) : (given.template_id as number | null);
  const base = await fromTemplate(db, organizationId, template_id);
  const config = { ...base.config, ...(given.config as object | undefined) };
  const read = (html: HtmlCleaner) => readRoomFields({ ...base, ...given, template_id, config }, html);
  const fields = read(await cleanAhead(context.workers, read));
  await checkRoomReferences(db, organizationId, fields, null);
  const owned = { organization_id: organizationId, created_at: at, updated_at: at };
  const folder_id = await folderForNew(db, organizationId, folder);
  const id = await insertRoom(db, { ...columnsOfRoom(fields), folder_id, ...owned });
  const planned = await plannedElements(db, planElements([], elements));
  const { ids } = planned;
  const columns = columnsOfRoom({ ...fields, config: remapRoomConfig(fields.config, ids) });
  const after = { id, elements: withKeys(planned.elements) };
  const differing = differingElements([], after.elements);
  await writeElements(db, context, { before: { id, elements: [] }, after, differing }, at);
  await updateRoom(db, id, columns);
  await recordChange(db, context, {
    action: 'import',
    entity: 'room',
    entity_id: id,
    room_id: id,
    name: fields.title,
    seq: 0,
    after: columns,
    facts: { elements: elements.length, import: job },
    records: [await roomRecord(importing, 'create', { id, name: fields.title, seq: 0 })],
  });
  note(importing, about, 'create', { id });
  return id;
}

const NO_IDS: ReadonlyMap<number, number> = new Map();

interface Changed {
  row: StoredRoom;
  fields: RoomFields;
  plan: ElementPlan | null;
}

async function storeRoom(importing: Importing, { row, fields, plan }: Changed): Promise<void> {
  const { db, context, job } = importing;
  const locked = (await lockRoom(db, context.organizationId, row.id))!;
  const before = await context.documents.ofLocked(db, locked);
  const planned = plan?.changes ? await plannedElements(db, plan) : { ids: plan?.ids ?? NO_IDS };
  const { ids } = planned;
  const config = configWithoutFile(remapRoomConfig(fields.config, ids));
  const after = { ...before, ...fields, config, ...('elements' in planned && { elements: planned.elements }) };
  const { seq } = await commitDocument(db, context, locked, { origin: 'import' }, after);
  const columns = columnsOfRoom({ ...fields, config });
  await recordChange(db, context, {
    action: 'import',
    entity: 'room',
    entity_id: row.id,
    room_id: row.id,
    name: fields.title,
    seq,
    before: row,
    after: { ...row, ...columns },
    facts: { ...(plan && { elements: plan.elements.length }), import: job },
    records: [await roomRecord(importing, 'update', { id: row.id, name: row.title, seq })],
  });
}

async function changeRoom(
  importing: Importing,
  about: About,
  row: StoredRoom,
  { given, elements }: { given: Json; elements: Element[] | null },
): Promise<void> {
  const { db, context, switches } = importing;
  refuseExisting(importing, 'name');
  requireRight(context, 'rooms', 'update');
  const { id: _id, version: _version, ...before } = roomFromRow(row, new Map());
  const isReplaced = switches.mode === 'replace';
  const merged = isReplaced ? { title: row.title, ...given } : mergeFields(before, given as never);
  const read = (html: HtmlCleaner) => [
    readRoomFields({ ...merged, name: row.name }, html),
    readRoomFields(before, html),
  ];
  const [fields, earlier] = read(await cleanAhead(context.workers, read)) as [RoomFields, RoomFields];
  await checkRoomReferences(db, context.organizationId, fields, before);
  const stored = await listElements(db, row.id);
  const list = elements ?? (isReplaced ? [] : null);
  const plan = list && planElements(stored, list);
  const remapped = plan ? { ...fields, config: remapRoomConfig(fields.config, plan.ids) } : fields;
  const names = fieldsBetween(earlier, remapped);
  if (plan?.changes) names.push('elements');
  if (names.length === 0) return note(importing, about, 'unchanged', { id: row.id });
  await storeRoom(importing, { row, fields, plan });
  note(importing, about, 'update', { id: row.id, fields: names });
}

async function importRoom(importing: Importing, about: About, item: Json, work: Work): Promise<void> {
  const { db, context } = importing;
  const unknown = Object.keys(item).filter((name) => !KNOWN.has(name));
  if (unknown.length > 0)
    throw new ApiError('unknown_field', Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']])));
  const newer = newerVersion(item);
  if (newer) throw new ApiError('invalid', { version: [newer] });
  const name = roomNameOf(item);
  if (name === '') throw new ApiError('invalid', { title: ['Give the space a title.'] });
  const folder =
    item.folder === undefined ? undefined : await folderAtPath(db, context.organizationId, String(item.folder ?? ''));
  once(work.places, JSON.stringify([folder, name]), 'name');
  work.seen.add(name);
  const rows = await lockRoomsNamed(db, context.organizationId, name, folder);
  if (rows.length > 1) throw new ApiError('invalid', { name: ['Several spaces have this name. Rename all but one.'] });
  const given = await givenFields(item, work.references);
  const [row] = rows;
  const read = item.elements === undefined ? null : await readElements(importing, item, work.references);
  const isOwn = item.has_own_blocks === true;
  const elements = read && (await withKnownPlaces(db, context.organizationId, read, { roomId: row?.id, isOwn }));
  if (row) await changeRoom(importing, about, row, { given, elements });
  const id =
    row?.id ??
    (await addRoom(importing, about, { title: name, ...given }, { elements: elements ?? [], folder: folder ?? null }));
  if (item.endpoint === undefined || item.endpoint === null) return;
  await work.endpoints.ofRoom(about.index, item.endpoint as EndpointItem, id);
}

async function removeOthers(importing: Importing, { seen }: Work): Promise<void> {
  const { db, context } = importing;
  requireRight(context, 'rooms', 'delete');
  const rows = await listRoomNames(db, context.organizationId);
  for (const { id, name } of rows) {
    if (seen.has(name)) continue;
    await removeRoomIn(db, context, id);
    note(importing, { index: null, kind: 'rooms', key: name }, 'remove', { id });
  }
}

/** Adds and updates rooms by name; with `prune`, missing rooms are removed. */
export async function importRooms(
  importing: Importing,
  items: Items<Json>,
  references: References,
  endpoints: EndpointImport,
): Promise<void> {
  const work: Work = { references, endpoints, seen: new Set(), places: new Set() };
  const templates = new Set<string>();
  let index = -1;
  for await (const item of items) {
    if (isRecord(item.template_document)) {
      const template = item.template_document;
      requireRight(importing.context, 'templates', 'create');
      const about: About = { index: ++index, kind: 'templates', key: templateNameOf(template) };
      // The structure may already exist; `create` mode rejects only existing rooms.
      const adding = { ...importing, switches: { mode: 'upsert' as const, prune: false } };
      await attempt(adding, about, () => importTemplate(adding, about, template, { references, seen: templates }));
      continue;
    }
    const about: About = { index: ++index, kind: 'rooms', key: roomNameOf(item) };
    await attempt(importing, about, () => importRoom(importing, about, item, work));
  }
  if (importing.switches.prune) await removeOthers(importing, work);
}
