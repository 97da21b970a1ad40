import type { Endpoint } from '../../contract/entities.ts';
import { type Place, timeText } from '../../ui/zone-time.ts';

/** Fields that describe a structure's state. */
export type StateFields = Pick<
  Endpoint,
  | 'is_visible'
  | 'is_timed'
  | 'show_countdown'
  | 'start_time'
  | 'start_time_utc_offset'
  | 'time_zone'
  | 'is_protected'
  | 'is_closed'
  | 'access_tokens_count'
  | 'room_id'
>;

const count = (number: number, thing: string) => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;

/**
 * Describes a structure's state in one sentence.
 * @param used number of used access tokens; null if unknown
 */
export function structureState(endpoint: StateFields, used: number | null, here: Place): string {
  const { is_visible, is_timed, show_countdown, start_time, is_protected } = endpoint;
  const clock = { zone: endpoint.time_zone, offset: endpoint.start_time_utc_offset };
  const parts = [is_visible ? 'Visible' : 'Hidden'];
  if (endpoint.room_id === null) parts.push('shows no space');
  if (endpoint.is_closed) parts.push('closed until its space is published');
  if (start_time !== null && (show_countdown || is_timed))
    parts.push(`${show_countdown ? 'opens' : 'starts'} daily at ${timeText(start_time, clock, here)}`);
  if (!is_protected) parts.push('open to everyone');
  else if (endpoint.access_tokens_count === 0) parts.push('protected without access tokens: nobody can enter yet');
  else {
    parts.push(count(endpoint.access_tokens_count, 'access token'));
    if (used !== null) parts.push(`${used.toLocaleString('en')} used`);
  }
  return `${parts.join(', ')}.`;
}
