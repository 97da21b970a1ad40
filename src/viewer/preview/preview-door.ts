import type { LoginReason } from '../../../engine/machines/entry.ts';
import { formatHours } from '../../../engine/scene/timed/time-format.ts';
import type { PublicRoom, Settings } from '../../contract/entities.ts';
import { EntryPanel } from '../entry/entry-panel.ts';
import { dateText, REASONS, timeText } from '../entry/entry-words.ts';
import { say } from '../texts/say-all.ts';

/** Whose door it is. */
interface Door {
  room: PublicRoom;
  settings: Settings;
}

function panelAt(place: HTMLElement, { room, settings }: Door): EntryPanel {
  const { template } = room;
  const color = template?.font_color ?? settings.font_color;
  const house = template ? { logo: template.logo_file?.url ?? null, color } : null;
  return new EntryPanel({ name: settings.name, house, hasLogo: true }, undefined, place);
}

/**
 * Asks for an access token as the structures of a room do, and refuses what opens none of them.
 * @param place what the panel covers
 * @param check why a token opens nothing; null for one that does
 * @returns what takes the panel away
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

/** When a room opens: the name of its structure, and the moment in seconds since 1970. */
export interface Opening {
  name: string;
  startsAt: number;
}

/**
 * Counts down to the start of a room.
 * @returns what shows how many seconds are left, and what takes the panel away
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
