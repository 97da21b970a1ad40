import type { z } from 'zod';
import type { Element } from '../../../../engine/document/element.ts';
import { type IdMap, remapElement, remapRoomConfig } from '../../../../engine/document/remap.ts';
import { meshProblem } from '../../../../engine/document/splats.ts';
import type { Template } from '../../../../engine/document/template.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { copyName } from '../../core/copy-name.ts';
import type { Database } from '../../core/db/database.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import { cleanAhead, type HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import type { Services } from '../../core/services.ts';
import { folderForNew } from '../folders/service.ts';
import { checkFiles } from '../media/service.ts';
import { putPoster, readPosterRow } from '../posters/queries.ts';
import { findTemplate } from '../templates/queries.ts';
import { insertElements, listElements } from './elements-repository.ts';
import { insertRoom, lockRoom, type StoredRoom, updateRoom } from './queries.ts';
import {
  columnsOfRoom,
  elementColumnsOf,
  elementFromRow,
  type RoomFields,
  readRoomFields,
  roomFromRow,
} from './rows.ts';

/** Target of new elements: their owner and timestamp. */
interface Destination {
  organizationId: number;
  roomId: number;
  at: string;
}

/**
 * Stores elements under new ids. References among them, parents included, are mapped to the new ids; a parent that
 * isn't among them stays.
 * @param elements parents before their children, siblings in order
 * @returns new ids by old ids
 */
export async function storeElements(
  db: Database,
  { organizationId, roomId, at }: Destination,
  elements: readonly Element[],
): Promise<IdMap> {
  const reserved = await reserveIds(db, 'elements', elements.length);
  const ids = new Map(elements.map(({ id }, index) => [id, reserved[index]!]));
  await insertElements(
    db,
    elements.map((element) => ({
      ...elementColumnsOf(remapElement(element, ids)),
      id: ids.get(element.id)!,
      organization_id: organizationId,
      room_id: roomId,
      parent_element_id:
        element.parent_element_id === null ? null : (ids.get(element.parent_element_id) ?? element.parent_element_id),
      index: element.index,
      created_at: at,
      updated_at: at,
    })),
  );
  return ids;
}

/**
 * Checks that a room's new references belong to the organization.
 * @param before the stored room; null for a new one
 * @throws ApiError invalid, naming the fields
 */
export async function checkRoomReferences(
  db: Database,
  organizationId: number,
  fields: RoomFields,
  before: RoomFields | null,
): Promise<void> {
  const { template_id, config } = fields;
  if (template_id !== null && !(await findTemplate(db, organizationId, template_id)))
    throw new ApiError('invalid', {
      template_id: ['Template not found; it may have been deleted. Choose another one.'],
    });
  // A force-deleted file leaves its id behind, which must not block other changes.
  if (config.realtime_file_id === before?.config.realtime_file_id) return;
  await checkFiles(db, organizationId, [
    { field: 'config.realtime_file_id', id: config.realtime_file_id, kinds: ['object'], problemOf: meshProblem },
  ]);
}

