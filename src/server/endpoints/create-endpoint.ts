import type { z } from 'zod';
import type { calls } from '../../contract/calls.ts';
import { endpointInput } from '../../contract/entities.ts';
import { nextStamp } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { lockOrganization } from '../db/for-update.ts';
import type { Services } from '../services.ts';
import { checkParentEndpoint, checkRoom, checkSlug, readSlug } from './check-endpoint.ts';
import { insertEndpoint, listEndpoints } from './endpoints-repository.ts';

/** Stands for the id of a structure that has none yet. */
const NEW_ID = 0;

/**
 * Adds a structure behind the last one of its parent. Its slug follows the name where none is given.
 * @param alsoAdd adds what belongs to it: both are there, or neither
 * @returns its id
 * @throws ApiError naming the fields that are wrong
 */
export async function createEndpoint(
  { db: database, clock }: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
  input: z.output<typeof calls.endpoints.create.body>,
  alsoAdd: (db: Database, id: number) => Promise<void> = async () => {},
): Promise<number> {
  const fields = endpointInput.parse({ ...input, slug: input.slug ?? '' });
  const slug = readSlug(fields.slug || fields.name);
  const parent = fields.parent_endpoint_id;
  return database.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const all = await listEndpoints(db, organizationId);
    checkParentEndpoint(all, parent);
    checkSlug(all, { id: NEW_ID, slug, parent_endpoint_id: parent });
    await checkRoom(db, organizationId, fields.room_id);
    const last = all.filter((other) => other.parent_endpoint_id === parent).at(-1);
    const now = nextStamp(clock);
    const id = await insertEndpoint(db, {
      ...fields,
      slug,
      organization_id: organizationId,
      order_rank: (last?.order_rank ?? -1) + 1,
      is_visible: Number(fields.is_visible),
      is_timed: Number(fields.is_timed),
      show_countdown: Number(fields.show_countdown),
      is_protected: Number(fields.is_protected),
      start_time_utc_offset: fields.start_time === null ? null : fields.start_time_utc_offset,
      created_at: now,
      updated_at: now,
    });
    await alsoAdd(db, id);
    return id;
  });
}
