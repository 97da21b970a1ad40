import { flatRoom, type Room } from '../../../engine/document/room.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom } from '../../contract/entities.ts';

/** A space as the server has it, with the place in its log at which it is so. */
export type ReadRoom = AdminRoom & { seq: number };

/** @throws ApiError */
export async function readRoom(client: Client, id: number): Promise<ReadRoom> {
  const answer = await client.rooms.read({ params: { id }, query: { seq: '1' } });
  return { ...answer, seq: answer.seq ?? 0 };
}

/** A room as a document, without what the call adds to it. */
export function roomOf(answer: AdminRoom): Room {
  const {
    timestamp_current: _now,
    timestamp_start_of_day: _start,
    timestamp_end_of_day: _end,
    updated_at: _stamp,
    policies: _policies,
    seq: _seq,
    ...room
  } = answer;
  return flatRoom(room);
}
