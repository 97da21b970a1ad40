import type { Endpoint } from '../../contract/entities.ts';

/** What of a structure says how visitors find it. */
export type StateFields = Pick<
  Endpoint,
  | 'is_visible'
  | 'is_timed'
  | 'show_countdown'
  | 'start_time'
  | 'start_time_utc_offset'
  | 'is_protected'
  | 'is_closed'
  | 'access_tokens_count'
  | 'room_id'
>;

/** Where the reader is: the zone's name, and minutes of UTC minus local time. */
export interface Place {
  zone: string;
  offset: number;
}

const HOUR = 60;

const count = (number: number, thing: string) => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;

/** A time of day with its zone: by the city of the reader where the clocks agree, by the distance to UTC elsewhere. */
function timeText(time: string, offset: number | null, here: Place): string {
  if (offset === null || offset === here.offset)
    return `${time} ${here.zone.split('/').at(-1)!.replaceAll('_', ' ')} time`;
  const minutes = Math.abs(offset);
  const rest = minutes % HOUR === 0 ? '' : `:${String(minutes % HOUR).padStart(2, '0')}`;
  return `${time} UTC${offset > 0 ? '−' : '+'}${Math.floor(minutes / HOUR)}${rest}`;
}

/**
 * How visitors find a structure, in one sentence.
 * @param used how many of its access tokens were used; null where that is not known
 */
export function structureState(endpoint: StateFields, used: number | null, here: Place): string {
  const { is_visible, is_timed, show_countdown, start_time, start_time_utc_offset, is_protected } = endpoint;
  const parts = [is_visible ? 'Visible' : 'Hidden'];
  if (endpoint.room_id === null) parts.push('shows no space');
  if (endpoint.is_closed) parts.push('closed until its space is published');
  if (start_time !== null && (show_countdown || is_timed))
    parts.push(`${show_countdown ? 'opens' : 'starts'} daily at ${timeText(start_time, start_time_utc_offset, here)}`);
  if (!is_protected) parts.push('open to everyone');
  else if (endpoint.access_tokens_count === 0) parts.push('protected without access tokens: nobody can enter yet');
  else {
    parts.push(count(endpoint.access_tokens_count, 'access token'));
    if (used !== null) parts.push(`${used.toLocaleString('en')} used`);
  }
  return `${parts.join(', ')}.`;
}
