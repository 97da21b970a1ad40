import type { Room } from '../../../engine/document/room.ts';
import type { AdminRoom } from '../../contract/entities.ts';

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
  return room;
}
