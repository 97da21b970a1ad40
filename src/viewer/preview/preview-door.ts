import type { LoginReason } from '../../../engine/machines/entry.ts';
import { formatHours } from '../../../engine/scene/timed/time-format.ts';
import type { Settings } from '../../contract/entities.ts';
import { EntryPanel } from '../entry/entry-panel.ts';
import { dateText, REASONS, timeText } from '../entry/entry-words.ts';
import { say } from '../texts/say-all.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';

export type { VisitedRoom };

/** Organization and logo. */
interface Door {
  room: VisitedRoom;
  settings: Settings;
}

function panelAt(place: HTMLElement, { room, settings }: Door): EntryPanel {
  const { template } = room;
  const color = template?.font_color ?? settings.font_color;
  const house = template ? { logo: template.logo_file?.url ?? null, color } : null;
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
