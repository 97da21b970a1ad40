import { hasOffset } from '../../../../engine/document/time-zone.ts';
import { type StartTime, startOffset } from '../../../contract/opening.ts';

/** What a start time refers to, as it is stored: a zone without an offset, or a fixed offset. */
type StartClock = Pick<StartTime, 'time_zone' | 'start_time_utc_offset'>;

/** Fields of a write; absent ones stay as they are. */
type WrittenStart = { [K in 'start_time' | keyof StartClock]?: StartTime[K] | undefined };

/**
 * The zone or offset of a start time after a write. A zone decides over an offset. An offset alone keeps the zone if it is
 * one of the zone's, and otherwise replaces it.
 * @param before what is stored; null for a new structure
 * @param standard zone of times that come without zone and offset; null for UTC
 * @param now seconds since 1970
 */
export function startClock(
  before: Omit<StartTime, 'is_timed'> | null,
  { start_time = before?.start_time ?? null, time_zone, start_time_utc_offset: offset }: WrittenStart,
  { standard, now }: { standard: string | null; now: number },
): StartClock {
  const fixed = (start_time_utc_offset: number | null): StartClock => ({ time_zone: null, start_time_utc_offset });
  const inZone = (zone: string): StartClock => ({ time_zone: zone, start_time_utc_offset: null });
  if (start_time === null) return fixed(null);
  if (time_zone) return inZone(time_zone);
  const zone = before?.time_zone ?? null;
  if (time_zone === null) return fixed(offset === undefined && before ? startOffset(before, now) : (offset ?? null));
  if (zone !== null) return offset == null || hasOffset(zone, offset, now) ? inZone(zone) : fixed(offset);
  if (offset !== undefined) return fixed(offset);
  if (before?.start_time != null) return fixed(before.start_time_utc_offset);
  return standard === null ? fixed(null) : inZone(standard);
}
