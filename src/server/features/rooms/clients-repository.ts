import { ApiError } from '../../../contract/errors.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';

/** Milliseconds after which another use of a number is recorded. */
const NOTE_AFTER = 24 * 60 * 60 * 1000;
/** Numbers that a user may hold in one room; the least recently used ones are released. */
const MAX_PER_USER = 500;

/** A client number of a room, and the user who wants to use it. */
export interface ClientClaim {
  clock: Clock;
  organizationId: number;
  roomId: number;
  client: string;
  userId: number;
}

const findOwner = (db: Database, { roomId, client }: ClientClaim) =>
  db
    .selectFrom('editor_clients')
    .select(['id', 'user_id', 'at'])
    .where('room_id', '=', roomId)
    .where('client', '=', client)
    .executeTakeFirst();

/** Releases the least recently used numbers of a user beyond the limit. */
async function releaseExcess(db: Database, { roomId, userId }: ClientClaim): Promise<void> {
  const excess = await db
    .selectFrom('editor_clients')
    .select('id')
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .offset(MAX_PER_USER)
    .execute();
  const ids = excess.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('editor_clients').where('id', 'in', ids).execute();
}

/**
 * Claims a client number for a user, who keeps it across sessions: edits that wait in a browser are sent after the next
 * sign-in. Of several users who claim it at once, one gets it.
 * @throws ApiError client_taken when it belongs to another user
 */
export async function claimClient(db: Database, claim: ClientClaim): Promise<void> {
  const { clock, organizationId, roomId, client, userId } = claim;
  const now = clock.now();
  const at = timestampOf(now);
  let owner = await findOwner(db, claim);
  if (!owner) {
    await db
      .insertInto('editor_clients')
      .values({ room_id: roomId, organization_id: organizationId, client, user_id: userId, at })
      .onConflict((conflict) => conflict.columns(['room_id', 'client']).doNothing())
      .execute();
    await releaseExcess(db, claim);
    owner = await findOwner(db, claim);
  }
  if (owner?.user_id !== userId) throw new ApiError('client_taken');
  if (owner.at < timestampOf(now - NOTE_AFTER))
    await db.updateTable('editor_clients').set({ at }).where('id', '=', owner.id).execute();
}

/** Releases numbers that were last used before a moment. */
export async function releaseClientsBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('editor_clients').where('at', '<', before).execute();
}
