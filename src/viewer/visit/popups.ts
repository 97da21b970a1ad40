import type { Room } from '../../../engine/document/room.ts';
import type { Dialog } from './visit-store.ts';

/** The start pop-up; null if the room has none. */
export const startPopup = ({ config, title, description }: Room): Dialog | null =>
  config.show_start_popup && description.trim() !== '' ? { kind: 'content', title, html: description } : null;

/** The pop-up of the timed sequence. */
export function timedPopup({ config }: Room): Dialog {
  const { timed_popup_text: html, timed_popup_action_required: required } = config;
  const links = [config.timed_popup_action_left, config.timed_popup_action_center, config.timed_popup_action_right];
  return { kind: 'content', title: '', html, required, isTimed: true, actions: links.filter((link) => link !== null) };
}
