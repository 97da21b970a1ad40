import type { PublicRoom, Settings } from '../../contract/entities.ts';
import { EntryPanel } from '../entry/entry-panel.ts';

/**
 * Asks for an access token as the structures of a room do. There is no structure here that could check it: any is taken.
 * @param place what the panel covers
 * @returns what takes the panel away
 */
export function askAtDoor(
  place: HTMLElement,
  { room, settings }: { room: PublicRoom; settings: Settings },
  enter: () => void,
): () => void {
  const { template } = room;
  const color = template?.font_color ?? settings.font_color;
  const house = template ? { logo: template.logo_file?.url ?? null, color } : null;
  const panel = new EntryPanel({ name: settings.name, house, hasLogo: true }, undefined, place);
  panel.show({ kind: 'login', sentence: '', isBusy: false, onCode: enter });
  return () => panel.close();
}