/** Default template of an organization's new rooms; null for none. */
export async function defaultTemplate(db: Database, organizationId: number): Promise<number | null> {
  const row = await db
    .selectFrom('organizations')
    .innerJoin('templates', 'templates.id', 'organizations.template_id')
    .select('templates.id')
    .where('organizations.id', '=', organizationId)
    .where('templates.organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** A new room's defaults from its template. */
export async function fromTemplate(db: Database, organizationId: number, id: number | null) {
  const template = id === null ? undefined : await findTemplate(db, organizationId, id);
  if (!template) return { config: {} };
  const { camera, animate }: Template['config'] = JSON.parse(template.config);
  return { width: template.width, height: template.height, depth: template.depth, config: { camera, animate } };
}

/**
 * Adds an empty room. Without a template it gets the organization's default; with null it has none.
 * @returns its id
 * @throws ApiError or ZodError naming the invalid fields
 */
export async function createRoom(
  author: Author & Pick<Services, 'db' | 'workers'>,
  input: z.output<typeof calls.rooms.create.body>,
): Promise<number> {
  const html = await roomHtml(author.workers, input);
  return withinQuotas(author, ['spaces'], (db) => createRoomIn(db, author, input, html));
}

type RoomInput = z.output<typeof calls.rooms.create.body>;

/** Sanitizes a new room's HTML ahead of its transaction. */
export const roomHtml = (workers: Services['workers'], input: RoomInput): Promise<HtmlCleaner> =>
  cleanAhead(workers, (html) => readRoomFields({ ...input, template_id: null }, html));

/**
 * Adds an empty room in the caller's transaction, which checks the quotas.
 * @param html result of `roomHtml`
 * @returns its id
 * @throws ApiError or ZodError naming the invalid fields
 */
export async function createRoomIn(
  db: Database,
  author: Author,
  { folder_id: wanted = null, ...input }: RoomInput,
  html: HtmlCleaner,
): Promise<number> {
  const { organizationId, clock } = author;
  const template_id = input.template_id === undefined ? await defaultTemplate(db, organizationId) : input.template_id;
  const base = await fromTemplate(db, organizationId, template_id);
  const fields = readRoomFields({ ...base, ...input, template_id, config: { ...base.config, ...input.config } }, html);
  await checkRoomReferences(db, organizationId, fields, null);
  const folder_id = await folderForNew(db, organizationId, wanted);
  const now = nextTimestamp(clock);
  const columns = columnsOfRoom(fields);
  const owned = { organization_id: organizationId, created_at: now, updated_at: now };
  const id = await insertRoom(db, { ...columns, folder_id, ...owned });
  await recordChange(db, author, {
    action: 'create',
    entity: 'room',
    entity_id: id,
    room_id: id,
    name: fields.title,
    after: { ...columns, folder_id },
    seq: 0,
  });
  return id;
}

/** A copy of a room, with the ids of its elements by those of the original's. */
interface RoomCopy {
  id: number;
  columns: ReturnType<typeof columnsOfRoom>;
  ids: IdMap;
}

/**
 * Copies a locked room with its elements. Links and light targets inside it are mapped to the copies.
 * @param branchOf space that the copy belongs to as a proposal; a copy of its own gets a name of its own
 */
export async function copyRoomIn(
  db: Database,
  context: Pick<CallContext, 'organizationId' | 'clock'>,
  row: StoredRoom,
  branchOf: number | null = null,
): Promise<RoomCopy> {
  const { organizationId, clock } = context;
  const { id: _id, version: _version, ...room } = roomFromRow(row, new Map());
  const at = nextTimestamp(clock);
  const copy = branchOf === null ? { ...room, title: copyName(room.title), name: copyName(room.name) } : room;
  const id = await insertRoom(db, {
    ...columnsOfRoom(copy),
    folder_id: row.folder_id,
    branch_of: branchOf,
    organization_id: organizationId,
    created_at: at,
    updated_at: at,
  });
  const rows = await listElements(db, row.id);
  const elements = rows.map((element) => elementFromRow(element, new Map()));
  const ids = await storeElements(db, { organizationId, roomId: id, at }, elements);
  const columns = columnsOfRoom({ ...copy, config: remapRoomConfig(copy.config, ids) });
  await updateRoom(db, id, columns);
  const poster = await readPosterRow(db, 'room_id', row.id);
  const its = { subject: 'room_id', id } as const;
  // A drawing of the original shows the copy until it is drawn itself; only a copy of its own keeps a chosen image.
  if (poster && (branchOf === null || poster.kind === 'drawn'))
    await putPoster(db, context, its, poster.kind === 'chosen' ? 'chosen' : 'drawn', poster);
  return { id, columns, ids };
}

/**
 * Copies a room with its elements.
 * @returns id of the copy
 * @throws ApiError not_found
 */
export async function copyRoom(context: CallContext, id: number): Promise<number> {
  return withinQuotas(context, ['spaces'], async (db) => {
    const row = await lockRoom(db, context.organizationId, id);
    if (!row) throw new ApiError('not_found');
    const copy = await copyRoomIn(db, context, row);
    // The elements equal the original's: only their number is recorded.
    await recordChange(db, context, {
      action: 'create',
      entity: 'room',
      entity_id: copy.id,
      room_id: copy.id,
      name: copy.columns.title,
      seq: 0,
      after: { ...copy.columns, copied_from: row.id, elements: copy.ids.size },
    });
    return copy.id;
  });
}
