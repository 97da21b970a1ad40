import { startOf } from '../../../contract/opening.ts';
import type { StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { findRoom } from '../rooms/rooms-repository.ts';
import type { Services } from '../services.ts';

/**
 * When the room of a structure with a countdown opens. Until then nothing of it is sent.
 * @returns seconds since 1970; null where visitors may enter now
 */
export async function embargoOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organization_id, room_id, show_countdown, start_time, start_time_utc_offset }: StoredEndpoint,
): Promise<number | null> {
  if (show_countdown === 0) return null;
  // A countdown needs a start, not a timed sequence behind it.
  const timing = { is_timed: true, start_time, start_time_utc_offset, current_time: clock.now() / 1000 };
  const isAhead = (start: number | null) => start !== null && start > timing.current_time;
  if (!isAhead(startOf(timing, null))) return null;
  const row = room_id === null ? undefined : await findRoom(db, organization_id, room_id);
  const { duration }: { duration?: number | null } = row ? JSON.parse(row.config) : {};
  const start = startOf(timing, duration ?? null);
  return isAhead(start) ? start : null;
}
