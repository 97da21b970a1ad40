import { startOf } from '../../../contract/opening.ts';
import type { Services } from '../../core/services.ts';
import type { StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { findRoom } from '../rooms/rooms-repository.ts';
import { revisionFacts } from './published-facts.ts';
import { shownStateOf } from './shown-state.ts';

/** Seconds that the sequence lasts that a structure shows; null where it shows none. */
async function durationOf(services: Pick<Services, 'db' | 'clock'>, endpoint: StoredEndpoint): Promise<number | null> {
  const { db } = services;
  const state = await shownStateOf(services, endpoint);
  if (state === null) return null;
  if (state.revisionId !== null)
    return (await revisionFacts(db, endpoint.organization_id, state.revisionId))?.duration ?? null;
  const row = await findRoom(db, endpoint.organization_id, state.roomId);
  const { duration }: { duration?: number | null } = row ? JSON.parse(row.config) : {};
  return duration ?? null;
}

/**
 * When the room of a structure with a countdown opens. Until then nothing of it is sent.
 * @returns seconds since 1970; null where visitors may enter now
 */
export async function embargoOf(
  services: Pick<Services, 'db' | 'clock'>,
  endpoint: StoredEndpoint,
): Promise<number | null> {
  const { show_countdown, start_time, start_time_utc_offset, time_zone } = endpoint;
  if (show_countdown === 0) return null;
  // A countdown needs a start, not a timed sequence behind it.
  const current_time = services.clock.now() / 1000;
  const timing = { is_timed: true, start_time, start_time_utc_offset, time_zone, current_time };
  const isAhead = (start: number | null) => start !== null && start > timing.current_time;
  if (!isAhead(startOf(timing, null))) return null;
  const start = startOf(timing, await durationOf(services, endpoint));
  return isAhead(start) ? start : null;
}
