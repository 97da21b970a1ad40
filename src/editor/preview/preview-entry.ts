import type { LoginReason } from '../../../engine/machines/entry.ts';
import type { Client } from '../../contract/client.ts';
import type { Endpoint } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { startOf } from '../../contract/opening.ts';
import type { Opening } from '../../viewer/preview/preview-door.ts';

/** What stands between visitors and a room: what its structures ask for. */
export interface PreviewEntry {
  /** Ids of the structures that ask for an access token. */
  protectedIds: readonly number[];
  /** The countdown of the first structure that has one; null without. */
  opening: Opening | null;
}

const flat = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.flatMap((endpoint) => [endpoint, ...flat(endpoint.children)]);

/** @param now seconds since 1970 */
export function entryOf(endpoints: readonly Endpoint[], roomId: number, now: number): PreviewEntry {
  const own = flat(endpoints).filter(({ room_id }) => room_id === roomId);
  const counting = own.find((endpoint) => endpoint.show_countdown && endpoint.start_time);
  const startsAt = counting && startOf({ ...counting, is_timed: true, current_time: now }, null);
  return {
    protectedIds: own.filter(({ is_protected }) => is_protected).map(({ id }) => id),
    opening: counting && startsAt != null ? { name: counting.name, startsAt } : null,
  };
}

/**
 * Why an access token opens none of some structures; null for one that opens one. Nothing is noted of it: the time of a
 * token begins with its visitor. Whoever may not see access tokens is let in with any.
 */
export async function checkToken(
  client: Client,
  code: string,
  endpointIds: readonly number[],
  now: number,
): Promise<LoginReason | null> {
  try {
    const { data: found } = await client.accessTokens.list({ query: { search: code } });
    const own = found.filter(({ token, endpoint_id }) => token === code && endpointIds.includes(endpoint_id));
    const reasons = own.map(({ valid_from, valid_till }): LoginReason | null => {
      if (valid_from && Date.parse(valid_from) > now * 1000) return 'not_yet_valid';
      return valid_till && Date.parse(valid_till) <= now * 1000 ? 'expired' : null;
    });
    return reasons.includes(null) ? null : (reasons[0] ?? 'wrong_code');
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  }
}
