import { Draft, type RoomCommand } from '../../../../engine/document/commands.ts';
import { flatRoom, type NestedRoom, nestedRoom } from '../../../../engine/document/room.ts';
import { RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { packText, unpackText } from '../../core/packed-text.ts';
import type { Services } from '../../core/services.ts';
import { releaseClientsBefore } from './clients-repository.ts';
import { deleteLeasesBefore } from './leases-repository.ts';
import { findBase, findOldLogs, listEntries, moveBase } from './log-repository.ts';
import { holdRoom } from './rooms-repository.ts';

/** Largest document in bytes: twenty thousand elements with a page of text each. */
export const LARGEST_DOCUMENT = 128 * 1024 * 1024;
/** The day to which the last use of a client number is recorded. */
const DAY = 24 * 60 * 60 * 1000;
/** Entries that are read at once. */
const ENTRIES = 100;

/** Moves the beginning of a room's log behind an entry: what those up to it did becomes part of the base. */
async function foldLog(db: Database, roomId: number, till: number): Promise<void> {
  const base = await findBase(db, roomId);
  if (!base || base.seq >= till) return;
  const draft = new Draft(flatRoom(JSON.parse(await unpackText(base.content, LARGEST_DOCUMENT)) as NestedRoom));
  for (let seq = base.seq; seq < till; ) {
    const entries = (await listEntries(db, roomId, { after: seq, limit: ENTRIES })).filter(
      (entry) => entry.seq <= till,
    );
    if (entries.length === 0) return;
    for (const { commands } of entries)
      for (const command of JSON.parse(commands) as RoomCommand[]) draft.apply(command);
    seq = entries.at(-1)!.seq;
  }
  await moveBase(db, roomId, till, await packText(JSON.stringify(nestedRoom(draft.room))));
}

/** Forgets entries of rooms' logs after 30 days, as what was removed, and ids that were given for new elements by then. */
export async function foldLogs({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const before = timestampOf(clock.now() - RESTORABLE_FOR);
  for (const { room_id, organization_id, seq } of await findOldLogs(db, before))
    await db.transaction().execute(async (locking) => {
      // Nobody adds to the log meanwhile.
      if (await holdRoom(locking, organization_id, room_id)) await foldLog(locking, room_id, Number(seq));
    });
  await deleteLeasesBefore(db, before);
  // Later than the log: a number is used by nobody else while entries under it can still be asked for.
  await releaseClientsBefore(db, timestampOf(clock.now() - RESTORABLE_FOR - DAY));
}
