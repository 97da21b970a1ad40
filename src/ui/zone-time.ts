import { secondOf } from '../../engine/document/window.ts';

/** Local UTC offset in minutes (UTC minus local time). */
export interface Place {
  offset: number;
}

/** The user's zone and offset. */
export const here = (): Place => ({ offset: new Date().getTimezoneOffset() });

const HOUR = 60;

/** City name of a zone. */
const cityOf = (zone: string) => zone.split('/').at(-1)!.replaceAll('_', ' ');

/** Converts a time of day between UTC offsets. */
function shifted(time: string, minutes: number): string {
  const day = 24 * HOUR;
  const at = (((Math.floor(secondOf(time) / 60) + minutes) % day) + day) % day;
  return [at / HOUR, at % HOUR].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

/**
 * Formats a time of day or a range with its zone: by name if known, otherwise by UTC offset; adds the user's local time if
 * it differs.
 * @param offset UTC minus local time in minutes; null if unknown, or for UTC without a zone
 */
export function timeText(
  times: string | readonly string[],
  { zone, offset }: { zone: string | null; offset: number | null },
  here: Place,
): string {
  const all = typeof times === 'string' ? [times] : times;
  const own = zone === null ? (offset ?? 0) : (offset ?? here.offset);
  const local = all.map((time) => shifted(time, own - here.offset)).join(' to ');
  const yours = own === here.offset ? '' : ` (${local} your time)`;
  const minutes = Math.abs(own);
  const rest = minutes % HOUR === 0 ? '' : `:${String(minutes % HOUR).padStart(2, '0')}`;
  const where =
    zone === null ? `UTC${own > 0 ? '−' : '+'}${Math.floor(minutes / HOUR)}${rest}` : `${cityOf(zone)} time`;
  return `${all.join(' to ')} ${where}${yours}`;
}
