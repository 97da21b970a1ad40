import type { z } from 'zod';
import type { Template } from '../../../engine/document/template.ts';
import type { calls } from '../../contract/calls.ts';
import { ApiError } from '../../contract/errors.ts';
import { nextStamp } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { checkFiles } from '../files/check-files.ts';
import type { Services } from '../services.ts';
import { findTemplate } from '../templates/templates-repository.ts';
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
    throw new ApiError('invalid', { template_id: ['This template does not exist. Choose another one.'] });
  // A file that was removed by force leaves its id behind, which must not stand in the way of other changes.
  if (config.realtime_file_id === before?.config.realtime_file_id) return;
  await checkFiles(db, organizationId, [
    { field: 'config.realtime_file_id', id: config.realtime_file_id, kinds: ['object'] },
  ]);
}

/** What a new room takes from its template where nothing else is given. */
async function fromTemplate(db: Database, organizationId: number, id: number | null | undefined) {
  const template = id ? await findTemplate(db, organizationId, id) : undefined;
  if (!template) return { config: {} };
  const { camera, animate }: Template['config'] = JSON.parse(template.config);
  return { width: template.width, height: template.height, depth: template.depth, config: { camera, animate } };
}

/**
 * Adds a room without elements.
 * @returns its id
 * @throws ApiError or ZodError naming the fields that are wrong
 */
export async function createRoom(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
  input: z.output<typeof calls.rooms.create.body>,
): Promise<number> {
  const base = await fromTemplate(db, organizationId, input.template_id);
  const fields = readRoomFields({ ...base, ...input, config: { ...base.config, ...input.config } });
  await checkRoomReferences(db, organizationId, fields, null);
  const now = nextStamp(clock);
  return insertRoom(db, {
    ...columnsOfRoom(fields),
    organization_id: organizationId,
    created_at: now,
    updated_at: now,
  });
}
