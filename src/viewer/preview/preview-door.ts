import type { LoginReason } from '../../../engine/machines/entry.ts';
import { formatHours } from '../../../engine/scene/timed/time-format.ts';
import type { Client } from '../../contract/client.ts';
import type { Settings } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { startOf } from '../../contract/opening.ts';
import { dateText, EntryPanel, REASONS, timeText } from '../entry/entry-panel.ts';
import { say } from '../texts/say-all.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';

/** Organization and logo. */
interface Door {
  room: Pick<VisitedRoom, 'template'>;
  settings: Settings;
}

function panelAt(place: HTMLElement, { room, settings }: Door): EntryPanel {
  const { template } = room;
  const color = template?.font_color ?? settings.font_color;
  const house = { logo: template?.logo_file?.url ?? (settings.logo_url || null), color };
  return new EntryPanel({ name: settings.name, house, hasLogo: true }, undefined, place);
}

/**
 * Shows the token form as the room's structures do, and rejects invalid tokens.
 * @param place container
 * @param check returns why a token is rejected; null if accepted
 * @returns removes the panel
 */
export function askAtDoor(
  place: HTMLElement,
  door: Door,
  check: (code: string) => Promise<LoginReason | null>,
  enter: () => void,
): () => void {
  const panel = panelAt(place, door);
  let isGone = false;
  const ask = (sentence: string, isBusy: boolean) =>
    panel.show({ kind: 'login', sentence, isBusy, onCode: (code) => void answer(code) });
  const answer = async (code: string) => {
    ask('', true);
    const reason = await check(code).catch(() => undefined);
    if (isGone) return;
    if (reason === null) {
      enter();
      return;
    }
    const key = reason && REASONS[reason];
    ask(reason === undefined ? say('notReached') : key ? say(key) : '', false);
  };
  ask('', false);
  return () => {
    isGone = true;
    panel.close();
  };
}

/** Opening of a room: structure name and Unix time in seconds. */
export interface Opening {
  name: string;
  startsAt: number;
}

/**
 * Shows the countdown of a room.
 * @returns functions to update the remaining seconds and to remove the panel
 */
export function countDown(place: HTMLElement, door: Door, { name, startsAt }: Opening) {
  const panel = panelAt(place, door);
  const show = (seconds: number) =>
    panel.show({
      kind: 'countdown',
      name,
      time: timeText(startsAt),
      date: dateText(startsAt),
      left: formatHours(Math.ceil(seconds)),
    });
  return { show, close: () => panel.close() };
}

/** What stands between visitors and a room: what its structures ask for. */
export interface PreviewEntry {
  /** Ids of the structures that ask for an access token. */
  protectedIds: readonly number[];
  /** The countdown of the first structure that has one; null without. */
  opening: Opening | null;
}

/** Limits on the structures of a room that are considered, and read for a countdown. */
const MAX_OWN = { listed: 250, read: 10 };

/** @param now seconds since 1970 */
export async function entryOf({ endpoints }: Client, roomId: number, now: number): Promise<PreviewEntry> {
  const query = { room_id: roomId, sort: 'path', per_page: MAX_OWN.listed } as const;
  const { data: own } = await endpoints.rows({ query });
  const read = own.slice(0, MAX_OWN.read).map(({ id }) => endpoints.read({ params: { id } }));
  const counting = (await Promise.all(read)).find((endpoint) => endpoint.show_countdown && endpoint.start_time);
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
