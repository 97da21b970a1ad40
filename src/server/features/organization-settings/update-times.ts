import type { RoomCommand } from '../../../../engine/document/commands.ts';
import { hasOffset } from '../../../../engine/document/time-zone.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { cleanNow } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { listEndpoints, updateEndpoint } from '../endpoints/endpoints-repository.ts';
import { recordEndpoint } from '../endpoints/record-endpoint.ts';
import { changeRoom } from '../rooms/change-room.ts';
import { roomsWithFixedTimes } from '../rooms/fixed-times.ts';

/**
 * Gives an organization's first time zone to the start times whose fixed offset is one of the zone's. The others keep their
 * offset.
 */
export async function adoptForStructures(db: Database, context: CallContext, zone: string): Promise<void> {
  const now = context.clock.now() / 1000;
  for (const row of await listEndpoints(db, context.organizationId)) {
    const offset = row.start_time === null || row.time_zone !== null ? null : row.start_time_utc_offset;
    if (offset === null || !hasOffset(zone, offset, now)) continue;
    const columns = { time_zone: zone, start_time_utc_offset: null };
    await updateEndpoint(db, row.id, { ...columns, updated_at: nextTimestamp(context.clock, row.updated_at) });
    await recordEndpoint(db, context, 'update', row, { ...row, ...columns });
  }
}

/** The same for the times of elements, one room at a time, as edits that open editors receive. */
export async function adoptForElements(context: CallContext, zone: string): Promise<void> {
  const now = context.clock.now() / 1000;
  for (const roomId of await roomsWithFixedTimes(context.db, context.organizationId))
    await changeRoom(context, roomId, async ({ room, commit }) => {
      const commands = room.elements.flatMap(({ id, time_zone, utc_offset }): RoomCommand[] =>
        time_zone == null && utc_offset !== null && hasOffset(zone, utc_offset, now)
          ? [{ type: 'element.update', id, fields: { time_zone: zone } }]
          : [],
      );
      if (commands.length > 0) await commit(commands, cleanNow);
    });
}
