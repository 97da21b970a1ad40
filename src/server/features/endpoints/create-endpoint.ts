import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { endpointInput } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Author, recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { findOrganization } from '../organizations/organizations-repository.ts';
import { checkParentEndpoint, checkRoom, checkSlug, readSlug } from './check-endpoint.ts';
import { insertEndpoint, lastIndex, listEndpoints } from './endpoints-repository.ts';
import { startClock } from './start-clock.ts';

/** Stands for the id of a structure that has none yet. */
const NEW_ID = 0;

/** What is added together with a structure: all is there, or nothing. */
interface AddedTogether {
  /** Adds the space that the structure shows. @returns its id */
  room?(db: Database): Promise<number>;
  /** Adds what belongs to the structure. @returns what stands in the change log about it */
  belongings?(db: Database, id: number): Promise<object>;
}

type NewEndpoint = Omit<z.output<typeof calls.endpoints.create.body>, 'new_room_title' | 'new_room_template_id'>;

/**
 * Adds a structure behind the last one of its parent. Its slug follows the name where none is given.
 * @returns its id
 * @throws ApiError naming the fields that are wrong
 */
export async function createEndpoint(
  author: Author & { db: Database },
  input: NewEndpoint,
  { room, belongings = async () => ({}) }: AddedTogether = {},
): Promise<number> {
  const { organizationId, clock } = author;
  const given = endpointInput.parse({ ...input, slug: input.slug ?? '' });
  if (given.room_id === null && !room) throw new ApiError('invalid', { room_id: ['Select a space.'] });
  const slug = readSlug(given.slug || given.name);
  const parent = given.parent_endpoint_id;
  return withinQuotas(author, ['spaces', 'structures', 'tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    const fields = room ? { ...given, room_id: await room(db) } : given;
    const all = await listEndpoints(db, organizationId);
    checkParentEndpoint(all, parent);
    checkSlug(all, { id: NEW_ID, slug, parent_endpoint_id: parent });
    await checkRoom(db, organizationId, fields.room_id);
    const now = nextTimestamp(clock);
    const { time_zone } = await findOrganization(db, organizationId);
    const columns = {
      ...fields,
      slug,
      index: lastIndex(all, parent),
      is_visible: Number(fields.is_visible),
      is_timed: Number(fields.is_timed),
      show_countdown: Number(fields.show_countdown),
      is_protected: Number(fields.is_protected),
      ...startClock(null, input, { standard: time_zone, now: clock.now() / 1000 }),
    };
    const owned = { organization_id: organizationId, created_at: now, updated_at: now };
    const id = await insertEndpoint(db, { ...columns, ...owned });
    const facts = await belongings(db, id);
    const about = { entity_id: id, room_id: fields.room_id, name: fields.name };
    await recordChange(db, author, { action: 'create', entity: 'endpoint', ...about, after: columns, facts });
    return id;
  });
}
