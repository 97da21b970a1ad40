import { ApiError } from '../../../contract/errors.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';

/** Milliseconds after which another use of a number is recorded. */
const NOTE_AFTER = 24 * 60 * 60 * 1000;
/** Maximum numbers per user and room; the least recently used ones are released. */
const MAX_PER_USER = 500;

/** A room's client number, and the user who claims it. */
interface ClientClaim {
  clock: Clock;
  organizationId: number;
  roomId: number;
  client: string;
  userId: number;
}

const owners = prepared((db, roomId: number, client: string) =>
  db
    .selectFrom('editor_clients')
    .select(['id', 'user_id', 'at'])
    .where('room_id', '=', roomId)
    .where('client', '=', client),
);

const findOwner = async (db: Database, { roomId, client }: ClientClaim) => (await owners(db, roomId, client))[0];

/** Releases a user's least recently used numbers over the limit. */
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
 * Claims a client number for a user, who keeps it across sessions: edits pending in a browser are sent after the next
 * sign-in. Of several concurrent claims, one succeeds.
 * @throws ApiError client_taken if it belongs to another user
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

/** Releases numbers last used before a time. */
export async function releaseClientsBefore(db: Database, before: string): Promise<void> {
  await db.deleteFrom('editor_clients').where('at', '<', before).execute();
}
