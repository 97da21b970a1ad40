import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import type { ImportReport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { Upload } from '../../storage/upload.ts';
import { countsOf, importCodes } from '../../store/access-tokens/import-codes.ts';
import type { CallContext } from '../../store/call-context.ts';
import { createEndpoint as storeEndpoint } from '../../store/endpoints/create-endpoint.ts';
import { createRoomIn, roomHtml } from '../../store/rooms/create-room.ts';
import { requireRight } from '../../store/users/rights.ts';
import { codesIn } from './read-codes.ts';

/** Adds a structure, and the space that it shows where one is named to be added. */
async function makeWithRoom(
  context: CallContext,
  { new_room_title: title, new_room_template_id: template_id, ...fields }: z.output<typeof calls.endpoints.create.body>,
  belongings: (db: Database, id: number) => Promise<object>,
): Promise<number> {
  if (title === undefined) return storeEndpoint(context, fields, { belongings });
  requireRight(context, 'rooms', 'create');
  if (fields.room_id)
    throw new ApiError('invalid', { new_room_title: ['Give either a space or the title of a new one.'] });
  const input = { title, ...(template_id !== undefined && { template_id }) };
  const html = await roomHtml(context.workers, input);
  return storeEndpoint(context, fields, { room: (db) => createRoomIn(db, context, input, html), belongings });
}

/**
 * Adds a structure, with the access tokens that come in a file.
 * @returns its id, and what became of the codes
 */
export async function createEndpoint(
  context: CallContext,
  body: z.output<typeof calls.endpoints.create.body>,
  file: Upload | undefined,
): Promise<{ id: number; report: ImportReport | undefined }> {
  const { organizationId, clock } = context;
  const codes = await codesIn(context, file);
  let report: ImportReport | undefined;
  const belongings = async (db: Database, endpointId: number) => {
    const duration = body.access_token_duration ?? null;
    if (codes)
      report = await importCodes(db, { organizationId, endpointId, duration, at: nextTimestamp(clock) }, codes);
    return countsOf(report) ?? {};
  };
  const id = await makeWithRoom(context, body, belongings).finally(() => codes?.discard());
  return { id, report };
}
