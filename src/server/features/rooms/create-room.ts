import type { z } from 'zod';
import type { Template } from '../../../../engine/document/template.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { cleanAhead, type HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import type { Services } from '../../core/services.ts';
import { checkFiles } from '../media/service.ts';
import { findTemplate } from '../templates/queries.ts';
import { columnsOfRoom, type RoomFields, readRoomFields } from './room-row.ts';
import { insertRoom } from './rooms-repository.ts';

/**
 * Holds what a room newly refers to against the organization.
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
  // A file that was removed by force leaves its id behind, which must not stand in the way of other changes.
  if (config.realtime_file_id === before?.config.realtime_file_id) return;
  await checkFiles(db, organizationId, [
    { field: 'config.realtime_file_id', id: config.realtime_file_id, kinds: ['object'] },
  ]);
}

/** The template that new rooms of an organization begin with; null for none. */
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

/** What a new room takes from its template where nothing else is given. */
export async function fromTemplate(db: Database, organizationId: number, id: number | null) {
  const template = id === null ? undefined : await findTemplate(db, organizationId, id);
  if (!template) return { config: {} };
  const { camera, animate }: Template['config'] = JSON.parse(template.config);
  return { width: template.width, height: template.height, depth: template.depth, config: { camera, animate } };
}

/**
 * Adds a room without elements. Without a template it gets the organization's; with null it has none.
 * @returns its id
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function createRoom(
  author: Author & Pick<Services, 'db' | 'workers'>,
  input: z.output<typeof calls.rooms.create.body>,
): Promise<number> {
  const html = await roomHtml(author.workers, input);
  return withinQuotas(author, ['spaces'], (db) => createRoomIn(db, author, input, html));
}

type RoomInput = z.output<typeof calls.rooms.create.body>;

/** Makes the HTML of a new room safe, ahead of the transaction that adds it. */
export const roomHtml = (workers: Services['workers'], input: RoomInput): Promise<HtmlCleaner> =>
  cleanAhead(workers, (html) => readRoomFields({ ...input, template_id: null }, html));

/**
 * Adds a room without elements within the caller's transaction, which counts what there may be.
 * @param html of `roomHtml`
 * @returns its id
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function createRoomIn(db: Database, author: Author, input: RoomInput, html: HtmlCleaner): Promise<number> {
  const { organizationId, clock } = author;
  const template_id = input.template_id === undefined ? await defaultTemplate(db, organizationId) : input.template_id;
  const base = await fromTemplate(db, organizationId, template_id);
  const fields = readRoomFields({ ...base, ...input, template_id, config: { ...base.config, ...input.config } }, html);
  await checkRoomReferences(db, organizationId, fields, null);
  const now = nextTimestamp(clock);
  const columns = columnsOfRoom(fields);
  const owned = { organization_id: organizationId, created_at: now, updated_at: now };
  const id = await insertRoom(db, { ...columns, ...owned });
  await recordChange(db, author, {
    action: 'create',
    entity: 'room',
    entity_id: id,
    room_id: id,
    name: fields.title,
    after: columns,
    seq: 0,
  });
  return id;
}
